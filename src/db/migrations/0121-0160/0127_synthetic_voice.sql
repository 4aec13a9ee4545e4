-- lock: 5s
-- How much of what is heard was spoken by a machine.
alter table audios add column synthetic_voice text not null default 'none',
  add constraint audios_synthetic_voice_check check (synthetic_voice in ('none', 'partly', 'wholly')) not valid;
