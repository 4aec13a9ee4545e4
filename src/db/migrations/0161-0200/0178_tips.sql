-- lock: 5s
-- One-off payments of listeners to creators (decision 104). The creator's part is an entry among the corrections of the
-- month in which it was paid, and what is paid back is one of the month in which that happens.
alter table voices
  add column takes_tips boolean not null default false,
  -- Shown to whoever has paid.
  add column tip_thanks text not null default '',
  add constraint voices_tip_thanks_check check (char_length(tip_thanks) <= 300) not valid;
--> statement-breakpoint
create table tips (
  id uuid primary key,
  -- Without a reference, as entries of payouts: both outlive the creator.
  voice_id uuid not null,
  voice_name text not null,
  audio_id uuid references audios (id) on delete set null,
  -- Null: the account was deleted.
  giver_id uuid references users (id) on delete set null,
  is_anonymous boolean not null,
  -- For the creator only.
  note text check (char_length(note) <= 300),
  amount integer not null check (amount > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- The site's part of what is left after tax, as it was when the tip was begun.
  share_permille integer not null check (share_permille between 0 and 1000),
  -- Country of the network, from which it was begun.
  region text check (region ~ '^[A-Z]{2}$'),
  -- Null: the provider has not answered.
  payment_id text,
  created_at timestamptz(3) not null default now(),
  paid_at timestamptz(3),
  -- Set with `paid_at`. Null: no tax is due, or somebody else owes it.
  tax_permille integer check (tax_permille >= 0),
  tax integer not null default 0 check (tax between 0 and amount),
  -- The creator's part.
  earned integer not null default 0 check (earned between 0 and amount - tax),
  -- The bank has not decided, or has decided for the site.
  disputed_at timestamptz(3),
  refunded_at timestamptz(3),
  -- `asked`: the provider's answer is not known yet.
  refund_state text check (refund_state in ('asked', 'done')),
  -- The site issues documents of what is paid and paid back. False: done, or it does not sell itself.
  awaits_document boolean not null,
  awaits_credit_note boolean not null,
  check (paid_at is not null or earned = 0),
  check (refund_state is null or (refunded_at is not null and paid_at is not null))
);
--> statement-breakpoint
create unique index tips_payment_idx on tips (payment_id) where payment_id is not null;
--> statement-breakpoint
create index tips_giver_idx on tips (giver_id) where giver_id is not null;
--> statement-breakpoint
create index tips_audio_idx on tips (audio_id) where audio_id is not null;
--> statement-breakpoint
create index tips_voice_idx on tips (voice_id, paid_at) where paid_at is not null;
--> statement-breakpoint
create index tips_paid_idx on tips (paid_at) where paid_at is not null;
--> statement-breakpoint
create index tips_unpaid_idx on tips (id) where paid_at is null;
--> statement-breakpoint
create index tips_refund_asked_idx on tips (id) where refund_state = 'asked';
--> statement-breakpoint
create index tips_awaiting_document_idx on tips (id)
  where (awaits_document and paid_at is not null) or (awaits_credit_note and refund_state = 'done');
--> statement-breakpoint

-- Null: entered by an operator.
alter table payout_corrections add column tip_id uuid;
--> statement-breakpoint
-- What a tip adds, and what takes it back: once each.
create unique index payout_corrections_tip_idx on payout_corrections (tip_id, (amount < 0)) where tip_id is not null;
--> statement-breakpoint
create function book_tips() returns trigger language plpgsql as $$
declare
  -- A month is never locked before it has ended.
  this_month date := date_trunc('month', now() at time zone 'UTC')::date;
begin
  if new.earned = 0 then return null; end if;
  if old.paid_at is null and new.paid_at is not null then
    insert into payout_corrections (id, month, voice_id, currency, amount, reason, tip_id)
    values (gen_random_uuid(), this_month, new.voice_id, new.currency, new.earned, 'Tip', new.id);
  end if;
  if new.refund_state = 'done' and old.refund_state is distinct from 'done' then
    insert into payout_corrections (id, month, voice_id, currency, amount, reason, tip_id)
    values (gen_random_uuid(), this_month, new.voice_id, new.currency, -new.earned, 'Tip, paid back', new.id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger tips_book after update of paid_at, refund_state on tips for each row execute function book_tips();
--> statement-breakpoint
alter table tax_documents add column tip_id uuid;
--> statement-breakpoint
create unique index tax_documents_tip on tax_documents (tip_id, kind) where tip_id is not null;
