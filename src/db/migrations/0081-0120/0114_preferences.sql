-- lock: 5s
-- transaction: none
-- Sign-in methods are known to the code alone, so that a provider needs no migration.
alter table provider_sessions drop constraint if exists provider_sessions_sign_in_method_check;
--> statement-breakpoint

-- Settings of a listener's account are one object, so that a new one needs no column. Each statement may run again. The
-- version before goes on: a trigger keeps its column and the object alike. The next release drops column and trigger.
alter table users add column if not exists preferences jsonb not null default '{}';
--> statement-breakpoint
create or replace function keep_discreet() returns trigger language plpgsql as $$
begin
  if new.preferences is distinct from old.preferences then
    new.is_discreet := (new.preferences ->> 'isDiscreet')::boolean;
  else
    new.preferences := new.preferences || jsonb_build_object('isDiscreet', new.is_discreet);
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger users_keep_discreet before update of is_discreet, preferences on users
  for each row execute function keep_discreet();
--> statement-breakpoint

-- In batches, so that no change of a user waits long for its row.
do $$
declare
  batch uuid[];
  last uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    batch := array(select id from users where id > last and is_discreet is not null order by id limit 5000 for no key update);
    exit when batch = '{}';
    update users set preferences = preferences || jsonb_build_object('isDiscreet', is_discreet)
      where id = any (batch) and not preferences ? 'isDiscreet';
    commit;
    last := batch[array_upper(batch, 1)];
  end loop;
end $$;
