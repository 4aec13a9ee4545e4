-- lock: 5s
-- Admin lists users by the time of joining: imported accounts have new ids.
drop index users_created_idx;
--> statement-breakpoint
create index users_created_idx on users (created_at, id);
--> statement-breakpoint
drop index users_admin_idx;
--> statement-breakpoint
create index users_admin_idx on users (created_at, id) where is_admin;
--> statement-breakpoint
drop index users_suspended_idx;
--> statement-breakpoint
create index users_suspended_idx on users (created_at, id) where suspended_at is not null;
