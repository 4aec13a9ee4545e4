-- lock: 5s
-- A month of a million rows in the ledger could be neither shown nor locked for payouts. A job now keeps its sums; a
-- change of a day that is over is noted beside the ledger, so that it counts whenever it comes.

create table summed_months (
  month date primary key check (month = date_trunc('month', month)::date),
  -- Days before are in the sums, days from then on are read from the ledger.
  summed_until timestamptz(3) not null
);
--> statement-breakpoint
create table summed_audio_seconds (
  month date not null references summed_months (month) on delete cascade,
  voice_id uuid not null,
  audio_id uuid not null,
  milliseconds bigint not null,
  free_ms bigint not null,
  trial_ms bigint not null,
  primary key (month, voice_id, audio_id)
);
--> statement-breakpoint
create table summed_voice_seconds (
  month date not null references summed_months (month) on delete cascade,
  voice_id uuid not null,
  milliseconds bigint not null,
  free_ms bigint not null,
  trial_ms bigint not null,
  -- Audios with seconds that count, with and without those of trials.
  audios integer not null,
  audios_without_trials integer not null,
  primary key (month, voice_id)
);
--> statement-breakpoint
create table late_seconds (
  day timestamptz(3) not null,
  voice_id uuid not null,
  audio_id uuid not null,
  milliseconds bigint not null,
  free_ms bigint not null,
  trial_ms bigint not null
);
--> statement-breakpoint
create index late_seconds_day_idx on late_seconds (day);
--> statement-breakpoint
create function note_late_seconds() returns trigger language plpgsql as $$
declare
  today timestamptz := date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC';
begin
  if tg_op <> 'INSERT' then
    insert into late_seconds select day, voice_id, audio_id, -milliseconds, -free_ms, -trial_ms from removed where day < today;
  end if;
  if tg_op <> 'DELETE' then
    insert into late_seconds select day, voice_id, audio_id, milliseconds, free_ms, trial_ms from added where day < today;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger listened_seconds_late_added after insert on listened_seconds referencing new table as added
  for each statement execute function note_late_seconds();
--> statement-breakpoint
create trigger listened_seconds_late_changed after update on listened_seconds
  referencing old table as removed new table as added for each statement execute function note_late_seconds();
--> statement-breakpoint
create trigger listened_seconds_late_removed after delete on listened_seconds referencing old table as removed
  for each statement execute function note_late_seconds();
