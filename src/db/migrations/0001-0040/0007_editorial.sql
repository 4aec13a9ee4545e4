-- Articles of the blog. The body is Markdown, made safe where it is shown.
create table articles (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  title text not null check (length(title) between 1 and 200),
  sort_title text collate "C" not null check (length(sort_title) <= 200),
  description text not null default '' check (length(description) <= 600),
  body text not null check (length(body) <= 200000),
  topic text not null check (topic in ('sex', 'wellness', 'culture', 'relationships')),
  image_key text,
  color text check (color ~ '^#[0-9A-Fa-f]{6}$'),
  -- Seconds, by the words of the body.
  read_time integer not null check (read_time between 0 and 1000000),
  published_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index articles_published_idx on articles (published_at desc, id desc);
--> statement-breakpoint
create index articles_read_time_idx on articles (read_time, id);
--> statement-breakpoint
create index articles_sort_title_idx on articles (sort_title, id);
--> statement-breakpoint

-- What an article speaks of, and plays.
create table article_audios (
  article_id uuid not null references articles (id) on delete cascade,
  audio_id uuid not null references audios (id) on delete cascade,
  position integer not null,
  primary key (article_id, audio_id)
);
--> statement-breakpoint
create index article_audios_audio_idx on article_audios (audio_id);
--> statement-breakpoint

create trigger articles_announce after insert or update or delete on articles for each statement execute function announce_catalogue_change();
--> statement-breakpoint
create trigger article_audios_announce after insert or update or delete on article_audios for each statement execute function announce_catalogue_change();
--> statement-breakpoint

-- Who wants their events to carry their id. No row: nobody asked, or not any more.
create table insight_consents (
  user_id uuid primary key references users (id) on delete cascade,
  given_at timestamptz(3) not null default now()
);
--> statement-breakpoint
alter table insight_events add column user_id uuid references users (id) on delete set null;
--> statement-breakpoint
create index insight_events_user_idx on insight_events (user_id) where user_id is not null;
