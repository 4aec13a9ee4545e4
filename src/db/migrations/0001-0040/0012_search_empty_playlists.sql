-- Empty playlists are not found: the search index hears of the first audio and of the last.
create function note_search_user_playlist_count() returns trigger language plpgsql as $$
begin
  insert into search_changes (kind, subject_id) values ('user_playlists', search_key(new.user_playlist_id));
  return null;
end $$;
--> statement-breakpoint
create trigger user_playlist_counts_search_changed after update of audios on user_playlist_counts for each row
  when ((old.audios = 0) is distinct from (new.audios = 0)) execute function note_search_user_playlist_count();
