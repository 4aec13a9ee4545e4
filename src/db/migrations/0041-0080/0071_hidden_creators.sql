-- lock: 5s
-- An audio that was published while its creator was being hidden ended public. Publishing now waits for the creator's row.
-- Acts that publish lock the creator before the audio, as hiding does.

create or replace function hold_back_hidden() returns trigger language plpgsql as $$
declare
  is_hidden boolean;
begin
  -- Nothing of it can be public, so unpublishing and deleting wait for nobody.
  if new.deleted_at is not null or coalesce(new.published_at, new.published_while_hidden) is null then return new; end if;
  select hidden_at is not null into is_hidden from voices where id = new.voice_id for share;
  if is_hidden then
    new.published_while_hidden := coalesce(new.published_at, new.published_while_hidden);
    new.published_at := null;
  elsif new.published_while_hidden is not null then
    new.published_at := coalesce(new.published_at, new.published_while_hidden);
    new.published_while_hidden := null;
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace function hide_audios_of_voice() returns trigger language plpgsql as $$
begin
  -- In the order of acts on several audios, against deadlocks.
  perform from audios where voice_id = new.id and (published_at is not null or published_while_hidden is not null)
    order by id for no key update;
  update audios set published_at = published_at where voice_id = new.id
    and (published_at is not null or published_while_hidden is not null);
  return null;
end $$;
--> statement-breakpoint
-- Those that slipped through.
update audios set published_at = published_at where published_at is not null
  and voice_id in (select id from voices where hidden_at is not null);
