-- The tables get the names that the product uses. Each statement holds its lock for a moment only: no row is touched.
alter table left_out_tags rename to hidden_tags;
--> statement-breakpoint
alter index left_out_tags_tag_idx rename to hidden_tags_tag_idx;
--> statement-breakpoint
alter index left_out_tags_pkey rename to hidden_tags_pkey;
--> statement-breakpoint
alter table insight_events rename to analytics_events;
--> statement-breakpoint
alter index insight_events_time_idx rename to analytics_events_time_idx;
--> statement-breakpoint
alter index insight_events_user_idx rename to analytics_events_user_idx;
--> statement-breakpoint
alter index insight_events_pkey rename to analytics_events_pkey;
--> statement-breakpoint
alter table insight_consents rename to analytics_consents;
--> statement-breakpoint
alter index insight_consents_pkey rename to analytics_consents_pkey;
--> statement-breakpoint
alter table hidden_tags rename constraint left_out_tags_user_id_fkey to hidden_tags_user_id_fkey;
--> statement-breakpoint
alter table hidden_tags rename constraint left_out_tags_tag_id_fkey to hidden_tags_tag_id_fkey;
--> statement-breakpoint
alter table analytics_events rename constraint insight_events_user_id_fkey to analytics_events_user_id_fkey;
--> statement-breakpoint
alter table analytics_consents rename constraint insight_consents_user_id_fkey to analytics_consents_user_id_fkey;
