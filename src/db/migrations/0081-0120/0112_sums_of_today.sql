-- lock: 5s
-- Payouts of the current month read each row of today from the ledger. Every change of the ledger is now noted, and a job
-- adds the notes to the sums each minute.

-- The sums and the notes must join without a row between them.
lock table listened_seconds, summed_months, late_seconds in share row exclusive mode;
--> statement-breakpoint
insert into late_seconds
select l.day, l.voice_id, l.audio_id, l.milliseconds, l.free_ms, l.trial_ms
from listened_seconds l
left join summed_months s on s.month = date_trunc('month', l.day at time zone 'UTC')::date
where l.day >= coalesce(s.summed_until, '-infinity') and not exists (
  select from payout_months m
  where m.month = date_trunc('month', l.day at time zone 'UTC')::date and m.locked_at is not null);
--> statement-breakpoint
-- For the former version, which reads days from then on from the ledger, and the notes of the days before.
update summed_months set summed_until = (month + interval '1 month') at time zone 'UTC';
--> statement-breakpoint
-- Its job would add up days of the ledger that are in the notes: it fails until the new version runs it.
alter table summed_months add constraint summed_months_whole check (summed_until = (month + interval '1 month') at time zone 'UTC') not valid;
--> statement-breakpoint
create or replace function note_late_seconds() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      insert into late_seconds select day, voice_id, audio_id, milliseconds, free_ms, trial_ms from added;
    when 'DELETE' then
      insert into late_seconds select day, voice_id, audio_id, -milliseconds, -free_ms, -trial_ms from removed;
    else
      insert into late_seconds
      select day, voice_id, audio_id, sum(milliseconds), sum(free_ms), sum(trial_ms) from (
        select day, voice_id, audio_id, milliseconds, free_ms, trial_ms from added
        union all select day, voice_id, audio_id, -milliseconds, -free_ms, -trial_ms from removed) versions
      group by day, voice_id, audio_id
      having sum(milliseconds) <> 0 or sum(free_ms) <> 0 or sum(trial_ms) <> 0;
  end case;
  return null;
end $$;
