-- lock: 5s
-- Also when the creator shows a held reply after the days in which it waited. Who was told already is not told again.
create or replace function note_shown_replies() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from removed where (waits_for_creator or held_for is not null) and hidden_at is not null
    intersect select id from added where hidden_at is null and parent_id is not null and user_id is not null);
begin
  if ids <> '{}' then perform note_replies(ids); end if;
  return null;
end $$;
