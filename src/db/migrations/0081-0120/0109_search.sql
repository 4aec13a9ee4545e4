-- lock: 5s
-- Rebuilds of the search index that are asked for or run, so that a second one at once is refused in every process.
create table search_rebuilds (
  holder uuid primary key,
  held_until timestamptz(3) not null
);
--> statement-breakpoint

-- Search finds free audios only on demand, and the preview is free: indices read both audios again when it changes.
create function note_search_preview() returns trigger language plpgsql as $$
begin
  insert into search_changes (kind, subject_id)
  select distinct 'audios', id from unnest(array[old.value ->> 'audioId', new.value ->> 'audioId']::uuid[]) id where id is not null;
  return null;
end $$;
--> statement-breakpoint
create trigger site_settings_search_preview after insert or update on site_settings for each row
  when (new.key = 'preview') execute function note_search_preview();
--> statement-breakpoint
-- Their records have no such field yet.
update search_feeds set rebuilt_at = 'epoch';
