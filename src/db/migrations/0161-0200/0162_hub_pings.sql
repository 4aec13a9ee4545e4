-- lock: 5s
-- The newest item of each public feed that the WebSub hub was told of.
create table hub_pings (
  -- Address of the feed, without the prefix of a language.
  path text primary key,
  newest timestamptz(3) not null
);
