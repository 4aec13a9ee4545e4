-- lock: 5s
-- Hiding a creator of 3,000 audios compared each changed row with each, since the plans of these functions are made for one
-- row. They now compare the rows as sets, which takes no longer than sorting them.

create or replace function list_changed_audios() returns trigger language plpgsql as $$
declare
  gone uuid[] := array(
    select id from added where published_at is null intersect select id from removed where published_at is not null);
  changed uuid[] := array(select id from (
    select id, published_at, sort_title, duration_ms from added where published_at is not null
    except select id, published_at, sort_title, duration_ms from removed) different);
begin
  if gone <> '{}' then
    delete from audio_list_keys where audio_id = any (gone);
    delete from audio_list_plays where audio_id = any (gone);
  end if;
  if changed <> '{}' then perform list_audios(changed); end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function recount_playlists_of_audios() returns trigger language plpgsql as $$
declare
  changed uuid[] := array(select id from (
    select id, duration_ms, published_at, voice_id from added
    except select id, duration_ms, published_at, voice_id from removed) different);
  ids uuid[] := array(select distinct playlist_id from playlist_items where audio_id = any (changed));
begin
  if ids <> '{}' then perform recount_playlists(ids); end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function list_plays() returns trigger language plpgsql as $$
begin
  -- A play waits for no audio that is being edited: the next play brings the number up to date.
  with changed as (
    select p.audio_id, p.list_id, n.plays
    from (select audio_id, plays from added except select audio_id, plays from removed) n
    join audio_list_plays p on p.audio_id = n.audio_id
    for no key update of p skip locked
  )
  update audio_list_plays p set plays = c.plays from changed c where p.audio_id = c.audio_id and p.list_id = c.list_id;
  return null;
end $$;
--> statement-breakpoint
create or replace function tally_changed_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(audio_id), array_agg(parent_id), array_agg(delta)) from (
    select audio_id, parent_id, sum(shown)::int as delta from (
      select id, audio_id, parent_id,
        (text is not null and removed_at is null and not is_author_suspended and hidden_at is null)::int as shown from added
      union all
      select id, audio_id, parent_id,
        -(text is not null and removed_at is null and not is_author_suspended and hidden_at is null)::int from removed) counted
    group by id, audio_id, parent_id having sum(shown) <> 0) changed;
  return null;
end $$;
