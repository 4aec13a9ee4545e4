-- lock: 5s
-- Who may comment: everyone with an account, subscribers only, or nobody; and what a creator's new audios start with.
-- And how long the processing of an upload takes yet.

-- `comments_disabled` stays and means nobody, so that processes of the version before go on (decision 022).
alter table audios add column comments_for_subscribers boolean not null default false;
--> statement-breakpoint
alter table voices add column commenters text not null default 'everyone'
  check (commenters in ('everyone', 'subscribers', 'nobody'));
--> statement-breakpoint
update audio_drafts set fields = (fields - 'commentsDisabled')
  || jsonb_build_object('commenters', case when (fields ->> 'commentsDisabled')::boolean then 'nobody' else 'everyone' end)
where fields ? 'commentsDisabled';
--> statement-breakpoint
update audio_field_changes set field = 'commenters' where field = 'commentsDisabled';
--> statement-breakpoint
update uploads set choices = (choices - 'commentsDisabled')
  || jsonb_build_object('commenters', case when (choices ->> 'commentsDisabled')::boolean then 'nobody' else 'everyone' end)
where choices ? 'commentsDisabled';
--> statement-breakpoint
-- Null: not known.
alter table uploads add column seconds_left integer check (seconds_left >= 0);
