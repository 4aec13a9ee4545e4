-- lock: 5s
-- transaction: none
-- The Studio of a creator with many audios and comments: comments know the creator, so that the newest ones are read
-- from one index, and audios are listed by index. Each statement may run again. The version before goes on: the
-- triggers fill the column for it.

alter table comments add column if not exists voice_id uuid;
--> statement-breakpoint
create or replace function fill_comment_voice() returns trigger language plpgsql as $$
begin
  -- The lock makes an audio that moves to another creator wait until this comment is there to move with it.
  select voice_id into new.voice_id from audios where id = new.audio_id for share;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger comments_voice before insert on comments
  for each row execute function fill_comment_voice();
--> statement-breakpoint
create or replace function move_comments() returns trigger language plpgsql as $$
begin
  update comments set voice_id = new.voice_id where audio_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audios_comments_moved after update of voice_id on audios
  for each row when (old.voice_id <> new.voice_id) execute function move_comments();
--> statement-breakpoint

-- Changes that do not show or hide a comment lock and count nothing: the fill below, and each count of replies.
create or replace function tally_changed_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(audio_id), array_agg(parent_id), array_agg(delta)) from (
    select n.audio_id, n.parent_id,
      (n.text is not null and n.removed_at is null and not n.is_author_suspended and n.hidden_at is null)::int
        - (o.text is not null and o.removed_at is null and not o.is_author_suspended and o.hidden_at is null)::int as delta
    from added n join removed o on o.id = n.id) changed
  where delta <> 0;
  return null;
end $$;
--> statement-breakpoint

-- In batches, so that nobody waits long for a row.
do $$
declare
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    batch := array(select id from comments where id > last order by id limit 5000);
    exit when batch = '{}';
    update comments c set voice_id = a.voice_id from audios a
      where a.id = c.audio_id and c.id = any (batch) and c.voice_id is distinct from a.voice_id;
    commit;
    last := batch[array_upper(batch, 1)];
  end loop;
end $$;
--> statement-breakpoint
drop index concurrently if exists comments_voice_idx;
--> statement-breakpoint
create index concurrently comments_voice_idx on comments (voice_id, id);
--> statement-breakpoint
drop index concurrently if exists comments_voice_marked_idx;
--> statement-breakpoint
-- Hidden, held and reported ones, which are few.
create index concurrently comments_voice_marked_idx on comments (voice_id, id)
  where hidden_at is not null or reported_at is not null;
--> statement-breakpoint
drop index concurrently if exists audios_voice_changed_idx;
--> statement-breakpoint
create index concurrently audios_voice_changed_idx on audios (voice_id, updated_at desc, id desc);
--> statement-breakpoint
drop index concurrently if exists audios_voice_unpublished_idx;
--> statement-breakpoint
create index concurrently audios_voice_unpublished_idx on audios (voice_id) where published_at is null;
--> statement-breakpoint
drop index concurrently if exists audios_voice_silent_idx;
--> statement-breakpoint
create index concurrently audios_voice_silent_idx on audios (voice_id) where comments_disabled and deleted_at is null;
--> statement-breakpoint
-- The index of (voice_id, id) answers the same.
drop index concurrently if exists audios_managed_idx;
