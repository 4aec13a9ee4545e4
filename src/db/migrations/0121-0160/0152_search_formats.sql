-- lock: 5s
-- The format of an index's documents: of an older one, it is built anew. The version before does not write it.
alter table search_feeds add column format integer not null default 0;
--> statement-breakpoint
update search_feeds set format = 1 where not exists (select from audios);
--> statement-breakpoint

-- Documents have the names of tags, but not their facets and places there: a tag that moves is no news.
create function note_search_changed_tags() returns trigger language plpgsql as $$
begin
  insert into search_changes (kind, subject_id)
  select 'tags', id from (select id, slug, label from added except select id, slug, label from removed) different;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger tags_search_changed after update on tags referencing old table as removed new table as added
  for each statement execute function note_search_changed_tags();
