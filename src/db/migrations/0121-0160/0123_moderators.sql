-- lock: 5s
-- The role that enters the desk and the log alone.
alter table users add column is_moderator boolean not null default false;
--> statement-breakpoint
alter table audit_entries drop constraint audit_entries_actor_role_check;
--> statement-breakpoint
alter table audit_entries add constraint audit_entries_actor_role_check
  check (actor_role in ('owner', 'editor', 'moderator', 'admin', 'operator')) not valid;
