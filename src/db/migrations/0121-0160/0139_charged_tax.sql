-- lock: 5s
alter table invoices add column taxes jsonb;
--> statement-breakpoint
alter table tax_documents add column taxes jsonb;
