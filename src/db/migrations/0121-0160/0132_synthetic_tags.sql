-- lock: 5s
-- What the tag of a processed recording says about its voice; it follows the audio.
alter table recordings add column tagged_as text not null default 'none',
  add constraint recordings_tagged_as_check check (tagged_as in ('none', 'partly', 'wholly')) not valid;
