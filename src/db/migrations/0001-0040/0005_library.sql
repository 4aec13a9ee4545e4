-- The library and the community: favourites, changes of user playlists, comments, blocks, tags that are left out.

-- One table for each type, so that a favourite goes with what it is of.
create table audio_favorites (
  user_id uuid not null references users (id) on delete cascade,
  content_id uuid not null references audios (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, content_id)
);
--> statement-breakpoint
create table voice_favorites (
  user_id uuid not null references users (id) on delete cascade,
  content_id uuid not null references voices (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, content_id)
);
--> statement-breakpoint
create table category_favorites (
  user_id uuid not null references users (id) on delete cascade,
  content_id uuid not null references categories (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, content_id)
);
--> statement-breakpoint
create table playlist_favorites (
  user_id uuid not null references users (id) on delete cascade,
  content_id uuid not null references playlists (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, content_id)
);
--> statement-breakpoint
create table user_playlist_favorites (
  user_id uuid not null references users (id) on delete cascade,
  content_id uuid not null references user_playlists (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, content_id)
);
--> statement-breakpoint
create table user_favorites (
  user_id uuid not null references users (id) on delete cascade,
  content_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, content_id)
);
--> statement-breakpoint
do $$
declare t text;
begin
  foreach t in array array['audio', 'voice', 'category', 'playlist', 'user_playlist', 'user'] loop
    execute format('create index %I on %I (user_id, created_at desc, content_id desc)', t || '_favorites_recent_idx', t || '_favorites');
    execute format('create index %I on %I (content_id)', t || '_favorites_content_idx', t || '_favorites');
  end loop;
end $$;
--> statement-breakpoint

-- Counts follow the rows, whatever takes those away. Rows of counts are always locked in the order of their ids.
create function count_audio_favorites() returns trigger language plpgsql as $$
begin
  perform from audio_counts where audio_id in (select content_id from changed) order by audio_id for no key update;
  update audio_counts c set favorites = c.favorites + case tg_op when 'INSERT' then n.total else -n.total end
  from (select content_id, count(*)::int as total from changed group by content_id) n where c.audio_id = n.content_id;
  return null;
end $$;
--> statement-breakpoint
create trigger audio_favorites_added after insert on audio_favorites
  referencing new table as changed for each statement execute function count_audio_favorites();
--> statement-breakpoint
create trigger audio_favorites_removed after delete on audio_favorites
  referencing old table as changed for each statement execute function count_audio_favorites();
--> statement-breakpoint
create function count_voice_favorites() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into voice_counts (voice_id) select distinct content_id from changed order by content_id on conflict do nothing;
  end if;
  perform from voice_counts where voice_id in (select content_id from changed) order by voice_id for no key update;
  update voice_counts c set favorites = c.favorites + case tg_op when 'INSERT' then n.total else -n.total end
  from (select content_id, count(*)::int as total from changed group by content_id) n where c.voice_id = n.content_id;
  return null;
end $$;
--> statement-breakpoint
create trigger voice_favorites_added after insert on voice_favorites
  referencing new table as changed for each statement execute function count_voice_favorites();
--> statement-breakpoint
create trigger voice_favorites_removed after delete on voice_favorites
  referencing old table as changed for each statement execute function count_voice_favorites();
--> statement-breakpoint

-- A deleted list can be brought back for a while.
alter table user_playlists add column deleted_at timestamptz(3);
--> statement-breakpoint
create index user_playlists_deleted_idx on user_playlists (deleted_at) where deleted_at is not null;
--> statement-breakpoint
alter table user_playlist_counts
  add column audios integer not null default 0 check (audios >= 0),
  add column duration_ms bigint not null default 0 check (duration_ms >= 0);
--> statement-breakpoint
create function recount_user_playlists(ids uuid[]) returns void language plpgsql as $$
begin
  perform from user_playlist_counts where user_playlist_id = any(ids) order by user_playlist_id for no key update;
  update user_playlist_counts c set (audios, duration_ms) = (
    select count(*)::int, coalesce(sum(a.duration_ms), 0) from user_playlist_items i join audios a on a.id = i.audio_id
    where i.user_playlist_id = c.user_playlist_id and a.published_at is not null)
  where c.user_playlist_id = any(ids);
