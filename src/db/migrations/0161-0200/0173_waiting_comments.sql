-- lock: 5s
-- transaction: none
drop index concurrently if exists comments_waiting_idx;
--> statement-breakpoint
-- Few of many: they are decided within days.
create index concurrently comments_waiting_idx on comments (voice_id, id) where waits_for_creator;
