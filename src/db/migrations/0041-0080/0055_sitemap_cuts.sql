-- lock: 5s
-- The slugs at which the files of a large catalogue's sitemap begin. Cutting a million slugs takes more than a second,
-- so a job does it, not the request for the sitemap.
create table sitemap_cuts (
  kind text not null,
  before text not null,
  primary key (kind, before)
);
