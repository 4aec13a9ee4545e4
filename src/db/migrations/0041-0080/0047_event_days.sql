-- lock: 5s
-- transaction: none
-- Analytics events get a table for each day, so that those of an old day go with their table (decision 048).
-- Each statement may be tried again: the last one does everything that other sessions see, or nothing.

-- Rows that are there, and those of the next two days, stay in one table. Without its lock: it may have millions of rows.
do $$
declare
  until timestamptz := date_trunc('day', greatest(now(), (select max(created_at) from analytics_events)), 'UTC') + interval '2 days';
begin
  alter table analytics_events drop constraint if exists analytics_events_before_check;
  execute format('alter table analytics_events add constraint analytics_events_before_check check (created_at < %L) not valid', until);
  execute format('comment on constraint analytics_events_before_check on analytics_events is %L', until);
end $$;
--> statement-breakpoint
alter table analytics_events validate constraint analytics_events_before_check;
--> statement-breakpoint
do $$
declare
  until timestamptz := (select obj_description(oid, 'pg_constraint') from pg_constraint
    where conname = 'analytics_events_before_check' and conrelid = 'analytics_events'::regclass);
begin
  create schema event_days;
  alter table analytics_events set schema event_days;
  alter table event_days.analytics_events rename to before;
  alter table event_days.before alter column created_at set not null;
  create table analytics_events (like event_days.before including defaults) partition by range (created_at);
  create index analytics_events_time_idx on analytics_events (created_at);
  create index analytics_events_user_idx on analytics_events (user_id) where user_id is not null;
  alter table analytics_events add constraint analytics_events_user_id_fkey
    foreign key (user_id) references users (id) on delete set null;
  execute format('alter table analytics_events attach partition event_days.before for values from (minvalue) to (%L)', until);
  alter table event_days.before drop constraint analytics_events_before_check;
  -- Takes what no day is made for: nothing is lost when the job that makes them does not run.
  create table event_days.other partition of analytics_events default;
end $$;
