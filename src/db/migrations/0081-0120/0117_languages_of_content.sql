-- lock: 5s
-- BCP 47: `de`, `pt-BR`; `zxx` for sound without words. A creator's is the choice for new audios. Null: not known, as of
-- comments that were written before.
alter table voices add column language text not null default 'en',
  add constraint voices_language_check check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and length(language) <= 35) not valid;
--> statement-breakpoint
alter table audios add column language text not null default 'en',
  add constraint audios_language_check check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and length(language) <= 35) not valid;
--> statement-breakpoint
alter table articles add column language text not null default 'en',
  add constraint articles_language_check check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and length(language) <= 35) not valid;
--> statement-breakpoint
alter table comments add column language text,
  add constraint comments_language_check check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and length(language) <= 35) not valid;
