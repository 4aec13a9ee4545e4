-- lock: 5s
-- The last report of a comment that was withdrawn while another listener reported it took the comment out of the queue. The
-- reports are now read after the comment is locked.

create or replace function keep_reported_at() returns trigger language plpgsql as $$
declare
  id_of uuid := case tg_op when 'DELETE' then old.comment_id else new.comment_id end;
begin
  perform from comments where id = id_of for no key update;
  update comments c set reported_at = oldest.at
  from (select min(created_at) as at from comment_reports where comment_id = id_of and settled_at is null) oldest
  where c.id = id_of and c.reported_at is distinct from oldest.at;
  return null;
end $$;