end $$;
--> statement-breakpoint
select recount_user_playlists(array(select id from user_playlists));
--> statement-breakpoint
create function count_user_playlist_items() returns trigger language plpgsql as $$
begin
  perform recount_user_playlists(array(select distinct user_playlist_id from changed));
  return null;
end $$;
--> statement-breakpoint
create trigger user_playlist_items_added after insert on user_playlist_items
  referencing new table as changed for each statement execute function count_user_playlist_items();
--> statement-breakpoint
create trigger user_playlist_items_removed after delete on user_playlist_items
  referencing old table as changed for each statement execute function count_user_playlist_items();
--> statement-breakpoint
-- An audio may be in thousands of lists: what changes is added, not all counted anew.
create function count_changed_audio() returns trigger language plpgsql as $$
declare
  before integer := case when old.published_at is null then 0 else 1 end;
  after integer := case when new.published_at is null then 0 else 1 end;
begin
  perform from user_playlist_counts where user_playlist_id in (select user_playlist_id from user_playlist_items where audio_id = new.id)
    order by user_playlist_id for no key update;
  update user_playlist_counts c
  set audios = c.audios + after - before, duration_ms = c.duration_ms + after * new.duration_ms - before * old.duration_ms
  from user_playlist_items i where i.audio_id = new.id and c.user_playlist_id = i.user_playlist_id;
  return null;
end $$;
--> statement-breakpoint
create trigger audios_user_playlist_counts after update of published_at, duration_ms on audios for each row
  when ((old.published_at is null) <> (new.published_at is null) or old.duration_ms <> new.duration_ms)
  execute function count_changed_audio();
--> statement-breakpoint
-- Listeners change their lists all the time; caches need to hear at once only of what is not to be seen any more.
drop trigger user_playlists_announce on user_playlists;
--> statement-breakpoint
drop trigger user_playlist_items_announce on user_playlist_items;
--> statement-breakpoint
create trigger user_playlists_hidden_announce after update of is_public, deleted_at on user_playlists for each row
  when (old.is_public and old.deleted_at is null and not (new.is_public and new.deleted_at is null))
  execute function announce_catalogue_change();
--> statement-breakpoint
create trigger user_playlists_removed_announce after delete on user_playlists for each row
  when (old.is_public and old.deleted_at is null) execute function announce_catalogue_change();
--> statement-breakpoint
-- Until then another play of the list by the same listener does not count. The listener is a keyed hash, as in play_marks.
create table user_playlist_play_marks (
  listener text not null check (length(listener) = 43),
  user_playlist_id uuid not null,
  until timestamptz(3) not null,
  primary key (listener, user_playlist_id)
);
--> statement-breakpoint
create index user_playlist_play_marks_until_idx on user_playlist_play_marks (until);
--> statement-breakpoint

