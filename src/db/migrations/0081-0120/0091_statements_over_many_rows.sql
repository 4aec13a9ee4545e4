-- lock: 5s
-- A statement over 100,000 rows took minutes: triggers ran a statement for each row, and plans made for one row compared
-- each changed row with each. Triggers now act once for all rows of a statement, and find other rows by index only.

-- Audios: their row of counts.
drop trigger audios_counts on audios;
--> statement-breakpoint
create or replace function create_audio_counts() returns trigger language plpgsql as $$
begin
  insert into audio_counts (audio_id, voice_id) select id, voice_id from added
  on conflict (audio_id) do update set voice_id = excluded.voice_id;
  return null;
end $$;
--> statement-breakpoint
create trigger audios_counts after insert on audios referencing new table as added
  for each statement execute function create_audio_counts();
--> statement-breakpoint

-- Former addresses of audios, voices and articles.
create function keep_former_slugs() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if not exists (select slug from added except select slug from removed) then return null; end if;
  end if;
  execute format('delete from %I where slug in (select slug from added)', tg_argv[0]);
  if tg_op = 'UPDATE' then
    execute format(
      'insert into %1$I (slug, %2$I)
       select slug, (array_agg(id))[1] from (
         select slug, id, false as is_taken from removed union all select slug, id, true from added) slugs
       group by slug having not bool_or(is_taken)
       on conflict (slug) do update set %2$I = excluded.%2$I', tg_argv[0], tg_argv[1]);
  end if;
  return null;
end $$;
--> statement-breakpoint
drop trigger audios_slug_taken on audios;
--> statement-breakpoint
create trigger audios_slug_taken after insert on audios referencing new table as added
  for each statement execute function keep_former_slugs('former_slugs', 'audio_id');
--> statement-breakpoint
drop trigger audios_slug_changed on audios;
--> statement-breakpoint
create trigger audios_slug_changed after update on audios referencing old table as removed new table as added
  for each statement execute function keep_former_slugs('former_slugs', 'audio_id');
--> statement-breakpoint
drop trigger voices_slug_taken on voices;
--> statement-breakpoint
create trigger voices_slug_taken after insert on voices referencing new table as added
  for each statement execute function keep_former_slugs('former_voice_slugs', 'voice_id');
--> statement-breakpoint
drop trigger voices_slug_changed on voices;
--> statement-breakpoint
create trigger voices_slug_changed after update on voices referencing old table as removed new table as added
  for each statement execute function keep_former_slugs('former_voice_slugs', 'voice_id');
--> statement-breakpoint
drop trigger articles_slug_taken on articles;
--> statement-breakpoint
create trigger articles_slug_taken after insert on articles referencing new table as added
  for each statement execute function keep_former_slugs('former_article_slugs', 'article_id');
--> statement-breakpoint
drop trigger articles_slug_changed on articles;
--> statement-breakpoint
create trigger articles_slug_changed after update on articles referencing old table as removed new table as added
  for each statement execute function keep_former_slugs('former_article_slugs', 'article_id');
--> statement-breakpoint
drop function keep_former_slug(), keep_former_voice_slug(), keep_former_article_slug();
--> statement-breakpoint

-- News of audios that became public.
drop trigger audios_news_added on audios;
--> statement-breakpoint
drop trigger audios_news_published on audios;
--> statement-breakpoint
drop function note_publication();
--> statement-breakpoint
create function note_publications() returns trigger language plpgsql as $$
declare
  ids uuid[];
begin
  if tg_op = 'INSERT' then
    -- What was published for longer, such as an imported catalogue, has no row and is no news.
    insert into news_batches as b (audio_id, due_at)
    select id, published_at from added where published_at > now() - interval '1 day'
    on conflict (audio_id) do update set due_at = excluded.due_at where b.started_at is null;
    return null;
  end if;
  ids := array(
    select id from (
      select id, published_at from added where published_at is not null except select id, published_at from removed) moved
    except select id from removed where published_at <= now());
  if ids = '{}' then return null; end if;
  -- Once an audio was told, the row stays, and a further publication changes nothing.
  insert into news_batches as b (audio_id, due_at)
  select id, published_at from (select id, published_at from audios where id = any (ids) offset 0) a
  where published_at > now() - interval '1 day'
  on conflict (audio_id) do update set due_at = excluded.due_at where b.started_at is null;
  update news_batches b set due_at = now() from (select id, published_at from audios where id = any (ids) offset 0) a
  where a.id = b.audio_id and b.started_at is null and a.published_at <= now() - interval '1 day';
  return null;
end $$;
--> statement-breakpoint
create trigger audios_news_added after insert on audios referencing new table as added
  for each statement execute function note_publications();
--> statement-breakpoint
create trigger audios_news_published after update on audios referencing old table as removed new table as added
  for each statement execute function note_publications();
--> statement-breakpoint

-- Audios that go to another creator, with their counts and comments.
drop trigger audios_counts_moved on audios;
--> statement-breakpoint
drop trigger audios_comments_moved on audios;
--> statement-breakpoint
drop function move_audio_counts(), move_comments();
--> statement-breakpoint
create function move_audios() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(select id from (select id, voice_id from added except select id, voice_id from removed) moved);
begin
  if ids = '{}' then return null; end if;
  update audio_counts c set voice_id = a.voice_id from audios a where a.id = c.audio_id and c.audio_id = any (ids);
  update comments c set voice_id = a.voice_id from audios a where a.id = c.audio_id and c.audio_id = any (ids);
  return null;
end $$;
--> statement-breakpoint
create trigger audios_moved after update on audios referencing old table as removed new table as added
  for each statement execute function move_audios();
--> statement-breakpoint

-- Counts of listeners' playlists.
drop trigger audios_user_playlist_counts on audios;
--> statement-breakpoint
drop function count_changed_audio();
--> statement-breakpoint
create function count_changed_audios() returns trigger language plpgsql as $$
declare
  many uuid[];
  ids uuid[];
  more_audios integer[];
  more_ms bigint[];
  later timestamptz[];
begin
  -- More than 200 playlists would hold locks that listeners wait for, and make publishing slow.
  select array_agg(id) filter (where is_many), array_agg(id) filter (where not is_many),
    array_agg(audios) filter (where not is_many), array_agg(ms) filter (where not is_many),
    array_agg(later_at) filter (where not is_many)
  into many, ids, more_audios, more_ms, later
  from (
    select d.*, (select count(*) from (select from user_playlist_items where audio_id = d.id limit 201) few) > 200 as is_many
    from (
      select id, sum(audios)::integer as audios, sum(audios * duration_ms)::bigint as ms,
        max(published_at) filter (where is_new and published_at > now()) as later_at
      from (
        select id, true as is_new, (published_at is not null)::integer as audios, duration_ms, published_at from added
        union all
        select id, false, -(published_at is not null)::integer, duration_ms, published_at from removed) versions
      group by id
      having sum(audios) <> 0 or min(duration_ms) <> max(duration_ms)
        or max(published_at) filter (where is_new) > max(published_at) filter (where not is_new)) d) counted;
  if many is not null then
    insert into recounted_audios as r (audio_id) select unnest(many)
    on conflict (audio_id) do update set after_id = null, version = r.version + 1;
  end if;
  if ids is null then return null; end if;
  perform from user_playlist_counts where user_playlist_id in (
    select user_playlist_id from user_playlist_items where audio_id = any (ids))
    order by user_playlist_id for no key update;
  update user_playlist_counts c
  set audios = c.audios + n.audios, duration_ms = c.duration_ms + n.ms,
    scheduled_until = greatest(c.scheduled_until, n.later_at)
  from (
    select i.user_playlist_id, sum(d.audios) as audios, sum(d.ms) as ms, max(d.later_at) as later_at
    from unnest(ids, more_audios, more_ms, later) as d (audio_id, audios, ms, later_at)
    join user_playlist_items i on i.audio_id = d.audio_id group by i.user_playlist_id) n
  where c.user_playlist_id = n.user_playlist_id;
  return null;
end $$;
--> statement-breakpoint
create trigger audios_user_playlist_counts after update on audios referencing old table as removed new table as added
  for each statement execute function count_changed_audios();
--> statement-breakpoint

-- Audios of hidden creators.
drop trigger voices_hidden on voices;
--> statement-breakpoint
drop function hide_audios_of_voice();
--> statement-breakpoint
create function hide_audios_of_voices() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from (select id, hidden_at is null from added except select id, hidden_at is null from removed) changed);
begin
  if ids = '{}' then return null; end if;
  -- In the order of acts on several audios, against deadlocks.
  perform from audios where voice_id = any (ids) and (published_at is not null or published_while_hidden is not null)
    order by id for no key update;
  update audios set published_at = published_at where voice_id = any (ids)
    and (published_at is not null or published_while_hidden is not null);
  return null;
