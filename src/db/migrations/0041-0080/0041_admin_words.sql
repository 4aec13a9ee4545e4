-- lock: 5s
-- Words of names in the operators' tables, as audios and series have them since 0028.

create index voices_words_idx on voices using gin (to_tsvector('simple', sort_name));
--> statement-breakpoint
create index articles_words_idx on articles using gin (to_tsvector('simple', sort_title));
--> statement-breakpoint
create index tags_words_idx on tags using gin (to_tsvector('simple', replace(slug, '-', ' ')));
--> statement-breakpoint

-- Filters that leave few rows, in the order of their table.
create index voices_hidden_idx on voices (sort_name, id) where hidden_at is not null;
--> statement-breakpoint
create index series_hidden_idx on series (sort_title, id) where hidden_at is not null;
--> statement-breakpoint
create index articles_topic_idx on articles (topic, updated_at desc, id desc);
