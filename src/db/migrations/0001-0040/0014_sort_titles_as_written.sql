-- A–Z goes by titles as they are written: the articles that were left out of the sort keys come back.
update audios set sort_title = left(
    substring(lower(regexp_replace(title, '[^[:alnum:] ]', '', 'g')) from '^ *(the|an|a) [^ ]') || ' ' || sort_title, 200)
  where lower(regexp_replace(title, '[^[:alnum:] ]', '', 'g')) ~ '^ *(the|an|a) [^ ]';
--> statement-breakpoint
update series set sort_title = left(
    substring(lower(regexp_replace(title, '[^[:alnum:] ]', '', 'g')) from '^ *(the|an|a) [^ ]') || ' ' || sort_title, 200)
  where lower(regexp_replace(title, '[^[:alnum:] ]', '', 'g')) ~ '^ *(the|an|a) [^ ]';
--> statement-breakpoint
update articles set sort_title = left(
    substring(lower(regexp_replace(title, '[^[:alnum:] ]', '', 'g')) from '^ *(the|an|a) [^ ]') || ' ' || sort_title, 200)
  where lower(regexp_replace(title, '[^[:alnum:] ]', '', 'g')) ~ '^ *(the|an|a) [^ ]';
--> statement-breakpoint
update voices set sort_name = left(
    substring(lower(regexp_replace(name, '[^[:alnum:] ]', '', 'g')) from '^ *(the|an|a) [^ ]') || ' ' || sort_name, 200)
  where lower(regexp_replace(name, '[^[:alnum:] ]', '', 'g')) ~ '^ *(the|an|a) [^ ]';
