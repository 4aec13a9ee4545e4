-- lock: 5s
-- Filters that listeners saved under a name: lists that stay fresh (decision 091).
create table mixes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) between 1 and 240),
  -- Audios of this category or creator alone.
  category_id uuid references categories on delete cascade,
  voice_id uuid references voices on delete cascade,
  -- By id, because tags are renamed; an id without a tag finds nothing.
  tag_ids uuid[] not null default '{}',
  not_tag_ids uuid[] not null default '{}',
  -- The rest of the filter, as in addresses.
  filter jsonb not null default '{}' check (jsonb_typeof(filter) = 'object'),
  sort text not null check (sort in ('recent', 'oldest', 'popular', 'title', 'shortest', 'longest')),
  has_news boolean not null default false,
  -- Audios published since are new in it.
  visited_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Can be undone for a while.
  deleted_at timestamptz(3)
);
--> statement-breakpoint
create index mixes_user_idx on mixes (user_id);
--> statement-breakpoint
create index mixes_category_idx on mixes (category_id) where category_id is not null;
--> statement-breakpoint
create index mixes_voice_idx on mixes (voice_id) where voice_id is not null;
--> statement-breakpoint
-- In the order of the fan-out.
create index mixes_news_idx on mixes (user_id) where has_news and deleted_at is null;
--> statement-breakpoint
create index mixes_deleted_idx on mixes (deleted_at) where deleted_at is not null;
--> statement-breakpoint
create trigger mixes_touch before update on mixes for each row execute function touch_updated_at();
