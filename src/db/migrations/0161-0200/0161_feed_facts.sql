-- lock: 5s
-- For podcast apps and directories: the licence of a creator's free audios, and the text that proves a feed is theirs.
alter table voices
  add column license text not null default '',
  add column directory_text text not null default '',
  add constraint voices_directory_text_check check (char_length(directory_text) <= 500) not valid;
