-- lock: 5s
-- Comments with links wait until the creator has read them, where the creator asks for it.

alter table voices add column holds_links boolean not null default false;
--> statement-breakpoint
-- Such a comment is hidden, as one that the creator hid: counts, lists and processes of the version before leave it out.
alter table comments add column waits_for_creator boolean not null default false;
