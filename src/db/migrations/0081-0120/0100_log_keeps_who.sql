-- lock: 5s
-- The log keeps who did an operator's act when the account is gone, and from which address. Creators' acts lose their
-- name with the account, as before.
alter table audit_entries add column actor_name text, add column actor_address text;
--> statement-breakpoint
create trigger audit_entries_kept_whole before truncate on audit_entries
  for each statement execute function keep_audit_entries();