end $$;
--> statement-breakpoint
create trigger voices_hidden after update on voices referencing old table as removed new table as added
  for each statement execute function hide_audios_of_voices();
--> statement-breakpoint

-- Comments: news of replies, and the oldest open report.
drop trigger comments_news on comments;
--> statement-breakpoint
drop trigger comments_news_shown on comments;
--> statement-breakpoint
drop function note_reply();
--> statement-breakpoint
create function note_replies(ids uuid[]) returns void language plpgsql as $$
begin
  insert into notifications (id, user_id, kind, subject_id, audio_id)
  select gen_random_uuid(), c.user_id, 'reply', r.id, r.audio_id from comments r join comments c on c.id = r.parent_id
  where r.id = any (ids) and c.user_id <> r.user_id
    and not exists (select from user_blocks b where b.user_id = c.user_id and b.blocked_id = r.user_id)
  on conflict do nothing;
end $$;
--> statement-breakpoint
create function note_added_replies() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from added where parent_id is not null and user_id is not null and not (waits_for_creator and hidden_at is not null));
begin
  if ids <> '{}' then perform note_replies(ids); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger comments_news after insert on comments referencing new table as added
  for each statement execute function note_added_replies();
--> statement-breakpoint
create function note_shown_replies() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from removed where waits_for_creator and hidden_at is not null
    intersect select id from added where hidden_at is null and parent_id is not null and user_id is not null);
