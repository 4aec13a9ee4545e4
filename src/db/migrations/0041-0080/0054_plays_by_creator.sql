-- lock: 5s
-- transaction: none
-- The creator is kept beside the plays of an audio, so that the most played audios of a creator are read from one index.
-- Each statement may run again. The version before goes on: the triggers fill the column for it.

alter table audio_counts add column if not exists voice_id uuid;
--> statement-breakpoint
create or replace function create_audio_counts() returns trigger language plpgsql as $$
begin
  insert into audio_counts (audio_id, voice_id) values (new.id, new.voice_id)
  on conflict (audio_id) do update set voice_id = excluded.voice_id;
  return null;
end $$;
--> statement-breakpoint
create or replace function move_audio_counts() returns trigger language plpgsql as $$
begin
  update audio_counts set voice_id = new.voice_id where audio_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audios_counts_moved after update of voice_id on audios
  for each row when (old.voice_id <> new.voice_id) execute function move_audio_counts();
--> statement-breakpoint

-- In batches, so that no play waits long for its row. Rows are locked in the order in which plays are added.
do $$
declare
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    batch := array(select audio_id from audio_counts where audio_id > last order by audio_id limit 5000 for no key update);
    exit when batch = '{}';
    update audio_counts c set voice_id = a.voice_id from audios a
      where a.id = c.audio_id and c.audio_id = any (batch) and c.voice_id is distinct from a.voice_id;
    commit;
    last := batch[array_upper(batch, 1)];
  end loop;
end $$;
--> statement-breakpoint
drop index concurrently if exists audio_counts_voice_idx;
--> statement-breakpoint
create index concurrently audio_counts_voice_idx on audio_counts (voice_id, plays desc, audio_id desc);
