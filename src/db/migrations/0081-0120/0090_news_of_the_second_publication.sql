-- lock: 5s
-- An audio that was unpublished before anybody was told of it is told when it is published again, although that gives it
-- back its first date. Its row stays meanwhile and is due when it is public.

create or replace function note_publication() returns trigger language plpgsql as $$
begin
  if new.published_at > now() - interval '1 day' then
    -- Once an audio was told, the row stays, and a further publication changes nothing.
    insert into news_batches as b (audio_id, due_at) values (new.id, new.published_at)
    on conflict (audio_id) do update set due_at = excluded.due_at where b.started_at is null;
  else
    -- What was published for longer, such as an imported catalogue, has no row and is no news.
    update news_batches set due_at = now() where audio_id = new.id and started_at is null;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger audios_news_published after update of published_at on audios for each row
  when (new.published_at is distinct from old.published_at and new.published_at is not null
    and (old.published_at is null or old.published_at > now()))
  execute function note_publication();
