-- lock: 5s

-- Each page of an audio asks for its newest comment. With the audio alone as key, PostgreSQL may walk all comments.
drop index comments_of_audio_idx;
--> statement-breakpoint
create index comments_of_audio_idx on comments (audio_id, id);
--> statement-breakpoint

-- The day (UTC) of the latest play, so that search reads again only what was played.
alter table audio_counts add column played_on date;
--> statement-breakpoint
create index audio_counts_played_on_idx on audio_counts (played_on, audio_id) where played_on is not null;
--> statement-breakpoint
alter table user_playlist_counts add column played_on date;
--> statement-breakpoint
create index user_playlist_counts_played_on_idx on user_playlist_counts (played_on, user_playlist_id) where played_on is not null;
