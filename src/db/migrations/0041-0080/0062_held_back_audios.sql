-- lock: 5s
-- transaction: none
-- The audios of hidden voices that showing the voice publishes again, counted and listed as published or scheduled.

drop index concurrently if exists audios_held_back_idx;
--> statement-breakpoint
create index concurrently audios_held_back_idx on audios (published_while_hidden)
  where published_while_hidden is not null;
