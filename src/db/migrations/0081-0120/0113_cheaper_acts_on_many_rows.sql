-- lock: 5s
-- Hiding, publishing and suspending took longer for what they change besides than for their own rows.

-- Room on each page for a second version of every row: a changed count then writes to no index.
alter table audio_counts set (fillfactor = 50);
--> statement-breakpoint
alter table user_playlist_counts set (fillfactor = 50);
--> statement-breakpoint

-- Once for all playlists of a statement.
drop trigger user_playlist_counts_search_changed on user_playlist_counts;
--> statement-breakpoint
drop function note_search_user_playlist_count();
--> statement-breakpoint
create function note_search_user_playlist_counts() returns trigger language plpgsql as $$
begin
  insert into search_changes (kind, subject_id)
  select 'user_playlists', search_key(user_playlist_id) from (
    select user_playlist_id, audios = 0 from added except select user_playlist_id, audios = 0 from removed) changed;
  return null;
end $$;
--> statement-breakpoint
create trigger user_playlist_counts_search_changed after update on user_playlist_counts
  referencing old table as removed new table as added for each statement execute function note_search_user_playlist_counts();
--> statement-breakpoint

-- Rows of lists are there only beside those of audio_categories and audio_tags, which refer to the audio, are locked when a
-- list gets a row, and take it along when they go. A second check of each row found nothing.
alter table audio_list_keys drop constraint audio_list_keys_audio_id_fkey;
--> statement-breakpoint
alter table audio_list_plays drop constraint audio_list_plays_audio_id_fkey;
--> statement-breakpoint

-- The changed rows say what was looked up again for each comment.
create or replace function suspend_comments() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  suspended uuid[];
  let_in uuid[];
begin
  select array_agg(id) filter (where is_suspended), array_agg(id) filter (where not is_suspended) into suspended, let_in from (
    select id, suspended_at is not null as is_suspended from added
    except select id, suspended_at is not null from removed) changed;
  if suspended is not null then
    update comments set is_author_suspended = true where user_id = any (suspended) and not is_author_suspended;
  end if;
  if let_in is not null then
    update comments set is_author_suspended = false where user_id = any (let_in) and is_author_suspended;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function move_audios() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  ids uuid[];
  voice_ids uuid[];
begin
  -- In order, since rows of one time are on the same pages.
  select array_agg(id order by id), array_agg(voice_id order by id) into ids, voice_ids from (
    select id, voice_id from added except select id, voice_id from removed) moved;
  if ids is null then return null; end if;
  update audio_counts c set voice_id = m.voice_id from unnest(ids, voice_ids) m (id, voice_id) where c.audio_id = m.id;
  update comments c set voice_id = m.voice_id from unnest(ids, voice_ids) m (id, voice_id) where c.audio_id = m.id;
  return null;
end $$;
