-- lock: 5s
-- The reconciliation compares the provider's payments with these rows, and keeps its place in the run itself.
alter table invoices add column payment_id text;
--> statement-breakpoint
alter table reconciliation_runs
  add column totals jsonb not null default '[]' check (jsonb_typeof(totals) = 'array'),
  add column position jsonb;
