-- lock: 5s
-- transaction: none
-- A creator's newest audios with whether they are free, so that the free ones, as in the creator's feed, are found without
-- reading the rows of the others.

drop index concurrently if exists audios_voice_recent_idx;
--> statement-breakpoint
create index concurrently audios_voice_recent_idx on audios (voice_id, published_at desc, id desc) include (is_free)
  where published_at is not null;
--> statement-breakpoint
drop index concurrently if exists audios_voice_idx;
