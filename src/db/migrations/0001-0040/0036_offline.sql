-- lock: 5s
-- Devices that keep audios for listening without a connection.

create table offline_devices (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- A log-out, here or from another device, ends the device with its session.
  session_id uuid not null unique references sessions (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  renewed_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index offline_devices_user_idx on offline_devices (user_id);
