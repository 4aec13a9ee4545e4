-- lock: 5s
-- Whether the money of a day in further currencies was added up: not by the former version.
alter table site_days add column has_further_money boolean not null default false;
