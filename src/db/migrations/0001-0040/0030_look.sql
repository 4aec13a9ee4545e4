-- lock: 5s
-- Pictures of the site's look: logo, icon, share card, hero. Settings name them.

create table look_files (
  file_key text primary key check (file_key ~ '^look/[0-9a-f]{64}[.](svg|png|webp|jpg)$'),
  bytes integer not null constraint look_files_bytes_check check (bytes > 0),
  created_at timestamp(3) with time zone not null default now()
);
