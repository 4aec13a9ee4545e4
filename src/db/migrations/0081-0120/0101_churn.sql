-- lock: 5s
-- Churn counts only those who were there at the start of a period.
alter table site_days
  add column left_on_joining integer not null default 0,
  add column left_of_start jsonb not null default '{}';
