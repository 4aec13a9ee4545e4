-- Deleting an audio can be undone for 30 days. Meanwhile its published_at is null, so that every query that shows only what
-- is out hides it; undoing gives the date back.
alter table audios
  add column deleted_at timestamptz(3),
  add column published_at_deletion timestamptz(3),
  add constraint audios_deleted_is_hidden check (deleted_at is null or published_at is null);
--> statement-breakpoint
create index audios_deleted_idx on audios (deleted_at) where deleted_at is not null;
--> statement-breakpoint

-- Slugs that audios had before, so that links to them still lead there. A slug that another audio takes is that one's.
create table former_slugs (
  slug slug primary key,
  audio_id uuid not null references audios (id) on delete cascade
);
--> statement-breakpoint
create index former_slugs_audio_idx on former_slugs (audio_id);
--> statement-breakpoint
create function keep_former_slug() returns trigger language plpgsql as $$
begin
  delete from former_slugs where slug = new.slug;
  if tg_op = 'UPDATE' then
    insert into former_slugs (slug, audio_id) values (old.slug, new.id)
    on conflict (slug) do update set audio_id = excluded.audio_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger audios_slug_taken after insert on audios for each row execute function keep_former_slug();
--> statement-breakpoint
create trigger audios_slug_changed after update of slug on audios for each row
  when (old.slug is distinct from new.slug) execute function keep_former_slug();
