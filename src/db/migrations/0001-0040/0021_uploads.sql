-- lock: 5s
-- Uploads have one writer at a time, among all processes, and leave the list before their rows go.

-- Not shown any more; the row stays for a while, because the limits per day count it.
alter table uploads add column removed_at timestamptz(3);
--> statement-breakpoint
create index uploads_state_idx on uploads (state, updated_at);
--> statement-breakpoint
create index uploads_removed_idx on uploads (removed_at) where removed_at is not null;
--> statement-breakpoint

-- Who writes to a file that comes in: a lease, renewed while the request runs.
create table upload_locks (
  upload_id uuid primary key,
  token uuid not null,
  until timestamptz(3) not null,
  -- Another request waits for it, so the holder should end.
  wanted boolean not null default false
);
