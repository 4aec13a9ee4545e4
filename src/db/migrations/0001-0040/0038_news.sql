-- lock: 5s
-- News: what listeners are told of, and where.

-- Audios whose followers are to be told. Triggers write it in the transaction that publishes, whoever does.
create table news_batches (
  audio_id uuid primary key references audios (id) on delete cascade,
  due_at timestamptz(3) not null,
  started_at timestamptz(3),
  -- The last follower who was told; null: none yet.
  after_user_id uuid,
  told integer not null default 0 check (told >= 0),
  done_at timestamptz(3)
);
--> statement-breakpoint
create index news_batches_due_idx on news_batches (due_at) where done_at is null;
--> statement-breakpoint

create table notifications (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('new-audio', 'reply', 'gift-card', 'payment')),
  -- The audio, reply, gift card, or mail about a payment.
  subject_id uuid not null,
  audio_id uuid references audios (id) on delete cascade,
  -- Of gift cards and payments: what happened.
  detail text check (length(detail) <= 40),
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  -- False until the times of mail and push are worked out.
  is_planned boolean not null default false,
  -- Null: nothing to send, or it was sent. Later than planned while a process sends it.
  mail_due_at timestamptz(3),
  push_due_at timestamptz(3),
  unique (user_id, kind, subject_id)
);
--> statement-breakpoint
create index notifications_recent_idx on notifications (user_id, created_at desc, id desc);
--> statement-breakpoint
create index notifications_audio_idx on notifications (audio_id);
--> statement-breakpoint
create index notifications_unplanned_idx on notifications (created_at) where not is_planned;
--> statement-breakpoint
create index notifications_mail_idx on notifications (mail_due_at) where mail_due_at is not null;
--> statement-breakpoint
create index notifications_push_idx on notifications (push_due_at) where push_due_at is not null;
--> statement-breakpoint
create index notifications_age_idx on notifications (created_at);
--> statement-breakpoint

-- Without a row: in the interface only.
create table notification_preferences (
  user_id uuid primary key references users (id) on delete cascade,
  email text not null default 'off' check (email in ('off', 'at-once', 'daily', 'weekly')),
  -- Of digests, in the time zone. 0 is Sunday.
  digest_hour smallint not null default 18 check (digest_hour between 0 and 23),
  digest_weekday smallint not null default 5 check (digest_weekday between 0 and 6),
  is_push_on boolean not null default false,
  shows_titles boolean not null default false,
  -- Kinds that are neither mailed nor pushed.
  muted_kinds text[] not null default '{}',
  quiet_from smallint check (quiet_from between 0 and 23),
  quiet_until smallint check (quiet_until between 0 and 23),
  time_zone text not null default 'UTC' check (length(time_zone) <= 64),
  updated_at timestamptz(3) not null default now(),
  check ((quiet_from is null) = (quiet_until is null) and (quiet_from is null or quiet_from <> quiet_until))
);
--> statement-breakpoint

-- Favorite voices of which this user wants no news.
create table voice_mutes (
  user_id uuid not null references users (id) on delete cascade,
  voice_id uuid not null references voices (id) on delete cascade,
  primary key (user_id, voice_id)
);
--> statement-breakpoint
create index voice_mutes_voice_idx on voice_mutes (voice_id);
--> statement-breakpoint

create table series_follows (
  user_id uuid not null references users (id) on delete cascade,
  series_id uuid not null references series (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (series_id, user_id)
);
--> statement-breakpoint
create index series_follows_user_idx on series_follows (user_id);
--> statement-breakpoint

create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Pushes end with the log-out: others may use the browser after that.
  session_id uuid not null references sessions (id) on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 2000),
  p256dh text not null check (length(p256dh) <= 200),
  auth text not null check (length(auth) <= 100),
  device text not null check (length(device) <= 200),
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  -- Failures in a row, and when it is tried again.
  failures integer not null default 0,
  not_before timestamptz(3)
);
--> statement-breakpoint
create index push_subscriptions_user_idx on push_subscriptions (user_id);
--> statement-breakpoint
create index push_subscriptions_session_idx on push_subscriptions (session_id);
--> statement-breakpoint

-- In the order of the fan-out.
create index voice_favorites_follower_idx on voice_favorites (content_id, user_id);
--> statement-breakpoint
drop index voice_favorites_content_idx;
--> statement-breakpoint

create function note_publication() returns trigger language plpgsql as $$
begin
  -- Once an audio was told, the row stays, and a further publication changes nothing.
  insert into news_batches as b (audio_id, due_at) values (new.id, new.published_at)
  on conflict (audio_id) do update set due_at = excluded.due_at where b.started_at is null;
  return null;
end $$;
--> statement-breakpoint
-- What was published for longer, such as an imported catalogue, is no news.
create trigger audios_news_added after insert on audios for each row
  when (new.published_at > now() - interval '1 day') execute function note_publication();
--> statement-breakpoint
create trigger audios_news_published after update of published_at on audios for each row
  when (new.published_at is distinct from old.published_at and new.published_at > now() - interval '1 day'
    and new.first_published_at is null and (old.published_at is null or old.published_at > now()))
  execute function note_publication();
--> statement-breakpoint
insert into news_batches (audio_id, due_at) select id, published_at from audios where published_at > now();
--> statement-breakpoint

create function note_reply() returns trigger language plpgsql as $$
begin
  insert into notifications (id, user_id, kind, subject_id, audio_id)
  select gen_random_uuid(), c.user_id, 'reply', new.id, new.audio_id from comments c
  where c.id = new.parent_id and c.user_id <> new.user_id
    and not exists (select from user_blocks b where b.user_id = c.user_id and b.blocked_id = new.user_id)
  on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger comments_news after insert on comments for each row
  when (new.parent_id is not null and new.user_id is not null) execute function note_reply();
--> statement-breakpoint

-- When its mail goes out, which says the same.
create function note_membership_mail() returns trigger language plpgsql as $$
begin
  if new.kind = 'gift' then
    insert into notifications (id, user_id, kind, subject_id, detail)
    select gen_random_uuid(), u.id, 'gift-card', g.id, 'received' from gift_cards g join users u on u.email = lower(g.recipient_email)
    where g.id = new.gift_card_id and g.redeemed_at is null
    on conflict do nothing;
  elsif new.user_id is not null and new.kind in ('welcome', 'trial-ends', 'receipt', 'payment-failed', 'ended') then
    insert into notifications (id, user_id, kind, subject_id, detail)
    values (gen_random_uuid(), new.user_id, 'payment', new.id, new.kind)
    on conflict do nothing;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger membership_mails_news after update of sent_at on membership_mails for each row
  when (old.sent_at is null and new.sent_at is not null) execute function note_membership_mail();
--> statement-breakpoint

create function note_redeemed_gift() returns trigger language plpgsql as $$
begin
  insert into notifications (id, user_id, kind, subject_id, detail)
  select gen_random_uuid(), u.id, 'gift-card', new.id, 'redeemed' from users u
  where u.id = new.buyer_id and u.id is distinct from new.redeemed_by
  on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger gift_cards_news after update of redeemed_at on gift_cards for each row
  when (old.redeemed_at is null and new.redeemed_at is not null and new.buyer_id is not null) execute function note_redeemed_gift();
