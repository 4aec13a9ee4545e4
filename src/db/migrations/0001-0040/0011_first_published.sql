-- When an audio first came out: kept while it is a draft again, so that publishing it once more keeps its date.
alter table audios add column first_published_at timestamptz(3);