create table voice_owners (
  voice_id uuid not null references voices (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (voice_id, user_id)
);
--> statement-breakpoint
create index voice_owners_user_idx on voice_owners (user_id);
--> statement-breakpoint

create table user_blocks (
  user_id uuid not null references users (id) on delete cascade,
  blocked_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
--> statement-breakpoint
create index user_blocks_recent_idx on user_blocks (user_id, created_at desc, blocked_id desc);
--> statement-breakpoint
create index user_blocks_blocked_idx on user_blocks (blocked_id);
--> statement-breakpoint

create table left_out_tags (
  user_id uuid not null references users (id) on delete cascade,
  tag_id uuid not null references tags (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, tag_id)
);
--> statement-breakpoint
create index left_out_tags_tag_idx on left_out_tags (tag_id);
--> statement-breakpoint

-- A comment is shown while it has its text, is not removed by an operator, and its author is not suspended. One that is
-- not shown stands as a placeholder while it has replies that are.
create table comments (
  id uuid primary key,
  audio_id uuid not null references audios (id) on delete cascade,
  parent_id uuid references comments (id) on delete cascade,
  user_id uuid references users (id) on delete cascade,
  text text check (length(text) between 1 and 1000),
  is_author_suspended boolean not null default false,
  removed_at timestamptz(3),
  replies integer not null default 0 check (replies >= 0),
  created_at timestamptz(3) not null default now(),
  check ((user_id is null) = (text is null)),
  check (parent_id is null or replies = 0)
);
--> statement-breakpoint
create index comments_audio_idx on comments (audio_id, id desc)
  where parent_id is null and ((text is not null and removed_at is null and not is_author_suspended) or replies > 0);
--> statement-breakpoint
create index comments_of_audio_idx on comments (audio_id);
--> statement-breakpoint
create index comments_parent_idx on comments (parent_id, id);
--> statement-breakpoint
create index comments_user_idx on comments (user_id, audio_id, parent_id);
--> statement-breakpoint
create function tally_comments(audio_ids uuid[], parent_ids uuid[], deltas integer[]) returns void language plpgsql as $$
begin
  if not exists (select from unnest(deltas) as delta where delta <> 0) then
    return;
  end if;
  perform from audio_counts where audio_id = any(audio_ids) order by audio_id for no key update;
  update audio_counts c set comments = c.comments + d.delta
  from (select audio_id, sum(delta)::int as delta from unnest(audio_ids, deltas) as t (audio_id, delta) group by audio_id) d
  where c.audio_id = d.audio_id and d.delta <> 0;
  update comments c set replies = c.replies + d.delta
  from (select parent_id, sum(delta)::int as delta from unnest(parent_ids, deltas) as t (parent_id, delta) group by parent_id) d
  where c.id = d.parent_id and d.delta <> 0;
end $$;
--> statement-breakpoint
create function tally_added_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(audio_id), array_agg(parent_id),
    array_agg((text is not null and removed_at is null and not is_author_suspended)::int)) from added;
  return null;
end $$;
--> statement-breakpoint
create function tally_removed_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(audio_id), array_agg(parent_id),
    array_agg(-(text is not null and removed_at is null and not is_author_suspended)::int)) from removed;
  return null;
end $$;
--> statement-breakpoint
create function tally_changed_comments() returns trigger language plpgsql as $$
begin
  perform tally_comments(array_agg(n.audio_id), array_agg(n.parent_id),
    array_agg((n.text is not null and n.removed_at is null and not n.is_author_suspended)::int
      - (o.text is not null and o.removed_at is null and not o.is_author_suspended)::int))
  from added n join removed o on o.id = n.id;
  return null;
end $$;
--> statement-breakpoint
create trigger comments_added after insert on comments
  referencing new table as added for each statement execute function tally_added_comments();
--> statement-breakpoint
create trigger comments_removed after delete on comments
  referencing old table as removed for each statement execute function tally_removed_comments();
--> statement-breakpoint
create trigger comments_changed after update on comments
  referencing old table as removed new table as added for each statement execute function tally_changed_comments();
--> statement-breakpoint
create function suspend_comments() returns trigger language plpgsql as $$
begin
  update comments set is_author_suspended = new.suspended_at is not null where user_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger users_suspend_comments after update of suspended_at on users for each row
  when ((old.suspended_at is null) <> (new.suspended_at is null)) execute function suspend_comments();
--> statement-breakpoint

create table comment_reports (
  comment_id uuid not null references comments (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  reason text not null check (reason in ('unkind', 'hate', 'threat', 'private-information', 'spam', 'other')),
  details text check (length(details) between 1 and 500),
  created_at timestamptz(3) not null default now(),
  -- When an operator kept or removed the comment.
  settled_at timestamptz(3),
  primary key (comment_id, user_id)
);
--> statement-breakpoint
create index comment_reports_user_idx on comment_reports (user_id);
--> statement-breakpoint
create index comment_reports_open_idx on comment_reports (comment_id) where settled_at is null;
