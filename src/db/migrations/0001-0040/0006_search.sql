-- Search: what changed since an index was last read, the words of transcripts, and what listeners searched for.

-- Which rows an index has to read again. A reader remembers its snapshot and asks for what was not visible in it, so that
-- a transaction that commits late is never missed. Rows go after some days: who was away for longer reads everything.
create table search_changes (
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('audios', 'voices', 'categories', 'tags', 'series', 'playlists', 'users', 'user_playlists')),
  subject_id uuid not null,
  changed_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index search_changes_xid_idx on search_changes (xid);
--> statement-breakpoint
create index search_changes_time_idx on search_changes (changed_at);
--> statement-breakpoint
-- How far an index outside of the database has been brought, and which process is at it.
create table search_feeds (
  name text primary key check (length(name) between 1 and 100),
  snapshot text not null,
  read_at timestamptz(3) not null,
  rebuilt_at timestamptz(3) not null,
  holder uuid,
  held_until timestamptz(3) not null default now()
);
--> statement-breakpoint

-- Arguments: the kind, and the column that names the subject.
create function note_search_added() returns trigger language plpgsql as $$
begin
  execute format('insert into search_changes (kind, subject_id) select distinct %L, %I from added', tg_argv[0], tg_argv[1]);
  return null;
end $$;
--> statement-breakpoint
create function note_search_removed() returns trigger language plpgsql as $$
begin
  execute format('insert into search_changes (kind, subject_id) select distinct %L, %I from removed', tg_argv[0], tg_argv[1]);
  return null;
end $$;
--> statement-breakpoint
create function note_search_changed() returns trigger language plpgsql as $$
begin
  execute format('insert into search_changes (kind, subject_id) select %1$L, %2$I from added union select %1$L, %2$I from removed', tg_argv[0], tg_argv[1]);
  return null;
end $$;
--> statement-breakpoint
do $$
declare watched record;
begin
  for watched in select * from (values
    ('audios', 'audios', 'id'), ('audio_categories', 'audios', 'audio_id'), ('audio_tags', 'audios', 'audio_id'),
    ('voices', 'voices', 'id'), ('categories', 'categories', 'id'), ('tags', 'tags', 'id'),
    ('series', 'series', 'id'), ('series_items', 'series', 'series_id'),
    ('playlists', 'playlists', 'id'), ('playlist_items', 'playlists', 'playlist_id')) as t (name, kind, subject) loop
    execute format('create trigger %I after insert on %I referencing new table as added for each statement execute function note_search_added(%L, %L)',
      watched.name || '_search_added', watched.name, watched.kind, watched.subject);
    execute format('create trigger %I after delete on %I referencing old table as removed for each statement execute function note_search_removed(%L, %L)',
      watched.name || '_search_removed', watched.name, watched.kind, watched.subject);
    execute format('create trigger %I after update on %I referencing old table as removed new table as added for each statement execute function note_search_changed(%L, %L)',
      watched.name || '_search_changed', watched.name, watched.kind, watched.subject);
  end loop;
end $$;
--> statement-breakpoint

-- Of listeners only what others can find: registrations, and lists that only moved in time, are no news. They and their
-- lists are named by a digest, so that nothing of them is left here after they are gone.
create function search_key(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select left(encode(sha256(uuid_send(id)), 'hex'), 32)::uuid
$$;
--> statement-breakpoint
create index users_search_key_idx on users (search_key(id));
--> statement-breakpoint
create index user_playlists_search_key_idx on user_playlists (search_key(id));
--> statement-breakpoint
create function note_search_user() returns trigger language plpgsql as $$
begin
  insert into search_changes (kind, subject_id) values ('users', search_key(old.id));
  return null;
end $$;
--> statement-breakpoint
create trigger users_search_changed after delete or update of username, icon, color, suspended_at on users
  for each row execute function note_search_user();
--> statement-breakpoint
create function note_search_user_playlist() returns trigger language plpgsql as $$
begin
  insert into search_changes (kind, subject_id)
  select distinct t.kind, search_key(t.id) from (values
    ('user_playlists', new.id), ('users', new.user_id), ('user_playlists', old.id), ('users', old.user_id)) as t (kind, id)
  where t.id is not null;
  return null;
end $$;
--> statement-breakpoint
create trigger user_playlists_search_added after insert on user_playlists for each row
  when (new.is_public) execute function note_search_user_playlist();
--> statement-breakpoint
create trigger user_playlists_search_removed after delete on user_playlists for each row
  when (old.is_public) execute function note_search_user_playlist();
--> statement-breakpoint
create trigger user_playlists_search_changed after update on user_playlists for each row
  when ((old.is_public or new.is_public) and to_jsonb(old) - 'updated_at' is distinct from to_jsonb(new) - 'updated_at')
  execute function note_search_user_playlist();
--> statement-breakpoint

-- As the site folds words: without case, accents and apostrophes.
create function search_text(written text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    regexp_replace(lower(regexp_replace(normalize(written, NFKD), U&'[\0300-\036F]', '', 'g')), U&'[''\2019]', '', 'g'),
    '[^[:alnum:]]+', ' ', 'g')
$$;
--> statement-breakpoint
-- Named with its schema, since indexes are built without a search path; dear, so that no plan works it out row by row, and
-- not for parallel plans, which cost more than they bring. A tsvector holds a megabyte: of the longest transcripts the first seven hours or so are found.
create function transcript_words(cues jsonb) returns tsvector language plpgsql immutable cost 10000 as $$
begin
  return to_tsvector('simple', left(public.search_text((select string_agg(cue ->> 'text', ' ') from jsonb_array_elements(cues) cue)), 400000));
end $$;
--> statement-breakpoint
create index transcripts_words_idx on transcripts using gin (transcript_words(cues));
--> statement-breakpoint

-- The last terms of a listener; `key` is what makes two spellings one.
create table recent_searches (
  user_id uuid not null references users (id) on delete cascade,
  key text not null check (length(key) <= 400),
  term text not null check (length(term) between 1 and 100),
  searched_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);
