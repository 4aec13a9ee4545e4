-- lock: 5s
-- transaction: none
-- The letters that `fold` in words.ts spells plainly, so that words with them are found in transcripts. The rebuild takes
-- about a minute for 10,000 transcripts of ten minutes; the site reads and writes meanwhile.

drop index concurrently if exists transcripts_words_idx_ccnew;
--> statement-breakpoint
drop index concurrently if exists transcripts_words_idx_ccold;
--> statement-breakpoint
create or replace function search_text(written text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    regexp_replace(
      replace(replace(replace(replace(
        translate(lower(regexp_replace(normalize(written, NFKD), U&'[\0300-\036F]', '', 'g')), 'øđðłħı', 'oddlhi'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      U&'[''\2019]', '', 'g'),
    '[^[:alnum:]]+', ' ', 'g')
$$;
--> statement-breakpoint
reindex index concurrently transcripts_words_idx;