begin
  if ids <> '{}' then perform note_replies(ids); end if;
  return null;
end $$;
--> statement-breakpoint
create trigger comments_news_shown after update on comments referencing old table as removed new table as added
  for each statement execute function note_shown_replies();
--> statement-breakpoint
drop trigger comment_reports_kept on comment_reports;
--> statement-breakpoint
create or replace function keep_reported_at() returns trigger language plpgsql as $$
declare
  ids uuid[];
begin
  case tg_op
    when 'INSERT' then ids := array(select distinct comment_id from added);
    when 'DELETE' then ids := array(select distinct comment_id from removed);
    else ids := array(select distinct comment_id from (
      select comment_id, user_id, created_at, settled_at from added
      except select comment_id, user_id, created_at, settled_at from removed) changed);
  end case;
  if ids = '{}' then return null; end if;
  perform from comments where id = any (ids) order by id for no key update;
  update comments c set reported_at = oldest.at
  from (
    select id, (select min(created_at) from comment_reports r where r.comment_id = reported.id and r.settled_at is null) as at
    from comments reported where id = any (ids)) oldest
  where c.id = oldest.id and c.reported_at is distinct from oldest.at;
  return null;
end $$;
--> statement-breakpoint
create trigger comment_reports_added after insert on comment_reports referencing new table as added
  for each statement execute function keep_reported_at();
--> statement-breakpoint
create trigger comment_reports_changed after update on comment_reports
  referencing old table as removed new table as added for each statement execute function keep_reported_at();
--> statement-breakpoint
create trigger comment_reports_removed after delete on comment_reports referencing old table as removed
  for each statement execute function keep_reported_at();
--> statement-breakpoint

-- Users: their comments while they are suspended, and search.
drop trigger users_suspend_comments on users;
--> statement-breakpoint
create or replace function suspend_comments() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from (select id, suspended_at is null from added except select id, suspended_at is null from removed) changed);
begin
  if ids = '{}' then return null; end if;
  update comments c set is_author_suspended = u.suspended_at is not null from users u
  where u.id = c.user_id and c.user_id = any (ids);
  return null;
end $$;
--> statement-breakpoint
create trigger users_suspend_comments after update on users referencing old table as removed new table as added
  for each statement execute function suspend_comments();
