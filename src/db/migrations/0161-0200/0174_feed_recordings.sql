-- lock: 5s
-- A creator's own audios that speak to the listeners of private feeds.
alter table voices
  add column welcome_audio_id uuid,
  add column payment_audio_id uuid,
  add column farewell_audio_id uuid,
  add constraint voices_welcome_audio_fkey foreign key (welcome_audio_id) references audios (id) on delete set null not valid,
  add constraint voices_payment_audio_fkey foreign key (payment_audio_id) references audios (id) on delete set null not valid,
  add constraint voices_farewell_audio_fkey foreign key (farewell_audio_id) references audios (id) on delete set null not valid;
--> statement-breakpoint
create index voices_welcome_audio_idx on voices (welcome_audio_id) where welcome_audio_id is not null;
--> statement-breakpoint
create index voices_payment_audio_idx on voices (payment_audio_id) where payment_audio_id is not null;
--> statement-breakpoint
create index voices_farewell_audio_idx on voices (farewell_audio_id) where farewell_audio_id is not null;
