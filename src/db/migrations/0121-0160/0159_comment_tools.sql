-- lock: 5s
-- Creators' tools for comments (decision 097). The version before reads `holds_links` alone, so it says whether anything is
-- held; `comment_hold` says what is held beyond links, and is null where that is nothing.
alter table voices
  add column comment_hold text,
  add column held_words text[] not null default '{}',
  add column comments_paused_until timestamptz(3),
  add column comment_order text not null default 'newest',
  add constraint voices_comment_hold_check check (comment_hold in ('unkind', 'all')) not valid,
  add constraint voices_held_words_check check (cardinality(held_words) <= 200) not valid,
  add constraint voices_comment_order_check check (comment_order in ('newest', 'oldest', 'answered')) not valid;
--> statement-breakpoint
-- Null: as the creator has it for all.
alter table audios
  add column comment_hold text,
  add column comments_paused_until timestamptz(3),
  add constraint audios_comment_hold_check check (comment_hold in ('none', 'links', 'unkind', 'all')) not valid;
--> statement-breakpoint
alter table comments
  add column held_for text,
  add column held_word text,
  add column edited_at timestamptz(3),
  add column pinned_at timestamptz(3),
  add column hearted_at timestamptz(3),
  add constraint comments_held_for_check check (held_for in ('link', 'word', 'unkind', 'all')) not valid,
  add constraint comments_held_word_check check (length(held_word) <= 60) not valid,
  add constraint comments_pinned_check check (pinned_at is null or parent_id is null) not valid;
--> statement-breakpoint

-- The writer is told once: the same notification comes back with the heart. Its subject is their own comment, which the
-- version before words as a reply.
create function note_hearts() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from added where hearted_at is not null and user_id is not null
    except select id from removed where hearted_at is not null);
begin
  if ids <> '{}' then
    insert into notifications (id, user_id, kind, subject_id, audio_id)
    select gen_random_uuid(), c.user_id, 'reply', c.id, c.audio_id from comments c
    where c.id = any (ids)
      and not exists (select from voice_owners o where o.voice_id = c.voice_id and o.user_id = c.user_id)
    on conflict do nothing;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger comments_news_hearted after update on comments referencing old table as removed new table as added
  for each statement execute function note_hearts();
--> statement-breakpoint
alter function note_hearts() set enable_seqscan = off;
--> statement-breakpoint
alter function note_hearts() set enable_hashjoin = off;
--> statement-breakpoint
alter function note_hearts() set enable_mergejoin = off;
--> statement-breakpoint
alter function note_hearts() set plan_cache_mode = force_generic_plan;
