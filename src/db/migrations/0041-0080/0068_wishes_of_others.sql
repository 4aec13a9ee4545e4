-- lock: 5s
-- A process sends the mail about the stopped feed; another one may do so after this time.
alter table private_feeds add column notifying_until timestamptz(3);
--> statement-breakpoint

-- Changes of promo codes, which are the provider's: written with their log entry before it is asked.
create table promo_code_wishes (
  -- The provider keeps it as the key of a code that was made.
  id uuid primary key,
  kind text not null check (kind in ('create', 'replace', 'end')),
  -- The code that is replaced or ended.
  promo_code_id text check (length(promo_code_id) between 1 and 200),
  -- The rules of the new code, as the provider is asked for them.
  rules jsonb check (jsonb_typeof(rules) = 'object'),
  -- `asked`: the provider's answer is not known yet.
  state text not null check (state in ('asked', 'done', 'refused')),
  created_at timestamptz(3) not null default now(),
  check ((promo_code_id is null) = (kind = 'create') and (rules is null) = (kind = 'end'))
);
--> statement-breakpoint
create index promo_code_wishes_asked_idx on promo_code_wishes (created_at) where state = 'asked';
