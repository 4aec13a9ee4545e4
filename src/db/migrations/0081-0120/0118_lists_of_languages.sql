-- lock: 5s
-- transaction: none
-- The audios of each language are one more list in `audio_list_keys`, for listeners who have chosen languages. Each
-- statement may run again. The version before goes on: triggers keep the lists, which it does not read.

-- `pt-BR` is in the list of `pt`.
create or replace function language_list(language text) returns uuid language sql immutable strict parallel safe as $$
  select md5('language ' || split_part(language, '-', 1))::uuid
$$;
--> statement-breakpoint
create or replace function list_audios(changed uuid[]) returns void language plpgsql as $$
begin
  -- The locks wait for categories and tags that are being removed.
  perform put_in_lists(array_agg(audio_id), array_agg(list_id)) from (
    select * from (
      select audio_id, category_id as list_id from audio_categories where audio_id = any (changed) for key share) by_category
    union all
    select * from (
      select audio_id, tag_id as list_id from audio_tags where audio_id = any (changed) for key share) by_tag
    union all
    select id, language_list(language) from audios where id = any (changed)) lists;
end $$;
--> statement-breakpoint
create or replace function list_changed_audios() returns trigger language plpgsql as $$
declare
  gone uuid[] := array(
    select id from added where published_at is null intersect select id from removed where published_at is not null);
  changed uuid[] := array(select id from (
    select id, published_at, sort_title, duration_ms, language_list(language) from added where published_at is not null
    except select id, published_at, sort_title, duration_ms, language_list(language) from removed) different);
  other_ids uuid[];
  other_lists uuid[];
begin
  if gone <> '{}' then
    delete from audio_list_keys where audio_id = any (gone);
    delete from audio_list_plays where audio_id = any (gone);
  end if;
  if changed <> '{}' then
    select array_agg(id), array_agg(list_id) into other_ids, other_lists from (
      select id, language_list(language) as list_id from removed except select id, language_list(language) from added) other;
    if other_ids is not null then
      delete from audio_list_keys k using unnest(other_ids, other_lists) o (id, list_id) where k.audio_id = o.id and k.list_id = o.list_id;
      delete from audio_list_plays k using unnest(other_ids, other_lists) o (id, list_id) where k.audio_id = o.id and k.list_id = o.list_id;
    end if;
    perform list_audios(changed);
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function list_added_audios() returns trigger language plpgsql as $$
begin
  perform put_in_lists(array_agg(id), array_agg(language_list(language))) from added where published_at is not null;
  return null;
end $$;
--> statement-breakpoint
-- After `audios_counts`: triggers run in the order of their names.
create or replace trigger audios_listed_first after insert on audios referencing new table as added
  for each statement execute function list_added_audios();
--> statement-breakpoint
create or replace function unlist_removed_audios() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(select id from removed);
begin
  delete from audio_list_keys where audio_id = any (ids);
  delete from audio_list_plays where audio_id = any (ids);
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audios_unlisted after delete on audios referencing old table as removed
  for each statement execute function unlist_removed_audios();
--> statement-breakpoint

-- As in 0091: rows are found by index only.
do $$
declare
  function regprocedure;
  setting text;
begin
  foreach function in array array[
    'list_audios(uuid[])', 'list_changed_audios()', 'list_added_audios()', 'unlist_removed_audios()']::regprocedure[]
  loop
    foreach setting in array array[
      'enable_seqscan = off', 'enable_hashjoin = off', 'enable_mergejoin = off', 'plan_cache_mode = force_generic_plan']
    loop
      execute format('alter function %s set %s', function, setting);
    end loop;
  end loop;
end $$;
--> statement-breakpoint

-- In batches, so that nobody waits long for an audio.
do $$
declare
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    batch := array(select id from audios where id > last order by id limit 2000);
    exit when batch = '{}';
    perform put_in_lists(array_agg(id), array_agg(language_list(language)))
    from (select id, language from audios where id = any (batch) order by id for share) listed;
    commit;
    last := batch[array_upper(batch, 1)];
  end loop;
end $$;
--> statement-breakpoint

-- The same sums for each language, by its primary subtag.
alter table catalogue_totals add column if not exists languages jsonb not null default '{}';
--> statement-breakpoint
-- Documents of audios do not name their language yet.
update search_feeds set rebuilt_at = 'epoch' where exists (select from audios);
