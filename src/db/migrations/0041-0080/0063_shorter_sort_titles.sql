-- lock: 5s

-- Sort titles of long Korean titles made cursors that were refused. Triggers change `audio_list_keys` too.
update audios set sort_title = left(sort_title, 200) where length(sort_title) > 200;
--> statement-breakpoint
update series set sort_title = left(sort_title, 200) where length(sort_title) > 200;
--> statement-breakpoint
update voices set sort_name = left(sort_name, 200) where length(sort_name) > 200;
