-- lock: 5s

-- An upload whose processing fails again and again ends as failed.
alter table uploads add column attempts smallint not null default 0;
