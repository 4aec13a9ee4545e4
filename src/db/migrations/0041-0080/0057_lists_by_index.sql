-- lock: 5s
-- transaction: none
-- The published and scheduled audios of each category and tag, with the values that lists are sorted by, so that each page
-- of a list is read from one index. Each statement may run again. The version before goes on: triggers keep the tables.

create table if not exists audio_list_keys (
  audio_id uuid not null references audios on delete cascade,
  list_id uuid not null,
  published_at timestamptz(3) not null,
  sort_title text collate "C" not null,
  duration_ms integer not null,
  primary key (audio_id, list_id)
);
--> statement-breakpoint
-- A table of its own, since each play changes it.
create table if not exists audio_list_plays (
  audio_id uuid not null references audios on delete cascade,
  list_id uuid not null,
  plays bigint not null,
  primary key (audio_id, list_id)
);
--> statement-breakpoint
-- Without hash joins, for which the planner reads these tables whole when a tag of many audios changes.
create or replace function put_in_lists(audio_ids uuid[], list_ids uuid[]) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with keys as materialized (
    select a.id as audio_id, l.list_id, a.published_at, a.sort_title, a.duration_ms
    from unnest(audio_ids, list_ids) as l (audio_id, list_id) join audios a on a.id = l.audio_id
    where a.published_at is not null
  ), with_plays as (
    insert into audio_list_plays (audio_id, list_id, plays)
    select k.audio_id, k.list_id, c.plays from keys k join audio_counts c on c.audio_id = k.audio_id
    on conflict do nothing
  )
  insert into audio_list_keys as k select * from keys
  on conflict (audio_id, list_id) do update
    set published_at = excluded.published_at, sort_title = excluded.sort_title, duration_ms = excluded.duration_ms
    where (k.published_at, k.sort_title, k.duration_ms)
      is distinct from (excluded.published_at, excluded.sort_title, excluded.duration_ms);
end $$;
--> statement-breakpoint
create or replace function list_audios(changed uuid[]) returns void language plpgsql as $$
begin
  -- The locks wait for categories and tags that are being removed.
  perform put_in_lists(array_agg(audio_id), array_agg(list_id)) from (
    select * from (
      select audio_id, category_id as list_id from audio_categories where audio_id = any (changed) for key share) by_category
    union all
    select * from (
      select audio_id, tag_id as list_id from audio_tags where audio_id = any (changed) for key share) by_tag) lists;
end $$;
--> statement-breakpoint
create or replace function list_changed_audios() returns trigger language plpgsql as $$
declare
  gone uuid[] := array(select n.id from added n join removed o on o.id = n.id
    where n.published_at is null and o.published_at is not null);
  changed uuid[] := array(select n.id from added n join removed o on o.id = n.id where n.published_at is not null
    and (n.published_at, n.sort_title, n.duration_ms) is distinct from (o.published_at, o.sort_title, o.duration_ms));
begin
  if gone <> '{}' then
    delete from audio_list_keys where audio_id = any (gone);
    delete from audio_list_plays where audio_id = any (gone);
  end if;
  if changed <> '{}' then perform list_audios(changed); end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audios_listed after update on audios
  referencing old table as removed new table as added
  for each statement execute function list_changed_audios();
--> statement-breakpoint

-- The argument of these two is the column of the category or tag.
create or replace function put_added_in_lists() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  -- The locks wait for audios that are being published or renamed.
  perform from audios where id in (select audio_id from added) order by id for share;
  execute format('select put_in_lists(array_agg(audio_id), array_agg(%I)) from added', tg_argv[0]);
  return null;
end $$;
--> statement-breakpoint
create or replace function take_removed_from_lists() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  target text;
begin
  foreach target in array array['audio_list_keys', 'audio_list_plays'] loop
    execute format('delete from %I k using removed r where k.audio_id = r.audio_id and k.list_id = r.%I', target, tg_argv[0]);
  end loop;
  return null;
end $$;
--> statement-breakpoint
do $$
declare
  target text;
  list text;
begin
  for target, list in values ('audio_categories', 'category_id'), ('audio_tags', 'tag_id') loop
    execute format('create or replace trigger %1$s_listed after insert on %1$s referencing new table as added
      for each statement execute function put_added_in_lists(%2$s)', target, list);
    execute format('create or replace trigger %1$s_unlisted after delete on %1$s referencing old table as removed
      for each statement execute function take_removed_from_lists(%2$s)', target, list);
    -- They run in the order of their names.
    execute format('create or replace trigger %1$s_relisted_1 after update on %1$s referencing old table as removed
      for each statement execute function take_removed_from_lists(%2$s)', target, list);
    execute format('create or replace trigger %1$s_relisted_2 after update on %1$s referencing new table as added
      for each statement execute function put_added_in_lists(%2$s)', target, list);
  end loop;
end $$;
--> statement-breakpoint
create or replace function list_plays() returns trigger language plpgsql as $$
begin
  -- A play waits for no audio that is being edited: the next play brings the number up to date.
  with changed as (
    select p.audio_id, p.list_id, n.plays
    from added n join removed o on o.audio_id = n.audio_id join audio_list_plays p on p.audio_id = n.audio_id
    where n.plays <> o.plays
    for no key update of p skip locked
  )
  update audio_list_plays p set plays = c.plays from changed c where p.audio_id = c.audio_id and p.list_id = c.list_id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audio_counts_listed after update on audio_counts
  referencing old table as removed new table as added
  for each statement execute function list_plays();
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
    perform from audios where id = any (batch) order by id for share;
    perform list_audios(batch);
    commit;
    last := batch[array_upper(batch, 1)];
  end loop;
end $$;
--> statement-breakpoint
drop index concurrently if exists audio_list_keys_time_idx;
--> statement-breakpoint
create index concurrently audio_list_keys_time_idx on audio_list_keys (list_id, published_at desc, audio_id desc);
--> statement-breakpoint
drop index concurrently if exists audio_list_keys_title_idx;
--> statement-breakpoint
create index concurrently audio_list_keys_title_idx on audio_list_keys (list_id, sort_title, audio_id);
--> statement-breakpoint
drop index concurrently if exists audio_list_keys_duration_idx;
--> statement-breakpoint
create index concurrently audio_list_keys_duration_idx on audio_list_keys (list_id, duration_ms, audio_id);
--> statement-breakpoint
drop index concurrently if exists audio_list_plays_idx;
--> statement-breakpoint
create index concurrently audio_list_plays_idx on audio_list_plays (list_id, plays desc, audio_id desc);
--> statement-breakpoint
-- The same for the audios of a creator, which are sorted by date and plays already.
drop index concurrently if exists audios_voice_title_idx;
--> statement-breakpoint
create index concurrently audios_voice_title_idx on audios (voice_id, sort_title, id) where published_at is not null;
--> statement-breakpoint
drop index concurrently if exists audios_voice_duration_idx;
--> statement-breakpoint
create index concurrently audios_voice_duration_idx on audios (voice_id, duration_ms, id) where published_at is not null;
