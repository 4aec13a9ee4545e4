-- What Stripe would keep: each object is the document that its API answers, as jsonb.
create table stripe_sandbox.objects (
  position bigint generated always as identity primary key,
  id text not null,
  kind text not null,
  -- The test clock whose time it lives in.
  clock text,
  -- Seconds, as everywhere in this API.
  created bigint not null,
  -- When billing has to look at it next, in the time of its clock.
  due_at bigint,
  deleted boolean not null default false,
  document jsonb not null,
  -- What Stripe knows and does not tell.
  hidden jsonb not null default '{}',
  unique (kind, id)
);
create index on stripe_sandbox.objects (kind, position desc) where not deleted;
create index on stripe_sandbox.objects (clock, due_at, position) where due_at is not null;
create index on stripe_sandbox.objects ((document #>> '{customer}'), kind, position desc) where not deleted;
create index on stripe_sandbox.objects ((document #>> '{parent,subscription_details,subscription}'), position desc)
  where kind = 'invoice';
create index on stripe_sandbox.objects ((document #>> '{lookup_key}')) where kind = 'price';
create index on stripe_sandbox.objects (upper(document #>> '{code}')) where kind = 'promotion_code';
create index on stripe_sandbox.objects ((document #>> '{payment_intent}')) where kind in ('charge', 'refund', 'dispute');
create index on stripe_sandbox.objects ((document #>> '{invoice}')) where kind = 'invoice_payment';
create index on stripe_sandbox.objects ((document #>> '{payment,payment_intent}')) where kind = 'invoice_payment';
create index on stripe_sandbox.objects ((hidden #>> '{pageSecret}')) where kind = 'invoice';

-- Events on their way to the site.
create table stripe_sandbox.deliveries (
  event text primary key,
  -- Of the event: the order in which things happened.
  position bigint not null,
  attempts integer not null default 0,
  -- Absent once it arrived, or was given up.
  due_at timestamptz(3),
  delivered_at timestamptz(3),
  last_failure text
);
create index on stripe_sandbox.deliveries (due_at, position) where due_at is not null;

create table stripe_sandbox.idempotency_keys (
  key text primary key,
  -- Keyed hash of method, path and body.
  fingerprint text not null,
  claimed_at timestamptz(3) not null,
  -- The answer, once there is one.
  status integer,
  body text
);
create index on stripe_sandbox.idempotency_keys (claimed_at);

-- Keys and secrets, made at the first start.
create table stripe_sandbox.settings (
  name text primary key,
  value text not null
);
