-- lock: 5s
-- Who a creator is was checked outside of the site. Kept is how, under which reference, by whom, when and until when, but
-- no document.
create table voice_verifications (
  voice_id uuid primary key references voices (id) on delete cascade,
  -- The last decision; null: none yet.
  decision text check (decision in ('verified', 'refused', 'withdrawn')),
  decided_at timestamptz(3),
  decided_by uuid,
  -- Outlives the account.
  decided_by_name text,
  method text,
  reference text,
  -- Days, as their first moment (UTC); the check counts on its last day, too.
  checked_on timestamptz(3),
  verified_until timestamptz(3),
  -- Of a refusal or a withdrawal.
  reason text,
  ask_again_on timestamptz(3),
  -- Since when the creator waits for a decision; null: has not asked, or it was decided.
  asked_at timestamptz(3),
  asked_by uuid,
  -- With a request after a refusal or a withdrawal.
  appeal text,
  -- Its withdrawal hid the creator, whom the next check shows again.
  hid_voice boolean not null default false,
  -- The end that was announced.
  reminded_of timestamptz(3),
  check (decision is distinct from 'verified' or (method is not null and checked_on is not null and verified_until is not null))
);
--> statement-breakpoint
create index voice_verifications_waiting_idx on voice_verifications (asked_at) where asked_at is not null;
--> statement-breakpoint
create index voice_verifications_end_idx on voice_verifications (verified_until) where decision = 'verified';
--> statement-breakpoint
create index voice_verifications_asked_by_idx on voice_verifications (asked_by) where asked_by is not null;
--> statement-breakpoint
create index voice_verifications_decided_by_idx on voice_verifications (decided_by) where decided_by is not null;
--> statement-breakpoint
-- Versions of the creator agreement; none is changed afterwards.
create table creator_agreements (
  version integer primary key check (version > 0),
  text text not null,
  published_at timestamptz(3) not null default now(),
  published_by uuid
);
--> statement-breakpoint
create index creator_agreements_published_by_idx on creator_agreements (published_by) where published_by is not null;
--> statement-breakpoint
create table agreement_acceptances (
  id uuid primary key,
  voice_id uuid not null references voices (id) on delete cascade,
  version integer not null references creator_agreements (version),
  user_id uuid,
  language text not null,
  -- As it was shown, in that language.
  text text not null,
  accepted_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create unique index agreement_acceptances_user_idx on agreement_acceptances (voice_id, version, user_id);
--> statement-breakpoint
create index agreement_acceptances_version_idx on agreement_acceptances (version);
--> statement-breakpoint
create index agreement_acceptances_of_user_idx on agreement_acceptances (user_id) where user_id is not null;
