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
--> statement-breakpoint

-- A reply that waits for the creator is news once it is shown, not when it is written and nobody sees it.
create or replace trigger comments_news after insert on comments for each row
  when (new.parent_id is not null and new.user_id is not null and not (new.waits_for_creator and new.hidden_at is not null))
  execute function note_reply();
--> statement-breakpoint
create trigger comments_news_shown after update of hidden_at on comments for each row
  when (old.waits_for_creator and old.hidden_at is not null and new.hidden_at is null
    and new.parent_id is not null and new.user_id is not null)
  execute function note_reply();
--> statement-breakpoint

-- Where people signed up, without saying who. Accounts of the command line have no source.
create table sign_up_days (
  -- UTC
  day date not null,
  source text not null check (source in ('prompt', 'home', 'paid-link', 'gift-card', 'shared-link', 'page')),
  users integer not null check (users > 0),
  primary key (day, source)
);
