-- The catalogue, the people who own playlists in it, site settings and analytics events.
-- timestamptz(3) because JavaScript dates have milliseconds and keyset cursors must compare equal.

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  return new;
end $$;
--> statement-breakpoint
create domain slug as text check (value ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(value) <= 120);
--> statement-breakpoint
create domain hex_color as text check (value ~ '^#[0-9A-F]{6}$');
--> statement-breakpoint

create table users (
  id uuid primary key,
  username text not null check (length(username) between 1 and 40),
  icon text check (length(icon) <= 200),
  color smallint not null default 0 check (color between 0 and 5),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create unique index users_username_key on users (lower(username));
--> statement-breakpoint

create table categories (
  id uuid primary key,
  slug slug not null unique,
  label text not null check (length(label) between 1 and 80),
  description text not null default '' check (length(description) <= 2000),
  image_key text,
  color hex_color,
  position integer not null default 0,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint

create table voices (
  id uuid primary key,
  slug slug not null unique,
  name text not null check (length(name) between 1 and 120),
  sort_name text collate "C" not null,
  voice_type_label text not null check (length(voice_type_label) <= 60),
  bio text not null default '' check (length(bio) <= 5000),
  image_key text,
  color hex_color,
  category_id uuid references categories (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index voices_sort_idx on voices (sort_name, id);
--> statement-breakpoint
create index voices_category_idx on voices (category_id);
--> statement-breakpoint
create trigger voices_touch before update on voices for each row execute function touch_updated_at();
--> statement-breakpoint

create table audios (
  id uuid primary key,
  slug slug not null unique,
  title text not null check (length(title) between 1 and 200),
  sort_title text collate "C" not null,
  description text not null default '' check (length(description) <= 5000),
  voice_id uuid not null references voices (id) on delete restrict,
  image_key text,
  color hex_color,
  badge text check (length(badge) between 1 and 20),
  comments_disabled boolean not null default false,
  is_free boolean not null default false,
  file_key text not null,
  file_mime text not null check (file_mime like 'audio/%'),
  file_bytes bigint not null check (file_bytes > 0),
  duration_ms integer not null check (duration_ms > 0),
  published_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index audios_published_idx on audios (published_at desc, id desc) where published_at is not null;
--> statement-breakpoint
create index audios_voice_idx on audios (voice_id, published_at desc, id desc) where published_at is not null;
--> statement-breakpoint
create index audios_title_idx on audios (sort_title, id) where published_at is not null;
--> statement-breakpoint
create index audios_duration_idx on audios (duration_ms, id) where published_at is not null;
--> statement-breakpoint
create trigger audios_touch before update on audios for each row execute function touch_updated_at();
--> statement-breakpoint

-- Counts change with every play; in a table of their own they bump no version and empty no cache.
create table audio_counts (
  audio_id uuid primary key references audios (id) on delete cascade,
  plays bigint not null default 0 check (plays >= 0),
  favorites integer not null default 0 check (favorites >= 0),
  comments integer not null default 0 check (comments >= 0)
);
--> statement-breakpoint
create index audio_counts_plays_idx on audio_counts (plays desc, audio_id desc);
--> statement-breakpoint
create function create_audio_counts() returns trigger language plpgsql as $$
begin
  insert into audio_counts (audio_id) values (new.id) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger audios_counts after insert on audios for each row execute function create_audio_counts();
--> statement-breakpoint

create table voice_counts (
  voice_id uuid primary key references voices (id) on delete cascade,
  favorites integer not null default 0 check (favorites >= 0)
);
--> statement-breakpoint

create table audio_categories (
  audio_id uuid not null references audios (id) on delete cascade,
  category_id uuid not null references categories (id) on delete cascade,
  position smallint not null default 0,
  primary key (audio_id, category_id)
);
--> statement-breakpoint
create index audio_categories_category_idx on audio_categories (category_id, audio_id);
--> statement-breakpoint

create table tags (
  id uuid primary key,
  slug slug not null unique,
  label text not null check (length(label) between 1 and 60)
);
--> statement-breakpoint
create table audio_tags (
  audio_id uuid not null references audios (id) on delete cascade,
  tag_id uuid not null references tags (id) on delete cascade,
  primary key (audio_id, tag_id)
);
--> statement-breakpoint
create index audio_tags_tag_idx on audio_tags (tag_id, audio_id);
--> statement-breakpoint

create table transcripts (
  audio_id uuid primary key references audios (id) on delete cascade,
  language text not null default 'en' check (language ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  cues jsonb not null check (jsonb_typeof(cues) = 'array')
);
--> statement-breakpoint

create table series (
  id uuid primary key,
  slug slug not null unique,
  title text not null check (length(title) between 1 and 200),
  sort_title text collate "C" not null,
  description text not null default '' check (length(description) <= 5000),
  voice_id uuid references voices (id) on delete set null,
  image_key text,
  color hex_color,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index series_voice_idx on series (voice_id);
--> statement-breakpoint
create index series_title_idx on series (sort_title, id);
--> statement-breakpoint
alter table voices add column linked_series_id uuid references series (id) on delete set null;
--> statement-breakpoint
create index voices_linked_series_idx on voices (linked_series_id);
--> statement-breakpoint
create table series_items (
  series_id uuid not null references series (id) on delete cascade,
  audio_id uuid not null unique references audios (id) on delete cascade,
  position integer not null check (position >= 0),
  primary key (series_id, audio_id),
  unique (series_id, position) deferrable initially deferred
);
--> statement-breakpoint

create table playlists (
  id uuid primary key,
  slug slug not null unique,
  title text not null check (length(title) between 1 and 200),
  description text not null default '' check (length(description) <= 5000),
  position integer not null default 0,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index playlists_position_idx on playlists (position, id);
--> statement-breakpoint
create table playlist_items (
  playlist_id uuid not null references playlists (id) on delete cascade,
  audio_id uuid not null references audios (id) on delete cascade,
  position integer not null check (position >= 0),
  primary key (playlist_id, audio_id),
  unique (playlist_id, position) deferrable initially deferred
);
--> statement-breakpoint
create index playlist_items_audio_idx on playlist_items (audio_id);
--> statement-breakpoint

create table user_playlists (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  title text not null check (length(title) between 1 and 100),
  background text not null check (background in ('Pink to Blue', 'Blue to Green', 'Pink to Orange', 'Purple to Blue', 'Blue to Orange')),
  font text not null check (font in ('Helvetica Neue', 'Lora Bold', 'Playfair Display Semibold', 'Teko Regular')),
  is_public boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index user_playlists_user_idx on user_playlists (user_id);
--> statement-breakpoint
create trigger user_playlists_touch before update on user_playlists for each row execute function touch_updated_at();
--> statement-breakpoint
create table user_playlist_items (
  user_playlist_id uuid not null references user_playlists (id) on delete cascade,
  audio_id uuid not null references audios (id) on delete cascade,
  position integer not null check (position >= 0),
  primary key (user_playlist_id, audio_id),
  unique (user_playlist_id, position) deferrable initially deferred
);
--> statement-breakpoint
create index user_playlist_items_audio_idx on user_playlist_items (audio_id);
--> statement-breakpoint
create table user_playlist_counts (
  user_playlist_id uuid primary key references user_playlists (id) on delete cascade,
  plays bigint not null default 0 check (plays >= 0)
);
--> statement-breakpoint
create index user_playlist_counts_plays_idx on user_playlist_counts (plays desc, user_playlist_id desc);
--> statement-breakpoint
create function create_user_playlist_counts() returns trigger language plpgsql as $$
begin
  insert into user_playlist_counts (user_playlist_id) values (new.id) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger user_playlists_counts after insert on user_playlists for each row execute function create_user_playlist_counts();
--> statement-breakpoint

create table site_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint

create table insight_events (
  id uuid primary key,
  name text not null check (length(name) <= 60),
  source text check (length(source) <= 40),
  subject_id uuid,
  properties jsonb not null default '{}' check (jsonb_typeof(properties) = 'object' and length(properties::text) <= 2000),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index insight_events_time_idx on insight_events (created_at);
--> statement-breakpoint

-- A hint for the caches of every process: something a reader can see has changed (not the counts).
create function announce_catalogue_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalogue_changed', '');
  return null;
end $$;
--> statement-breakpoint
do $$
declare t text;
begin
  foreach t in array array['users', 'categories', 'voices', 'audios', 'audio_categories', 'tags', 'audio_tags', 'transcripts', 'series',
    'series_items', 'playlists', 'playlist_items', 'user_playlists', 'user_playlist_items', 'site_settings'] loop
    execute format('create trigger %I after insert or update or delete on %I for each statement execute function announce_catalogue_change()', t || '_announce', t);
  end loop;
end $$;
