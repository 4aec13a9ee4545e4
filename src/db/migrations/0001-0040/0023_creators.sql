-- lock: 5s
-- What creators do themselves: hide comments and block people, keep their page, its links and address, and their series.

-- Hidden by the creator: only the author and those who manage the voice see it.
alter table comments add column hidden_at timestamptz(3);
--> statement-breakpoint
create index comments_hidden_idx on comments (audio_id, id) where hidden_at is not null;
--> statement-breakpoint

create or replace function tally_added_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(audio_id), array_agg(parent_id),
    array_agg((text is not null and removed_at is null and not is_author_suspended and hidden_at is null)::int)) from added;
  return null;
end $$;
--> statement-breakpoint
create or replace function tally_removed_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(audio_id), array_agg(parent_id),
    array_agg(-(text is not null and removed_at is null and not is_author_suspended and hidden_at is null)::int)) from removed;
  return null;
end $$;
--> statement-breakpoint
create or replace function tally_changed_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(n.audio_id), array_agg(n.parent_id),
    array_agg((n.text is not null and n.removed_at is null and not n.is_author_suspended and n.hidden_at is null)::int
      - (o.text is not null and o.removed_at is null and not o.is_author_suspended and o.hidden_at is null)::int))
  from added n join removed o on o.id = n.id;
  return null;
end $$;
--> statement-breakpoint

-- Who may not comment under a voice's audios.
create table voice_blocks (
  voice_id uuid not null references voices (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- Null: an operator on the command line, or an account that was deleted.
  blocked_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (voice_id, user_id)
);
--> statement-breakpoint
create index voice_blocks_latest_idx on voice_blocks (voice_id, created_at, user_id);
--> statement-breakpoint
create index voice_blocks_user_idx on voice_blocks (user_id);
--> statement-breakpoint
create index voice_blocks_by_idx on voice_blocks (blocked_by) where blocked_by is not null;
--> statement-breakpoint

-- `[{ label, url }]`, in their order on the creator's page.
alter table voices add column links jsonb not null default '[]'
  check (jsonb_typeof(links) = 'array' and jsonb_array_length(links) <= 5);
--> statement-breakpoint

-- Addresses of a creator's page that go on to the one it has now; none of these is the slug of a voice now.
create table former_voice_slugs (
  slug slug primary key,
  voice_id uuid not null references voices (id) on delete cascade
);
--> statement-breakpoint
create index former_voice_slugs_voice_idx on former_voice_slugs (voice_id);
--> statement-breakpoint
create function keep_former_voice_slug() returns trigger language plpgsql as $$
begin
  delete from former_voice_slugs where slug = new.slug;
  if tg_op = 'UPDATE' then
    insert into former_voice_slugs (slug, voice_id) values (old.slug, new.id)
    on conflict (slug) do update set voice_id = excluded.voice_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger voices_slug_taken after insert on voices for each row execute function keep_former_voice_slug();
--> statement-breakpoint
create trigger voices_slug_changed after update of slug on voices for each row
  when (old.slug is distinct from new.slug) execute function keep_former_voice_slug();
--> statement-breakpoint

-- Series that can be brought back for 30 days. They stand apart, so that no query of series has to leave them out.
create table deleted_series (
  id uuid primary key,
  voice_id uuid not null references voices (id) on delete cascade,
  title text not null,
  image_key text,
  -- `DeletedContent`: the other columns, the audios in their order, and the voices whose links led to it.
  content jsonb not null,
  deleted_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index deleted_series_voice_idx on deleted_series (voice_id, deleted_at);
--> statement-breakpoint
create index deleted_series_due_idx on deleted_series (deleted_at);
--> statement-breakpoint
create index deleted_series_image_idx on deleted_series (image_key) where image_key is not null;