--> statement-breakpoint
drop trigger users_search_changed on users;
--> statement-breakpoint
drop function note_search_user();
--> statement-breakpoint
create function note_search_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into search_changes (kind, subject_id) select 'users', search_key(id) from removed;
  else
    insert into search_changes (kind, subject_id) select 'users', search_key(id) from (
      select id, username, icon, color, suspended_at from added
      except select id, username, icon, color, suspended_at from removed) changed;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger users_search_changed after update on users referencing old table as removed new table as added
  for each statement execute function note_search_users();
--> statement-breakpoint
create trigger users_search_removed after delete on users referencing old table as removed
  for each statement execute function note_search_users();
--> statement-breakpoint

-- Listeners' playlists: their row of counts, and search.
drop trigger user_playlists_counts on user_playlists;
--> statement-breakpoint
create or replace function create_user_playlist_counts() returns trigger language plpgsql as $$
begin
  insert into user_playlist_counts (user_playlist_id) select id from added on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger user_playlists_counts after insert on user_playlists referencing new table as added
  for each statement execute function create_user_playlist_counts();
--> statement-breakpoint
drop trigger user_playlists_search_added on user_playlists;
--> statement-breakpoint
drop trigger user_playlists_search_changed on user_playlists;
--> statement-breakpoint
drop trigger user_playlists_search_removed on user_playlists;
--> statement-breakpoint
drop function note_search_user_playlist();
--> statement-breakpoint
create function note_search_user_playlists(ids uuid[], user_ids uuid[]) returns void language sql as $$
  insert into search_changes (kind, subject_id)
  select 'user_playlists', search_key(id) from unnest(ids) id
  union all select 'users', search_key(id) from (select distinct unnest(user_ids) as id) owners;
$$;
--> statement-breakpoint
create function note_search_added_user_playlists() returns trigger language plpgsql as $$
begin
  perform note_search_user_playlists(array_agg(id), array_agg(user_id)) from added where is_public;
  return null;
end $$;
--> statement-breakpoint
create function note_search_changed_user_playlists() returns trigger language plpgsql as $$
begin
  perform note_search_user_playlists(array_agg(distinct id), array_agg(user_id)) from (
    (select id, user_id, title, background, font, is_public, created_at, deleted_at from added
      except select id, user_id, title, background, font, is_public, created_at, deleted_at from removed)
    union all
    (select id, user_id, title, background, font, is_public, created_at, deleted_at from removed
      except select id, user_id, title, background, font, is_public, created_at, deleted_at from added)) versions
  where is_public;
  return null;
end $$;
--> statement-breakpoint
create function note_search_removed_user_playlists() returns trigger language plpgsql as $$
begin
  perform note_search_user_playlists(array_agg(id), array_agg(user_id)) from removed where is_public;
  return null;
end $$;
--> statement-breakpoint
create trigger user_playlists_search_added after insert on user_playlists referencing new table as added
  for each statement execute function note_search_added_user_playlists();
--> statement-breakpoint
create trigger user_playlists_search_changed after update on user_playlists
  referencing old table as removed new table as added
  for each statement execute function note_search_changed_user_playlists();
--> statement-breakpoint
create trigger user_playlists_search_removed after delete on user_playlists referencing old table as removed
  for each statement execute function note_search_removed_user_playlists();
--> statement-breakpoint

-- News of gifts and payments.
drop trigger gift_cards_news on gift_cards;
--> statement-breakpoint
drop function note_redeemed_gift();
--> statement-breakpoint
create function note_redeemed_gifts() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from removed where redeemed_at is null
    intersect select id from added where redeemed_at is not null and buyer_id is not null);
begin
  if ids = '{}' then return null; end if;
  insert into notifications (id, user_id, kind, subject_id, detail)
  select gen_random_uuid(), u.id, 'gift-card', g.id, 'redeemed' from gift_cards g join users u on u.id = g.buyer_id
  where g.id = any (ids) and u.id is distinct from g.redeemed_by
  on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger gift_cards_news after update on gift_cards referencing old table as removed new table as added
  for each statement execute function note_redeemed_gifts();
--> statement-breakpoint
drop trigger membership_mails_news on membership_mails;
--> statement-breakpoint
drop function note_membership_mail();
--> statement-breakpoint
create function note_membership_mails() returns trigger language plpgsql as $$
declare
  ids uuid[] := array(
    select id from removed where sent_at is null intersect select id from added where sent_at is not null);
