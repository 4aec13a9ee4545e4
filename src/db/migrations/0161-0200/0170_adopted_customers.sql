-- lock: 5s
-- Since when a customer of another site is one of this site: what they were charged before is not this site's sale.
alter table payment_customers add column adopted_at timestamptz(3);
