create table payment_stand_ins.sales (
  -- The provider's number of the sale, subscription or invoice.
  id text primary key,
  provider text not null,
  -- The site's own name of the order.
  reference text not null,
  -- In the addresses of its page.
  secret text not null unique,
  -- When it has to be looked at next, by the machine's clock.
  due_at timestamptz(3),
  document jsonb not null
);
create index on payment_stand_ins.sales (provider, reference);
create index on payment_stand_ins.sales (due_at) where due_at is not null;

-- On their way to the site.
create table payment_stand_ins.postbacks (
  position bigint generated always as identity primary key,
  sale text not null,
  provider text not null,
  -- Not signed yet.
  content jsonb not null,
  attempts integer not null default 0,
  -- Absent once it arrived, was lost, or was given up.
  due_at timestamptz(3),
  arrived_at timestamptz(3),
  last_failure text
);
create index on payment_stand_ins.postbacks (due_at, position) where due_at is not null;

-- Credentials, made at the first start, and the disorder that is wanted.
create table payment_stand_ins.settings (
  name text primary key,
  value jsonb not null
);
create sequence payment_stand_ins.numbers start 1001;
