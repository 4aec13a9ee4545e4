-- lock: 5s
-- transaction: none
-- Rows for the files that were there before `stored_files`, and the indexes that tell before a removal whether something
-- names a file. Each statement may run again.

drop index concurrently if exists audios_file_idx;
--> statement-breakpoint
create index concurrently audios_file_idx on audios (file_key);
--> statement-breakpoint
drop index concurrently if exists audios_image_idx;
--> statement-breakpoint
create index concurrently audios_image_idx on audios (image_key) where image_key is not null;
--> statement-breakpoint
drop index concurrently if exists recordings_file_idx;
--> statement-breakpoint
create index concurrently recordings_file_idx on recordings (file_key);
--> statement-breakpoint
do $$
declare
  source record;
  batch uuid[];
  last uuid;
begin
  for source in select * from (values
    ('audios', 'id', '(t.file_key), (t.image_key)'),
    ('voices', 'id', '(t.image_key)'),
    ('categories', 'id', '(t.image_key)'),
    ('series', 'id', '(t.image_key)'),
    ('playlists', 'id', '(t.image_key)'),
    ('deleted_series', 'id', '(t.image_key)'),
    ('articles', 'id', '(t.image_key), (t.picture_key)'),
    ('recordings', 'audio_id', '(t.file_key), (t.original_key), (t.small_key)'),
    ('uploads', 'id', '(t.original_key)'),
    ('audio_drafts', 'audio_id', '(t.image_key), (t.source_key)')) named (tab, id, keys)
  loop
    last := '00000000-0000-0000-0000-000000000000';
    loop
      execute format('select array(select %I from %I where %1$I > $1 order by 1 limit 5000)', source.id, source.tab)
        using last into batch;
      exit when batch = '{}';
      execute format('insert into stored_files (key, state)
        select distinct f.key, ''kept'' from %I t cross join lateral (values %s) f (key)
        where t.%I = any ($1) and f.key is not null order by 1 on conflict do nothing', source.tab, source.keys, source.id)
        using batch;
      commit;
      last := batch[array_upper(batch, 1)];
    end loop;
  end loop;
  insert into stored_files (key, state) select file_key, 'kept' from look_files on conflict do nothing;
end $$;
