-- lock: 5s
-- People who are heard in audios of a creator. `name` null: not credited.
create table performers (
  id uuid primary key,
  voice_id uuid not null references voices (id) on delete cascade,
  name text,
  -- Null: an operator keeps a record of the consent, or the account with this address was deleted.
  email text,
  -- That of their answer, for mails.
  language text,
  -- Sotto's record of a check outside of the site, as in `voice_verifications`.
  method text,
  reference text,
  checked_on timestamptz(3),
  verified_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((method is null) = (verified_until is null))
);
--> statement-breakpoint
create unique index performers_email_idx on performers (voice_id, email) where email is not null;
--> statement-breakpoint
create index performers_of_email_idx on performers (email) where email is not null;
--> statement-breakpoint
create table consents (
  audio_id uuid not null references audios (id) on delete cascade,
  performer_id uuid not null references performers (id) on delete cascade,
  state text not null default 'asked' check (state in ('asked', 'given', 'refused', 'withdrawn')),
  recorded boolean not null default false,
  published boolean not null default false,
  downloaded boolean not null default false,
  -- Shown with this audio; null: not credited.
  name text,
  -- The sound that was agreed to, or refused: its `audios.file_key` then.
  sound text,
  token_hash text unique,
  sent_at timestamptz(3),
  -- Of a link that was not answered.
  link_until timestamptz(3),
  opened_at timestamptz(3),
  answered_at timestamptz(3),
  -- An operator's own record of the consent.
  reference text,
  -- The performer was told that the audio is public.
  told_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (audio_id, performer_id),
  check (state = 'asked' or (answered_at is not null and sound is not null))
);
--> statement-breakpoint
create index consents_performer_idx on consents (performer_id);
--> statement-breakpoint
create index consents_untold_idx on consents (audio_id) where state = 'given' and told_at is null;
--> statement-breakpoint
-- Audios in which none of the creator's owners is heard.
create table unheard_owners (
  audio_id uuid primary key references audios (id) on delete cascade
);
--> statement-breakpoint
-- A performer has not agreed to downloads.
alter table audios add column is_stream_only boolean not null default false;
--> statement-breakpoint
alter table audit_entries drop constraint audit_entries_actor_role_check;
--> statement-breakpoint
alter table audit_entries add constraint audit_entries_actor_role_check
  check (actor_role in ('owner', 'editor', 'moderator', 'admin', 'operator', 'performer')) not valid;
