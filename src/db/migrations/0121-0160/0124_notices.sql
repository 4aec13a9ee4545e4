-- lock: 5s
-- Reports of anyone about any content, their decisions and appeals; reported comments are among them.

create table notices (
  id uuid primary key,
  number bigint not null generated always as identity unique,
  subject_type text not null,
  -- Null: an address of the site that is no content of a creator or user.
  subject_id uuid,
  -- As it was then.
  subject_name text not null,
  address text not null,
  -- Its creator's side: the owners of a voice, or a user.
  voice_id uuid references voices (id) on delete set null,
  owner_id uuid references users (id) on delete set null,
  kind text not null,
  -- Reports of a comment by listeners, which `comment_reports` has; one notice for all of them.
  of_reports boolean not null default false,
  -- Country, law, work and rights holder.
  facts jsonb not null default '{}',
  details text check (length(details) between 1 and 5000),
  name text,
  email text,
  reporter_id uuid references users (id) on delete set null,
  language text,
  -- The same report sent twice is one.
  digest text,
  -- SHA-256 of the tokens of the private pages, in hex.
  reporter_token text unique,
  owner_token text unique,
  created_at timestamptz(3) not null default now(),
  -- Null until a process of this version has seen a notice of `comment_reports`.
  due_at timestamptz(3),
  -- The content is hidden until the decision: by its kind, because it was overdue, or because a consent was withdrawn.
  hidden_at timestamptz(3),
  hidden_by text check (hidden_by in ('kind', 'overdue', 'consent')),
  opened_by uuid references users (id) on delete set null,
  opened_at timestamptz(3),
  asked_at timestamptz(3),
  asked_by uuid references users (id) on delete set null,
  answer text check (length(answer) between 1 and 5000),
  answered_at timestamptz(3),
  settled_at timestamptz(3)
);
--> statement-breakpoint
create index notices_open_idx on notices (due_at, number) where settled_at is null;
--> statement-breakpoint
create index notices_settled_idx on notices (settled_at desc, id desc) where settled_at is not null;
--> statement-breakpoint
create index notices_subject_idx on notices (subject_id) where subject_id is not null;
--> statement-breakpoint
create unique index notices_of_reports_idx on notices (subject_id) where of_reports;
--> statement-breakpoint
create index notices_digest_idx on notices (digest) where digest is not null;
--> statement-breakpoint
create index notices_reporter_idx on notices (reporter_id) where reporter_id is not null;
--> statement-breakpoint
create index notices_owner_idx on notices (owner_id) where owner_id is not null;
--> statement-breakpoint
create index notices_voice_idx on notices (voice_id) where voice_id is not null;
--> statement-breakpoint
create index notices_opened_idx on notices (opened_by) where opened_by is not null;
--> statement-breakpoint
create index notices_asked_idx on notices (asked_by) where asked_by is not null;
--> statement-breakpoint

create table notice_decisions (
  id uuid primary key,
  notice_id uuid not null references notices (id) on delete cascade,
  -- The appeal that it answers; null: the notice itself.
  appeal_id uuid,
  verb text not null check (verb in ('keep', 'hide', 'remove')),
  ground text not null,
  clause text,
  reasons text check (length(reasons) between 1 and 2000),
  -- Null: the command line, or an account that was deleted.
  decided_by uuid references users (id) on delete set null,
  -- It deleted the audio, which was not deleted before.
  deleted boolean not null default false,
  created_at timestamptz(3) not null default now(),
  -- When mails follow; null: done, or undone in time.
  follow_up_at timestamptz(3),
  undone_at timestamptz(3)
);
--> statement-breakpoint
create index notice_decisions_notice_idx on notice_decisions (notice_id, id desc);
--> statement-breakpoint
create index notice_decisions_by_idx on notice_decisions (decided_by) where decided_by is not null;
--> statement-breakpoint
create index notice_decisions_follow_up_idx on notice_decisions (follow_up_at) where follow_up_at is not null;
--> statement-breakpoint

