-- lock: 5s
-- intarray intersects arrays several times faster than SQL. Its own schema is not in the search path, because its
-- operators hide those that the index of `search_documents.entries` knows. An operator may have installed it elsewhere.
do $$ begin
  if not exists (select from pg_extension where extname = 'intarray') then
    create schema if not exists integer_arrays;
    create extension intarray schema integer_arrays;
  end if;
  execute format(
    'create function shared_codes(integer[], integer[]) returns integer[] language sql immutable as %L',
    format('select $1 operator(%I.&) $2', (select extnamespace::regnamespace::text from pg_extension where extname = 'intarray')));
end $$;
--> statement-breakpoint

create or replace function search_condition(alternatives jsonb) returns text language sql immutable as $$
  select '(' || string_agg((
    select '(' || string_agg(format('entries operator(pg_catalog.&&) %L::integer[]', list), ' and ') || ')'
    from jsonb_array_elements_text(lists) list
  ), ' or ') || ') and not entries operator(pg_catalog.&&) $1 and (found_from is null or found_from <= now())'
    || ' and (owner_id is null or owner_id <> all($2))'
  from jsonb_array_elements(alternatives) lists
$$;
--> statement-breakpoint
drop function search_by_words(jsonb, integer[], uuid[], integer);
--> statement-breakpoint
-- By the index of entries, with those of the entries that are typed. With its own settings, because the planner would
-- read the whole table for long lists.
create function search_by_words(alternatives jsonb, typed integer[], excluded integer[], blocked uuid[], most integer)
returns table (kind smallint, key uuid, entries integer[], name_words smallint, popularity smallint)
language plpgsql stable set enable_seqscan = off set jit = off as $$
begin
  return query execute
    'select d.kind, d.key, shared_codes(d.entries, $4), d.name_words, d.popularity from search_documents d where '
    || search_condition(alternatives) || ' limit $3'
    using excluded, blocked, most, typed;
end $$;
