import { type SQL, sql } from 'drizzle-orm';
import { isFreeToAll } from '../catalogue/audios.ts';
import { lengthSql, voiceTypeSql } from '../catalogue/filters/columns.ts';

/** Nothing is asked, or the value is among what is. */
const allows = (name: string, value: SQL) =>
  sql`(mix.filter -> ${name} is null or mix.filter -> ${name} ? (${value})::text)`;

/**
 * SQL condition: the audio of a row of `audios` fits the mix of a row `mix`, whose user gets news of it. It says the
 * same as the filters of lists (`catalogue/filters/`), for many mixes and one audio instead of one filter and many
 * audios. `offset 0` as in `isStillWanted`.
 */
export const fitsMix: SQL = sql`(mix.has_news and mix.deleted_at is null
  and (mix.voice_id is null or audios.voice_id = (select coalesce(merged_into, id) from voices where id = mix.voice_id))
  and (mix.category_id is null or exists (select from audio_categories filed
    where filed.audio_id = audios.id and filed.category_id = mix.category_id offset 0))
  and ${allows('length', lengthSql(sql`audios.duration_ms`))}
  and ${allows('language', sql`split_part(audios.language, '-', 1)`)}
  and ${allows('voiceType', sql`select ${voiceTypeSql(sql`voice_type_label`)} from voices where id = audios.voice_id`)}
  and (mix.filter -> 'syntheticVoice' is null or mix.filter ->> 'syntheticVoice' = audios.synthetic_voice)
  and (mix.filter -> 'free' is null or ${isFreeToAll})
  and (mix.filter -> 'shorterThan' is null or audios.duration_ms < (mix.filter ->> 'shorterThan')::int * 1000)
  and not exists (select from audio_tags tagged
    where tagged.audio_id = audios.id and tagged.tag_id = any(mix.not_tag_ids) offset 0)
  and not exists (select from unnest(mix.tag_ids) wanted (id) left join tags on tags.id = wanted.id
    where not exists (select from audio_tags tagged join tags own on own.id = tagged.tag_id
      where tagged.audio_id = audios.id and own.id = any(mix.tag_ids)
        and (own.id = wanted.id or own.facet_id = tags.facet_id) offset 0) offset 0))`;
