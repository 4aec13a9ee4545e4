-- lock: 5s

alter table membership_mails
  drop constraint membership_mails_kind_check,
  add constraint membership_mails_kind_check check (kind in
    ('welcome', 'trial-ends', 'receipt', 'payment-failed', 'ended', 'gift', 'gift-bought', 'refund')) not valid;
--> statement-breakpoint
-- The subscription whose end the refund belongs to: it is owed once that one has ended.
alter table invoice_refunds
  add column ends_subscription text;
--> statement-breakpoint
-- By the cardholder, whose bank took the money back.
alter table invoices
  add column is_disputed boolean not null default false;