create table notice_appeals (
  id uuid primary key,
  notice_id uuid not null references notices (id) on delete cascade,
  side text not null check (side in ('reporter', 'owner')),
  reasons text check (length(reasons) between 1 and 5000),
  created_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null,
  settled_at timestamptz(3),
  unique (notice_id, side)
);
--> statement-breakpoint
create index notice_appeals_open_idx on notice_appeals (due_at, id) where settled_at is null;
--> statement-breakpoint

-- Hidden by the desk. What was public is kept beside it, and comes back with it.
alter table audios add column withheld_at timestamptz(3);
--> statement-breakpoint
alter table voices add column withheld_at timestamptz(3);
--> statement-breakpoint
alter table user_playlists add column withheld_at timestamptz(3), add column public_while_withheld boolean;
--> statement-breakpoint
alter table users add column profile_withheld_at timestamptz(3);
--> statement-breakpoint
create or replace function hold_back_hidden() returns trigger language plpgsql as $$
declare
  is_hidden boolean;
begin
  -- Nothing of it can be public, so unpublishing and deleting wait for nobody.
  if new.deleted_at is not null or coalesce(new.published_at, new.published_while_hidden) is null then return new; end if;
  select hidden_at is not null into is_hidden from voices where id = new.voice_id for share;
  if is_hidden or new.withheld_at is not null then
    new.published_while_hidden := coalesce(new.published_at, new.published_while_hidden);
    new.published_at := null;
  elsif new.published_while_hidden is not null then
    new.published_at := coalesce(new.published_at, new.published_while_hidden);
    new.published_while_hidden := null;
  end if;
  return new;
end $$;
--> statement-breakpoint
drop trigger audios_hold_back on audios;
--> statement-breakpoint
create trigger audios_hold_back before insert or update of published_at, voice_id, withheld_at on audios
  for each row execute function hold_back_hidden();
--> statement-breakpoint
create function hold_back_playlist() returns trigger language plpgsql as $$
begin
  if new.withheld_at is not null then
    new.public_while_withheld := new.is_public or (old.withheld_at is not null and old.public_while_withheld);
    new.is_public := false;
  elsif old.withheld_at is not null then
    new.is_public := coalesce(old.public_while_withheld, false);
    new.public_while_withheld := null;
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger user_playlists_hold_back before update of is_public, withheld_at on user_playlists
  for each row when (new.withheld_at is not null or old.withheld_at is not null) execute function hold_back_playlist();
--> statement-breakpoint

create function keep_notice_of_reports() returns trigger language plpgsql as $$
begin
  if new.reported_at is null then
    update notices set settled_at = now() where subject_id = new.id and of_reports and settled_at is null;
  else
    insert into notices (id, subject_type, subject_id, subject_name, address, voice_id, owner_id, kind, of_reports, created_at)
    select gen_random_uuid(), 'comment', new.id, coalesce(u.username, ''), '/audio/' || a.slug, a.voice_id, new.user_id, 'rules',
      true, new.reported_at
    from audios a left join users u on u.id = new.user_id where a.id = new.audio_id
    on conflict (subject_id) where of_reports do update set settled_at = null,
      created_at = excluded.created_at, due_at = case when notices.created_at = excluded.created_at then notices.due_at end;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger comments_reported after update of reported_at on comments for each row
  when (old.reported_at is distinct from new.reported_at) execute function keep_notice_of_reports();
--> statement-breakpoint
insert into notices (id, subject_type, subject_id, subject_name, address, voice_id, owner_id, kind, of_reports, created_at)
select gen_random_uuid(), 'comment', c.id, coalesce(u.username, ''), '/audio/' || a.slug, a.voice_id, c.user_id, 'rules', true,
  c.reported_at
from comments c join audios a on a.id = c.audio_id left join users u on u.id = c.user_id
where c.reported_at is not null;