begin
  if ids = '{}' then return null; end if;
  insert into notifications (id, user_id, kind, subject_id, detail)
  select gen_random_uuid(), u.id, 'gift-card', g.id, 'received'
  from membership_mails m join gift_cards g on g.id = m.gift_card_id join users u on u.email = lower(g.recipient_email)
  where m.id = any (ids) and m.kind = 'gift' and g.redeemed_at is null
  on conflict do nothing;
  insert into notifications (id, user_id, kind, subject_id, detail)
  select gen_random_uuid(), user_id, 'payment', id, kind from membership_mails
  where id = any (ids) and user_id is not null and kind in ('welcome', 'trial-ends', 'receipt', 'payment-failed', 'ended')
  on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger membership_mails_news after update on membership_mails referencing old table as removed new table as added
  for each statement execute function note_membership_mails();
--> statement-breakpoint

-- Lists of categories and tags. `offset 0` and the lock keep the planner from beginning with all published audios, or all
-- rows of the lists, when its statistics say that there are few.
create or replace function put_in_lists(audio_ids uuid[], list_ids uuid[]) returns void language plpgsql as $$
begin
  with keys as materialized (
    select a.id as audio_id, l.list_id, a.published_at, a.sort_title, a.duration_ms
    from unnest(audio_ids, list_ids) as l (audio_id, list_id)
    cross join lateral (
      select id, published_at, sort_title, duration_ms from audios where id = l.audio_id offset 0) a
    where a.published_at is not null
  ), with_plays as (
    insert into audio_list_plays (audio_id, list_id, plays)
    select k.audio_id, k.list_id, c.plays from keys k
    cross join lateral (select plays from audio_counts where audio_id = k.audio_id offset 0) c
    on conflict do nothing
  )
  insert into audio_list_keys as k select * from keys
  on conflict (audio_id, list_id) do update
    set published_at = excluded.published_at, sort_title = excluded.sort_title, duration_ms = excluded.duration_ms
    where (k.published_at, k.sort_title, k.duration_ms)
      is distinct from (excluded.published_at, excluded.sort_title, excluded.duration_ms);
end $$;
--> statement-breakpoint
create or replace function list_plays() returns trigger language plpgsql as $$
begin
  -- A play waits for no audio that is being edited: the next play brings the number up to date.
  with changed as (
    select p.audio_id, p.list_id, n.plays
    from (select audio_id, plays from added except select audio_id, plays from removed) n
    cross join lateral (
      select audio_id, list_id from audio_list_plays where audio_id = n.audio_id for no key update skip locked) p
  )
  update audio_list_plays p set plays = c.plays from changed c where p.audio_id = c.audio_id and p.list_id = c.list_id;
  return null;
end $$;
--> statement-breakpoint

-- The planner has no statistics of changed rows, and a plan for one row must do for many: rows are found by index only.
-- Generic, because a plan for the given ids would be made at each call.
do $$
declare
  function regprocedure;
  setting text;
begin
  foreach function in array array[
    'count_audio_favorites()', 'count_changed_audios()', 'count_playlist_items()', 'count_user_playlist_items()',
    'count_voice_favorites()', 'hide_audios_of_voices()', 'keep_former_slugs()', 'keep_reported_at()', 'list_audios(uuid[])',
    'list_changed_audios()', 'list_plays()', 'move_audios()', 'note_membership_mails()', 'note_publications()',
    'note_redeemed_gifts()', 'note_replies(uuid[])', 'put_added_in_lists()', 'put_in_lists(uuid[], uuid[])',
    'recount_playlists(uuid[])', 'recount_playlists_of_audios()', 'recount_user_playlists(uuid[])', 'suspend_comments()',
    'take_removed_from_lists()', 'tally_comments(uuid[], uuid[], integer[])']::regprocedure[]
  loop
    foreach setting in array array[
      'enable_seqscan = off', 'enable_hashjoin = off', 'enable_mergejoin = off', 'plan_cache_mode = force_generic_plan']
    loop
      execute format('alter function %s set %s', function, setting);
    end loop;
  end loop;
end $$;
