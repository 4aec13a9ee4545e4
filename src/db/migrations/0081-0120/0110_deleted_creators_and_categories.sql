-- lock: 5s
-- Deleting a creator or a category can be undone for 30 days. Meanwhile it is hidden, so that every query that shows only
-- what is not hidden leaves it out, with a creator's audios; undoing gives back whether it was hidden before.
alter table voices
  add column deleted_at timestamptz(3),
  add column hidden_at_deletion timestamptz(3),
  add constraint voices_deleted_is_hidden check (deleted_at is null or hidden_at is not null) not valid;
--> statement-breakpoint
alter table categories
  add column deleted_at timestamptz(3),
  add column hidden_at_deletion timestamptz(3),
  add constraint categories_deleted_is_hidden check (deleted_at is null or hidden_at is not null) not valid;
--> statement-breakpoint
create index voices_deleted_idx on voices (deleted_at) where deleted_at is not null;
--> statement-breakpoint
create index categories_deleted_idx on categories (deleted_at) where deleted_at is not null;
