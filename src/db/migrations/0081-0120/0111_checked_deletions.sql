-- lock: 5s
alter table voices validate constraint voices_deleted_is_hidden;
--> statement-breakpoint
alter table categories validate constraint categories_deleted_is_hidden;
