-- lock: 5s
-- transaction: none
drop index concurrently if exists invoices_payment_idx;
--> statement-breakpoint
create index concurrently invoices_payment_idx on invoices (payment_id) where payment_id is not null;
