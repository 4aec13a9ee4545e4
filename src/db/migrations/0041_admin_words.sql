-- lock: 5s
-- Words of names in the operators' tables, as audios and series have them since 0028.

create index voices_words_idx on voices using gin (to_tsvector('simple', sort_name));
--> statement-breakpoint
create index articles_words_idx on articles using gin (to_tsvector('simple', sort_title));
--> statement-breakpoint
create index tags_words_idx on tags using gin (to_tsvector('simple', replace(slug, '-', ' ')));
