import { type SQL, sql } from 'drizzle-orm';
import { previewId } from '../catalogue/audios.ts';
import { creditedNamesSql } from '../catalogue/credits/credits.ts';
import { playsOfVoice } from '../catalogue/totals.ts';
import { avatarColors } from '../identity/rules.ts';
import type { SearchGroup } from './forms.ts';
import { propertiesSql } from './properties.ts';
import { playsOfOwner, playsOfSeries } from './plays.ts';

/** SQL by which rows of a group become documents: the fields of `SearchDocument`, and the hit as JSON. */
type Reader = {
  from: SQL;
  key?: SQL;
  id: SQL;
  /** True for the rows that are searchable. */
  isFound: SQL;
  name: SQL;
  hit: Record<string, SQL>;
  by?: SQL;
  labels?: SQL;
  text?: SQL;
  plays?: SQL;
  /** Milliseconds. */
  publishedAt?: SQL;
  ownerId?: SQL;
  tagIds?: SQL;
  language?: SQL;
  isFree?: SQL;
  properties?: SQL;
};

const image = (key: SQL) => sql`'/' || ${key}`;
const milliseconds = (time: SQL) => sql`(extract(epoch from ${time}) * 1000)::float8`;
const voice = sql`case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'slug', v.slug) end`;
type Translated = 'category' | 'tag' | 'playlist' | 'series';
/** Null where there are none. */
const translationsOf = (kind: Translated, id: SQL, field: string) =>
  sql`(select string_agg(x.text, ' ') from translations x
    where x.kind = ${sql.raw(`'${kind}'`)} and x.field = ${sql.raw(`'${field}'`)} and x.subject = ${id}::text)`;
const withTranslations = (text: SQL, kind: Translated, id: SQL, field: string) =>
  sql`concat_ws(' ', ${text}, ${translationsOf(kind, id, field)})`;
const publishedOf = (items: SQL) =>
  sql`(select count(*)::int from ${items} i join audios a on a.id = i.audio_id and a.published_at <= now())`;

