-- lock: 5s
-- Reports are decided, and decisions can be undone. Operators change the lists of the catalogue while the site runs.

alter table comments
  -- Hidden only until its reports are decided.
  add column is_held boolean not null default false,
  -- The first open report; null without one.
  add column reported_at timestamptz(3),
  add constraint comments_held_is_removed check (not is_held or removed_at is not null);
--> statement-breakpoint
create index comments_reported_idx on comments (reported_at, id) where reported_at is not null;
--> statement-breakpoint

create table comment_decisions (
  id uuid primary key,
  -- Null after the comment was deleted.
  comment_id uuid references comments (id) on delete set null,
  -- Its author.
  user_id uuid not null references users (id) on delete cascade,
  audio_id uuid references audios (id) on delete set null,
  -- The comment as it was then.
  text text not null check (length(text) between 1 and 1000),
  verb text not null check (verb in ('keep', 'remove', 'warn', 'suspend')),
  note text check (length(note) between 1 and 500),
  -- Null: the operator on the command line, or an account that was deleted.
  decided_by uuid references users (id) on delete set null,
  -- The comment before, for undoing.
  removed_before timestamptz(3),
  held_before boolean not null,
  -- This decision suspended the author, who was not suspended before.
  suspended boolean not null default false,
  pays_back boolean not null default false,
  tells_owners boolean not null default false,
  -- When mails and billing follow; null: done, or undone in time.
  follow_up_at timestamptz(3),
  -- When mails and billing followed.
  followed_up_at timestamptz(3),
  undone_at timestamptz(3),
  undone_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index comment_decisions_user_idx on comment_decisions (user_id, id desc);
--> statement-breakpoint
create index comment_decisions_comment_idx on comment_decisions (comment_id, id desc) where comment_id is not null;
--> statement-breakpoint
create index comment_decisions_audio_idx on comment_decisions (audio_id) where audio_id is not null;
--> statement-breakpoint
create index comment_decisions_by_idx on comment_decisions (decided_by) where decided_by is not null;
--> statement-breakpoint
create index comment_decisions_undone_by_idx on comment_decisions (undone_by) where undone_by is not null;
--> statement-breakpoint
create index comment_decisions_follow_up_idx on comment_decisions (follow_up_at) where follow_up_at is not null;
--> statement-breakpoint
alter table comment_reports add column decision_id uuid references comment_decisions (id) on delete set null;
--> statement-breakpoint
create index comment_reports_decision_idx on comment_reports (decision_id) where decision_id is not null;
--> statement-breakpoint

create function keep_reported_at() returns trigger language plpgsql as $$
declare
  id_of uuid := case tg_op when 'DELETE' then old.comment_id else new.comment_id end;
begin
  update comments c set reported_at = oldest.at
  from (select min(created_at) as at from comment_reports where comment_id = id_of and settled_at is null) oldest
  where c.id = id_of and c.reported_at is distinct from oldest.at;
  return null;
end $$;
--> statement-breakpoint
create trigger comment_reports_kept after insert or delete or update of settled_at on comment_reports
  for each row execute function keep_reported_at();
--> statement-breakpoint
update comments c set reported_at = r.at
from (select comment_id, min(created_at) as at from comment_reports where settled_at is null group by comment_id) r
where r.comment_id = c.id;
--> statement-breakpoint

alter table voices
  add column hidden_at timestamptz(3),
  -- All that was its own belongs to that voice now; the row keeps its address going on.
  add column merged_into uuid references voices (id) on delete set null,
  add constraint voices_merged_is_hidden check (merged_into is null or hidden_at is not null);
--> statement-breakpoint
create index voices_merged_idx on voices (merged_into) where merged_into is not null;
--> statement-breakpoint

-- The audios of a hidden voice have no published_at, so that every query that shows only what is out hides them; showing
-- the voice again gives the date back.
alter table audios add column published_while_hidden timestamptz(3);
--> statement-breakpoint
create function hold_back_hidden() returns trigger language plpgsql as $$
begin
  if exists (select from voices where id = new.voice_id and hidden_at is not null) then
    new.published_while_hidden := coalesce(new.published_at, new.published_while_hidden);
    new.published_at := null;
  elsif new.published_while_hidden is not null and new.deleted_at is null then
    new.published_at := coalesce(new.published_at, new.published_while_hidden);
    new.published_while_hidden := null;
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger audios_hold_back before insert or update of published_at, voice_id on audios
  for each row execute function hold_back_hidden();
--> statement-breakpoint
create function hide_audios_of_voice() returns trigger language plpgsql as $$
begin
  update audios set published_at = published_at where voice_id = new.id
    and (published_at is not null or published_while_hidden is not null);
  return null;
end $$;
--> statement-breakpoint
create trigger voices_hidden after update of hidden_at on voices for each row
  when ((old.hidden_at is null) <> (new.hidden_at is null)) execute function hide_audios_of_voice();
--> statement-breakpoint

alter table categories add column hidden_at timestamptz(3);
--> statement-breakpoint

-- Null: a draft. Deleting can be undone for 30 days; published_at is null meanwhile.
alter table playlists
  add column published_at timestamptz(3) default now(),
  add column deleted_at timestamptz(3),
  add column published_at_deletion timestamptz(3),
  add constraint playlists_deleted_is_hidden check (deleted_at is null or published_at is null);
--> statement-breakpoint
create index playlists_deleted_idx on playlists (deleted_at) where deleted_at is not null;
