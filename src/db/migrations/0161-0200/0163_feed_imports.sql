-- lock: 5s
-- Feeds of other hosts whose items become audios (decision 099).
create table feed_imports (
  id uuid primary key,
  voice_id uuid not null references voices (id) on delete cascade,
  -- Null: the operator on the command line, or an account that was deleted.
  user_id uuid references users (id) on delete set null,
  -- Operators import what they like; everybody else proves that the feed is theirs.
  is_by_operator boolean not null default false,
  -- Null: a file.
  url text check (length(url) <= 2000),
  -- Of a file, until it is read.
  content text,
  title text not null default '' check (length(title) <= 200),
  -- BCP 47; null: as the creator has it.
  language text check (length(language) <= 40),
  state text not null default 'reading'
    check (state in ('reading', 'asking', 'planned', 'running', 'stopped', 'done', 'failed')),
  failure text check (length(failure) <= 60),
  -- Of the feed's owner, with all but a few letters left out.
  owner_hint text check (length(owner_hint) <= 254),
  code_hash text,
  code_until timestamptz(3),
  -- Wrong codes.
  tries smallint not null default 0,
  confirmed_at timestamptz(3),
  -- What all audios start with: `{ isFree, categoryId?, publishes, keepsGuids }`.
  choices jsonb not null default '{}',
  -- Times that the reading began.
  attempts smallint not null default 0,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((state = 'failed') = (failure is not null)),
  check ((state = 'asking') = (code_hash is not null))
);
--> statement-breakpoint
-- One at a time for each creator; the next one replaces it.
create unique index feed_imports_voice_idx on feed_imports (voice_id);
--> statement-breakpoint
create index feed_imports_user_idx on feed_imports (user_id) where user_id is not null;
--> statement-breakpoint
create index feed_imports_waiting_idx on feed_imports (id) where state in ('reading', 'running');
--> statement-breakpoint
create trigger feed_imports_touch before update on feed_imports for each row execute function touch_updated_at();
--> statement-breakpoint

create table feed_import_items (
  import_id uuid not null references feed_imports (id) on delete cascade,
  position integer not null,
  -- As the feed has it: `FeedItem`.
  item jsonb not null,
  -- Why it cannot come; null: it can.
  obstacle text check (length(obstacle) <= 60),
  -- Null: not yet. `here`: an audio of the creator was made from it before. `arrived`: its file waits to become an audio.
  outcome text check (outcome in ('here', 'left-out', 'arrived', 'made', 'failed')),
  failure text check (length(failure) <= 60),
  detail text check (length(detail) <= 500),
  -- What keeps it from being published as chosen.
  held text check (length(held) <= 60),
  attempts smallint not null default 0,
  upload_id uuid unique references uploads (id) on delete set null,
  audio_id uuid references audios (id) on delete set null,
  image_key text,
  -- Start in seconds, and title, until its audio has them.
  chapters jsonb check (jsonb_typeof(chapters) = 'array'),
  -- Lines of its transcript, until its audio has them.
  cues jsonb check (jsonb_typeof(cues) = 'array'),
  primary key (import_id, position),
  check ((outcome = 'failed') = (failure is not null))
);
--> statement-breakpoint
create index feed_import_items_audio_idx on feed_import_items (audio_id) where audio_id is not null;
--> statement-breakpoint
create index feed_import_items_image_idx on feed_import_items (image_key) where image_key is not null;
--> statement-breakpoint
select note_files_of('feed_import_items', 'image_key');
--> statement-breakpoint

-- Audios that were items of a feed elsewhere.
create table imported_audios (
  audio_id uuid primary key references audios (id) on delete cascade,
  -- By which podcast apps know the item, and a second import finds it.
  guid text not null check (length(guid) between 1 and 2000),
  -- Our feeds name it too.
  keeps_guid boolean not null,
  -- At the former host; publishing for the first time keeps it.
  published_at timestamptz(3)
);
--> statement-breakpoint
create index imported_audios_guid_idx on imported_audios using hash (guid);
--> statement-breakpoint

-- Addresses of items' pages at a former host, without it, for a domain that moves here.
create table old_paths (
  path text collate "C" primary key check (path like '/%' and length(path) <= 500),
  audio_id uuid not null references audios (id) on delete cascade
);
--> statement-breakpoint
create index old_paths_audio_idx on old_paths (audio_id);
