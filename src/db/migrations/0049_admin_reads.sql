-- lock: 5s

-- The log is searched by words of the names it mentions and by verbs of its acts. As sortKey() in the code does it:
-- without accents, punctuation and case.
create function sort_key(name text) returns text language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(regexp_replace(lower(normalize(name, NFKD)), '[\u0300-\u036f]', '', 'g'),
    '[!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u206f]', '', 'g'))
$$;
--> statement-breakpoint
create index audit_entries_words_idx on audit_entries using gin (to_tsvector('simple', sort_key(subject_name)));
--> statement-breakpoint
create index audit_entries_verb_idx on audit_entries (split_part(action, '.', 2), id);
--> statement-breakpoint
-- How many names have a common word: the planner would otherwise read the whole log for the newest ones.
create statistics audit_entries_words on (sort_key(subject_name)) from audit_entries;
