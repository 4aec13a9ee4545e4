-- lock: 5s
-- Operators change settings while the site runs; of two who change one at once, one gets a conflict.

alter table site_settings
  add column revision integer not null default 1 check (revision > 0),
  -- Null: the command line, the site itself, or an account that is gone.
  add column changed_by uuid references users (id) on delete set null;
--> statement-breakpoint
create index site_settings_changed_by_idx on site_settings (changed_by);
