-- lock: 5s
-- Adding up a million recordings takes a second: the job that fills the days does it, and not each look at the overview.
alter table site_days add column audios integer not null default 0, add column file_bytes bigint not null default 0;
--> statement-breakpoint

-- Filters of Admin that leave few rows, in the order of their table.
create index audit_entries_operator_idx on audit_entries (id) where actor_role = 'operator';
--> statement-breakpoint
create index audit_entries_actor_area_idx on audit_entries (actor_id, split_part(action, '.', 1), id) where actor_id is not null;
--> statement-breakpoint
create index gift_cards_sent_idx on gift_cards (id) where sent_at is not null and redeemed_at is null and refunded_at is null;
--> statement-breakpoint

-- With the ids, so that a creator's audios are intersected with others without reading their rows.
create index audios_voice_ids_idx on audios (voice_id, id);
