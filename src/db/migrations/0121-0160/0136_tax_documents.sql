-- lock: 5s
create table tax_numbers (
  series text not null check (series in ('invoice', 'credit-note')),
  year integer not null check (year between 2000 and 9999),
  last integer not null check (last >= 0),
  primary key (series, year)
);
--> statement-breakpoint
create table tax_documents (
  id uuid primary key,
  kind text not null check (kind in ('invoice', 'credit-note')),
  number text not null unique,
  user_id uuid,
  invoice_id uuid,
  refund_id uuid unique,
  corrects_number text check ((corrects_number is null) = (kind = 'invoice')),
  issued_at timestamptz(3) not null,
  supplied_at timestamptz(3) not null,
  currency text not null,
  country text not null check (country ~ '^([A-Z]{2})?$'),
  permille integer check (permille >= 0),
  net integer not null,
  tax integer not null,
  gross integer not null check (gross = net + tax),
  lines jsonb not null,
  seller jsonb not null,
  buyer jsonb,
  provider text not null,
  evidence jsonb
);
--> statement-breakpoint
create unique index tax_documents_invoice on tax_documents (invoice_id) where kind = 'invoice';
--> statement-breakpoint
create index tax_documents_corrections on tax_documents (invoice_id) where kind = 'credit-note';
--> statement-breakpoint
create index tax_documents_user on tax_documents (user_id);
--> statement-breakpoint
create index tax_documents_supplied on tax_documents (supplied_at);
--> statement-breakpoint
create table buyer_tax_facts (
  user_id uuid primary key,
  vat_id text,
  region text,
  region_at timestamptz(3)
);
--> statement-breakpoint
alter table invoices
  add column paid_by jsonb,
  add column awaits_document boolean not null default false;
--> statement-breakpoint
alter table invoices alter column awaits_document set default true;
--> statement-breakpoint
create index invoices_awaiting_document on invoices (id)
  where awaits_document and status = 'paid' and amount_paid > 0;
--> statement-breakpoint
alter table invoice_refunds add column awaits_document boolean not null default false;
--> statement-breakpoint
alter table invoice_refunds alter column awaits_document set default true;
--> statement-breakpoint
create index invoice_refunds_awaiting_document on invoice_refunds (id) where awaits_document and state = 'done';
