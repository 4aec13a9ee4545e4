-- lock: 5s
-- Articles are edited in the browser: topics are a setting, of two editors one gets a conflict, a deletion can be undone.

alter table articles
  drop constraint articles_topic_check,
  -- A slug of the setting "blog-topics".
  add constraint articles_topic_check check (topic ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(topic) <= 80),
  add column revision integer not null default 1 check (revision > 0),
  add column deleted_at timestamptz(3),
  -- When it was published, to be so again once it is restored.
  add column published_at_deletion timestamptz(3),
  -- The whole picture, and which part of it image_key shows.
  add column picture_key text,
  add column picture_area jsonb;
--> statement-breakpoint
create index articles_updated_idx on articles (updated_at desc, id desc);
--> statement-breakpoint
-- Drafts come last.
create index articles_by_publication_idx on articles (coalesce(published_at, '-infinity'::timestamptz) desc, id desc);
--> statement-breakpoint
create index articles_deleted_idx on articles (deleted_at) where deleted_at is not null;
--> statement-breakpoint

-- Addresses that articles had before.
create table former_article_slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  article_id uuid not null references articles (id) on delete cascade
);
--> statement-breakpoint
create index former_article_slugs_article_idx on former_article_slugs (article_id);
--> statement-breakpoint
create function keep_former_article_slug() returns trigger language plpgsql as $$
begin
  delete from former_article_slugs where slug = new.slug;
  if tg_op = 'UPDATE' then
    insert into former_article_slugs (slug, article_id) values (old.slug, new.id)
    on conflict (slug) do update set article_id = excluded.article_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger articles_slug_taken after insert on articles for each row execute function keep_former_article_slug();
--> statement-breakpoint
create trigger articles_slug_changed after update of slug on articles for each row
  when (old.slug is distinct from new.slug) execute function keep_former_article_slug();
