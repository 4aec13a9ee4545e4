-- lock: 5s
-- Archives of creators, which are read back like feeds (decision 105).
alter table feed_imports
  -- File of an archive; null: a feed.
  add column archive_name text check (length(archive_name) <= 255),
  -- Blob of the archive, until all that it holds is here.
  add column archive_key text,
  -- Folder of the creator in an archive of a whole site, with its slash; empty: the archive is a creator's.
  add column archive_folder text not null default '' check (length(archive_folder) <= 200),
  -- It begins without anybody who has seen its plan.
  add column runs_alone boolean not null default false;
--> statement-breakpoint
create index feed_imports_archive_idx on feed_imports (archive_key) where archive_key is not null;
--> statement-breakpoint
select note_files_of('feed_imports', 'archive_key');
--> statement-breakpoint
alter table feed_import_items
  -- Translations of its transcript, until its audio has them.
  add column translations jsonb check (jsonb_typeof(translations) = 'array');
--> statement-breakpoint

-- Files of archives that were imported and have no place here: figures and comments of a former site. They leave with the
-- creator's next archive.
create table moved_in_files (
  voice_id uuid not null references voices (id) on delete cascade,
  -- Its path in the next archive.
  path text not null check (path like 'before/%' and length(path) <= 200),
  file_key text not null,
  bytes bigint not null check (bytes >= 0),
  primary key (voice_id, path)
);
--> statement-breakpoint
create index moved_in_files_file_idx on moved_in_files (file_key);
--> statement-breakpoint
select note_files_of('moved_in_files', 'file_key');
