-- lock: 5s
-- What creators change of an audio, kept apart while listeners see it; and who changed which field, so that two editors
-- never lose a change.

create table audio_drafts (
  audio_id uuid primary key references audios (id) on delete cascade,
  -- Counts every change of a field.
  version integer not null default 0 check (version >= 0),
  -- Fields that listeners do not see yet, as `AudioChange`.
  fields jsonb not null default '{}',
  -- A cover that listeners do not see yet; null with `has_cover`: none.
  has_cover boolean not null default false,
  image_key text,
  -- The whole picture that the newest cover is cut from, and the cut in its pixels: `{ x, y, size }`.
  source_key text,
  source_width integer check (source_width > 0),
  source_height integer check (source_height > 0),
  area jsonb,
  updated_at timestamptz(3) not null default now(),
  check (has_cover or image_key is null),
  check ((source_key is null) = (source_width is null) and (source_key is null) = (source_height is null)
    and (source_key is null) = (area is null))
);
--> statement-breakpoint
create index audio_drafts_image_idx on audio_drafts (image_key) where image_key is not null;
--> statement-breakpoint
create index audio_drafts_source_idx on audio_drafts (source_key) where source_key is not null;
--> statement-breakpoint

-- The last change of each field.
create table audio_field_changes (
  audio_id uuid not null references audios (id) on delete cascade,
  field text not null check (length(field) between 1 and 40),
  version integer not null check (version > 0),
  -- Null: the operator on the command line, or an account that was deleted.
  user_id uuid references users (id) on delete set null,
  changed_at timestamptz(3) not null default now(),
  primary key (audio_id, field)
);
--> statement-breakpoint
create index audio_field_changes_user_idx on audio_field_changes (user_id) where user_id is not null;
--> statement-breakpoint
-- The Studio's list of a voice's audios.
create index audios_managed_idx on audios (voice_id);
