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