/** Counts and labels are subqueries: PostgreSQL plans joins as merges, which read the other table from its start in each batch. */
export const readers: Record<SearchGroup, Reader> = {
  audios: {
    from: sql`audios a join voices v on v.id = a.voice_id`,
    id: sql`a.id`,
    // Scheduled audios are indexed early; the index hides them until `publishedAt`.
    isFound: sql`a.published_at is not null`,
    name: sql`a.title`,
    by: sql`concat_ws(' ', v.name, ${creditedNamesSql(sql`a.id`)})`,
    labels: sql`concat_ws(' ',
      (select string_agg(${withTranslations(sql`t.label`, 'tag', sql`t.id`, 'label')}, ' ') from audio_tags i join tags t on t.id = i.tag_id where i.audio_id = a.id),
      (select string_agg(${withTranslations(sql`g.label`, 'category', sql`g.id`, 'label')}, ' ') from audio_categories i join categories g on g.id = i.category_id and g.hidden_at is null where i.audio_id = a.id))`,
    text: sql`a.description`,
    plays: sql`(select plays::float8 from audio_counts where audio_id = a.id)`,
    publishedAt: milliseconds(sql`a.published_at`),
    ownerId: sql`a.voice_id`,
    tagIds: sql`to_json(array(select tag_id from audio_tags where audio_id = a.id order by tag_id))`,
    language: sql`split_part(a.language, '-', 1)`,
    isFree: sql`(a.is_free or coalesce(a.id = (${previewId}), false))`,
    properties: sql`to_json(${propertiesSql({
      syntheticVoice: sql`a.synthetic_voice`,
      durationMs: sql`a.duration_ms`,
      voiceTypeLabel: sql`v.voice_type_label`,
    })})`,
    hit: {
      slug: sql`a.slug`,
      title: sql`a.title`,
      imageUrl: image(sql`a.image_key`),
      color: sql`a.color`,
      numberDuration: sql`round(a.duration_ms / 1000.0, 2)::float8`,
      voice,
    },
  },
  categories: {
    from: sql`categories g`,
    id: sql`g.id`,
    isFound: sql`g.hidden_at is null`,
    name: sql`g.label`,
    labels: sql`coalesce(${translationsOf('category', sql`g.id`, 'label')}, '')`,
    text: withTranslations(sql`g.description`, 'category', sql`g.id`, 'description'),
    hit: { slug: sql`g.slug`, label: sql`g.label`, imageUrl: image(sql`g.image_key`), color: sql`g.color` },
  },
  playlists: {
    from: sql`playlists p`,
    id: sql`p.id`,
    // Empty playlists are not searchable; those with only scheduled audios are, once the first is published.
    isFound: sql`p.published_at is not null and exists (select from playlist_items i join audios a on a.id = i.audio_id
      where i.playlist_id = p.id and a.published_at is not null)`,
    name: sql`p.title`,
    labels: sql`coalesce(${translationsOf('playlist', sql`p.id`, 'title')}, '')`,
    text: withTranslations(sql`p.description`, 'playlist', sql`p.id`, 'description'),
    publishedAt: sql`(select ${milliseconds(sql`greatest(min(a.published_at), p.published_at)`)} from playlist_items i
      join audios a on a.id = i.audio_id where i.playlist_id = p.id)`,
    hit: {
      slug: sql`p.slug`,
      title: sql`p.title`,
      voices: sql`array(${voicesOfPlaylist(sql`v.id`)})`,
      // Its own picture, else up to four portraits.
      voiceImages: sql`case when p.image_key is not null then array[${image(sql`p.image_key`)}]
        else array(${voicesOfPlaylist(image(sql`v.image_key`), sql`v.image_key is not null`)} limit 4) end`,
      totalAudios: publishedOf(sql`(select audio_id from playlist_items where playlist_id = p.id)`),
    },
  },
  voices: {
    from: sql`voices v left join categories g on g.id = v.category_id and g.hidden_at is null
      left join series s on s.id = v.linked_series_id and s.hidden_at is null`,
    id: sql`v.id`,
    isFound: sql`v.hidden_at is null`,
    name: sql`v.name`,
    labels: withTranslations(sql`g.label`, 'category', sql`g.id`, 'label'),
    text: sql`v.bio`,
    plays: playsOfVoice(sql`v.id`),
    ownerId: sql`v.id`,
    hit: {
      slug: sql`v.slug`,
      name: sql`v.name`,
      imageURL: image(sql`v.image_key`),
      color: sql`v.color`,
      voiceTypeLabel: sql`v.voice_type_label`,
      category: sql`case when g.id is not null then json_build_object('id', g.id, 'name', g.label, 'slug', g.slug) end`,
      linkedSeries: sql`case when s.id is not null then json_build_object('slug', s.slug) end`,
    },
  },
  series: {
    from: sql`series s left join voices v on v.id = s.voice_id`,
    id: sql`s.id`,
    isFound: sql`v.hidden_at is null and s.hidden_at is null`,
    name: sql`s.title`,
    by: sql`coalesce(v.name, '')`,
    labels: sql`coalesce(${translationsOf('series', sql`s.id`, 'title')}, '')`,
    text: withTranslations(sql`s.description`, 'series', sql`s.id`, 'description'),
    plays: playsOfSeries(sql`s.id`),
    ownerId: sql`s.voice_id`,
    hit: {
      slug: sql`s.slug`,
      title: sql`s.title`,
      imageUrl: image(sql`s.image_key`),
      color: sql`s.color`,
      voice,
      totalAudios: publishedOf(sql`(select audio_id from series_items where series_id = s.id)`),
    },
  },
  users: {
    from: sql`users u`,
    key: sql`search_key(u.id)`,
    id: sql`u.id`,
    // Owners of public playlists only (product.md, "Settled in detail").
    isFound: sql`u.username is not null and u.suspended_at is null
      and (select true from user_playlists p where p.user_id = u.id and p.is_public and p.deleted_at is null limit 1)`,
    name: sql`u.username`,
    plays: playsOfOwner(sql`u.id`),
    ownerId: sql`u.id`,
    hit: {
      username: sql`u.username`,
      icon: sql`u.icon`,
      // As `avatarColorOf`.
      color: sql`coalesce((${sql.param([...avatarColors])}::text[])[u.color + 1], ${avatarColors[0]})`,
    },
  },
  usersPlaylists: {
    from: sql`user_playlists p join users u on u.id = p.user_id`,
    key: sql`search_key(p.id)`,
    id: sql`p.id`,
    isFound: sql`p.is_public and p.deleted_at is null and u.username is not null and u.suspended_at is null
      and (select audios > 0 from user_playlist_counts where user_playlist_id = p.id)`,
    name: sql`p.title`,
    by: sql`u.username`,
    plays: sql`(select plays::float8 from user_playlist_counts where user_playlist_id = p.id)`,
    ownerId: sql`u.id`,
    hit: {
      title: sql`p.title`,
      background: sql`p.background`,
      font: sql`p.font`,
      user: sql`json_build_object('id', u.id, 'username', u.username)`,
    },
  },
};

/** Creators in order of appearance. */
function voicesOfPlaylist(column: SQL, isWanted = sql`true`): SQL {
  return sql`select ${column} from (select a.voice_id, min(i.position) as position from playlist_items i
      join audios a on a.id = i.audio_id where i.playlist_id = p.id and a.published_at <= now() group by a.voice_id) first
    join voices v on v.id = first.voice_id where ${isWanted} order by first.position`;
}
