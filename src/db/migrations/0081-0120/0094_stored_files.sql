-- lock: 5s
-- transaction: none
-- Each stored file has a row, from before it is written until after it is removed. Triggers keep its state, so that also
-- the version before, a cascade and a statement by hand count. Each statement may run again.

create table if not exists stored_files (
  key text collate "C" primary key,
  kind text not null generated always as (split_part(key, '/', 1)) stored,
  -- `unused`: a row stopped naming it; another one may still do so, which is checked before it is removed.
  state text not null check (state in ('arriving', 'kept', 'unused', 'removing')),
  since timestamptz(3) not null default now()
);
--> statement-breakpoint
create index if not exists stored_files_due_idx on stored_files (since) where state <> 'kept';
--> statement-breakpoint
-- The arguments are the table's columns with keys. Dynamic statements are planned for the rows that changed.
create or replace function note_named_files() returns trigger language plpgsql as $$
declare
  keys text := (select string_agg(format('(t.%I)', name), ', ') from unnest(tg_argv) name);
  listed text := 'select f.key from %s t cross join lateral (values ' || keys || ') f (key) where f.key is not null';
  added text := format(listed, 'added');
  removed text := format(listed, 'removed');
  named text[] := '{}';
  unnamed text[] := '{}';
begin
  if tg_op = 'UPDATE' then
    execute format('select array(%s except %s), array(%s except %s)', added, removed, removed, added) into named, unnamed;
  elsif tg_op = 'INSERT' then
    execute format('select array(select distinct key from (%s) all_keys)', added) into named;
  else
    execute format('select array(select distinct key from (%s) all_keys)', removed) into unnamed;
  end if;
  if named <> '{}' then
    -- A kept one is not touched, so that nobody waits for others who name the same file.
    insert into stored_files as f (key, state) select n.key, 'kept' from unnest(named) n (key)
    where not exists (select from stored_files s where s.key = n.key and s.state = 'kept') order by n.key collate "C"
    on conflict (key) do update set state = 'kept', since = now() where f.state in ('arriving', 'unused');
    if exists (select from stored_files where key = any (named) and state = 'removing') then
      raise exception 'A file is being removed' using errcode = 'serialization_failure';
    end if;
  end if;
  if unnamed <> '{}' then
    -- Locked in one order, so that two statements do not wait for each other.
    with known as (select key from stored_files where key = any (unnamed) order by key for no key update)
    update stored_files f set state = 'unused', since = now() from known k where f.key = k.key and f.state <> 'removing';
    insert into stored_files as f (key, state) select n.key, 'unused' from unnest(unnamed) n (key)
    where not exists (select from stored_files s where s.key = n.key) order by n.key collate "C"
    on conflict (key) do update set state = 'unused', since = now() where f.state <> 'removing';
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function note_files_of(named_table text, variadic columns text[]) returns void language plpgsql as $$
declare
  arguments text := (select string_agg(quote_literal(name), ', ') from unnest(columns) name);
begin
  execute format('create or replace trigger %I after insert on %I referencing new table as added
    for each statement execute function note_named_files(%s)', named_table || '_files_added', named_table, arguments);
  execute format('create or replace trigger %I after update on %I referencing old table as removed new table as added
    for each statement execute function note_named_files(%s)', named_table || '_files_changed', named_table, arguments);
  execute format('create or replace trigger %I after delete on %I referencing old table as removed
    for each statement execute function note_named_files(%s)', named_table || '_files_removed', named_table, arguments);
end $$;
--> statement-breakpoint
select note_files_of('audios', 'file_key', 'image_key');
--> statement-breakpoint
select note_files_of('voices', 'image_key');
--> statement-breakpoint
select note_files_of('categories', 'image_key');
--> statement-breakpoint
select note_files_of('series', 'image_key');
--> statement-breakpoint
select note_files_of('playlists', 'image_key');
--> statement-breakpoint
select note_files_of('deleted_series', 'image_key');
--> statement-breakpoint
select note_files_of('articles', 'image_key', 'picture_key');
--> statement-breakpoint
select note_files_of('recordings', 'file_key', 'original_key', 'small_key');
--> statement-breakpoint
select note_files_of('uploads', 'original_key');
--> statement-breakpoint
select note_files_of('audio_drafts', 'image_key', 'source_key');
--> statement-breakpoint
select note_files_of('look_files', 'file_key');
