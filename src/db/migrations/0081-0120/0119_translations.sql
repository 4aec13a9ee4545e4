-- lock: 5s
-- Operators' texts in other languages (decision 070). `subject`: the id of a row, or a name. `source`: the text that it
-- translates, as it was then.
create table translations (
  kind text not null check (length(kind) between 1 and 40),
  subject text not null check (length(subject) between 1 and 200),
  field text not null check (length(field) between 1 and 40),
  language text not null check (language ~ '^[a-z]{2}$'),
  text text not null check (text <> ''),
  source text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (kind, subject, field, language)
);
--> statement-breakpoint
create trigger translations_announce after insert or update or delete or truncate on translations
  for each statement execute function announce_catalogue_change();
--> statement-breakpoint

create function note_search_translated() returns trigger language plpgsql as $$
begin
  insert into search_changes (kind, subject_id)
  select distinct searched.kind, changed.subject::uuid
  from changed join (values ('category', 'categories'), ('tag', 'tags'), ('playlist', 'playlists'), ('series', 'series'))
    as searched (translated, kind) on searched.translated = changed.kind;
  return null;
end $$;
--> statement-breakpoint
create trigger translations_search_added after insert on translations referencing new table as changed
  for each statement execute function note_search_translated();
--> statement-breakpoint
create trigger translations_search_changed after update on translations referencing new table as changed
  for each statement execute function note_search_translated();
--> statement-breakpoint
create trigger translations_search_removed after delete on translations referencing old table as changed
  for each statement execute function note_search_translated();
--> statement-breakpoint

create function delete_translations() returns trigger language plpgsql as $$
begin
  delete from translations where kind = tg_argv[0] and subject in (select id::text from removed);
  return null;
end $$;
--> statement-breakpoint
create trigger categories_translations after delete on categories referencing old table as removed
  for each statement execute function delete_translations('category');
--> statement-breakpoint
create trigger tags_translations after delete on tags referencing old table as removed
  for each statement execute function delete_translations('tag');
--> statement-breakpoint
create trigger playlists_translations after delete on playlists referencing old table as removed
  for each statement execute function delete_translations('playlist');
--> statement-breakpoint
create trigger series_translations after delete on series referencing old table as removed
  for each statement execute function delete_translations('series');
