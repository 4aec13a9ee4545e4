-- lock: 5s
-- transaction: none
drop index concurrently if exists comments_pinned_idx;
--> statement-breakpoint
-- One on each audio.
create unique index concurrently comments_pinned_idx on comments (audio_id) where pinned_at is not null;
--> statement-breakpoint
drop index concurrently if exists comments_voice_pinned_idx;
--> statement-breakpoint
create index concurrently comments_voice_pinned_idx on comments (voice_id, id) where pinned_at is not null;
--> statement-breakpoint
drop index concurrently if exists comments_answered_idx;
--> statement-breakpoint
create index concurrently comments_answered_idx on comments (audio_id, replies desc, id desc)
  where parent_id is null and ((text is not null and removed_at is null and not is_author_suspended) or replies > 0);
--> statement-breakpoint
drop index concurrently if exists comments_waiting_idx;
--> statement-breakpoint
-- Held ones, which stay hidden after two weeks.
create index concurrently comments_waiting_idx on comments (hidden_at) where waits_for_creator;
