-- lock: 5s
-- Rebuilds of the search index that are asked for or run, so that a second one at once is refused in every process.
create table search_rebuilds (
  holder uuid primary key,
  held_until timestamptz(3) not null
);
