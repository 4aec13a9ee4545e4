-- lock: 5s
-- The money of each day in other currencies than that of `site_days`, which the former version writes too.
create table site_day_money (
  day date not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  monthly_revenue bigint not null,
  past_due_amount bigint not null,
  monthly_payments integer not null,
  monthly_income bigint not null,
  yearly_payments integer not null,
  yearly_income bigint not null,
  gift_cards integer not null,
  gift_income bigint not null,
  refunds integer not null,
  refunded bigint not null,
  primary key (day, currency)
);
