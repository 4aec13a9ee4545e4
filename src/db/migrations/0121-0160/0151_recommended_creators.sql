-- lock: 5s
-- Creators whom a creator recommends, in order. Not a table: they are read with the page, whose form saves them.
alter table voices
  add column recommended_ids uuid[] not null default '{}',
  add constraint voices_recommended_check check (cardinality(recommended_ids) <= 5) not valid;
