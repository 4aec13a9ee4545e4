-- lock: 5s
alter table tax_documents
  add column subject text not null default 'payment',
  add column gift_card_id uuid;
--> statement-breakpoint
alter table tax_documents
  add constraint tax_documents_subject check (subject in ('payment', 'voucher', 'redemption')) not valid;
--> statement-breakpoint
create unique index tax_documents_gift_card on tax_documents (gift_card_id, subject, kind)
  where gift_card_id is not null;
--> statement-breakpoint
create index tax_documents_voucher_email on tax_documents ((buyer ->> 'email')) where subject = 'voucher';
--> statement-breakpoint
alter table gift_cards
  add column awaits_sale_document boolean not null default false,
  add column awaits_redemption_document boolean not null default false,
  add column awaits_refund_document boolean not null default false;
--> statement-breakpoint
create index gift_cards_awaiting_document on gift_cards (id)
  where (payment_id is not null and awaits_sale_document and paid_at is not null)
    or (payment_id is not null and awaits_redemption_document and redeemed_at is not null)
    or (payment_id is not null and awaits_refund_document and coalesce(refunded_at, paid_back_at) is not null);
--> statement-breakpoint
alter table invoices
  add column charged_back integer not null default 0,
  add column charged_back_at timestamptz(3),
  add column awaits_charge_back boolean not null default true;
--> statement-breakpoint
create index invoices_awaiting_charge_back on invoices (id) where awaits_charge_back and charged_back_at is not null;
