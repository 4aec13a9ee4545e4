-- lock: 5s
-- Transcripts that a speech service drafts wait like scripts that are timed (decision 096): with the result come its lines.
alter table script_timings
  add column source text not null default 'script' check (source in ('script', 'speech')),
  drop constraint script_timings_failure_check,
  add constraint script_timings_failure_check
    check (failure in ('takes-too-much', 'unreadable', 'failed', 'refused', 'nothing-said')) not valid;
