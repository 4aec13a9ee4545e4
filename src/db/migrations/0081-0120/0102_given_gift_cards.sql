-- lock: 5s
-- Operators make gift cards too: nothing is paid for them.
alter table gift_cards drop constraint gift_cards_amount_check;
--> statement-breakpoint
alter table gift_cards add check (amount >= 0);
