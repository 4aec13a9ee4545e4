-- lock: 5s
-- Audios and creators that a listener hides, as `hidden_tags` has tags. The second index is for cascades and merges.
create table hidden_audios (
  user_id uuid not null references users (id) on delete cascade,
  audio_id uuid not null references audios (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, audio_id)
);
--> statement-breakpoint
create index hidden_audios_audio_idx on hidden_audios (audio_id);
--> statement-breakpoint
create table hidden_voices (
  user_id uuid not null references users (id) on delete cascade,
  voice_id uuid not null references voices (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, voice_id)
);
--> statement-breakpoint
create index hidden_voices_voice_idx on hidden_voices (voice_id);
--> statement-breakpoint

-- As in 0116; $2 has ids of documents too, beside those of their owners.
create or replace function search_condition(alternatives jsonb) returns text language sql immutable as $$
  select '(' || string_agg((
    select '(' || string_agg(format('entries operator(pg_catalog.&&) %L::integer[]', list), ' and ') || ')'
    from jsonb_array_elements_text(lists) list
  ), ' or ') || ') and not entries operator(pg_catalog.&&) $1 and (found_from is null or found_from <= now())'
    || ' and (owner_id is null or owner_id <> all($2)) and key <> all($2)'
  from jsonb_array_elements(alternatives) lists
$$;
--> statement-breakpoint
-- Audios, creators and series get their creator as owner.
update search_feeds set rebuilt_at = 'epoch' where exists (select from audios);
