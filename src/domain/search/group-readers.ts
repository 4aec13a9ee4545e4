import { type SQL, sql } from 'drizzle-orm';
import { imageUrl, previewId } from '../catalogue/audios.ts';
import { coverImages } from '../catalogue/playlists.ts';
import { playsOfVoice } from '../catalogue/totals.ts';
import type { Db } from '../kernel/db.ts';
import { avatarColorOf } from '../identity/rules.ts';
import type { PlaylistBackground, PlaylistFont } from '../library/rules.ts';
import type { SearchGroup } from './forms.ts';
import { playsOfOwner, playsOfSeries } from './plays.ts';
import type { SearchDocument } from './search-index.ts';

export type Row = Record<string, unknown>;
/** Labels of tags and visible categories by their ids; empty for hidden ones. */
export type Labels = Map<string, string>;
type Reader = {
  from: SQL;
  key: SQL;
  id: SQL;
  isFound: SQL;
  columns: SQL;
  /** Adds what is the same for many rows, and would take the database long for each. */
  complete?: (db: Db, rows: Row[], labels: Labels) => Promise<Row[]>;
  toDocument: (row: never) => Keyless;
};

const noFacts = { by: '', labels: '', text: '', plays: 0, publishedAt: null, ownerId: null, tagIds: [], isFree: false };

type VoiceShape = { id: string; name: string; slug: string };

type Keyless = SearchDocument extends infer Document
  ? Document extends unknown
    ? Omit<Document, 'key'>
    : never
  : never;

/**
 * Per group: which rows are searchable, and how they become documents. Counts and labels are subqueries: PostgreSQL plans
 * joins as merges, which read the other table from its start in each batch.
 */
export const readers: Record<SearchGroup, Reader> = {
  audios: {
    from: sql`audios a join voices v on v.id = a.voice_id`,
    key: sql`a.id`,
    id: sql`a.id`,
    // Scheduled audios are indexed early; the index hides them until `publishedAt`.
    isFound: sql`a.published_at is not null`,
    columns: sql`a.slug, a.title, a.description, a.image_key as "imageKey", a.color, a.duration_ms as "durationMs",
      (extract(epoch from a.published_at) * 1000)::float8 as "publishedAt",
      (select plays::float8 from audio_counts where audio_id = a.id) as plays,
      json_build_object('id', v.id, 'name', v.name, 'slug', v.slug) as voice,
      a.is_free or coalesce(a.id = (${previewId}), false) as "isFree",
      to_json(array(select tag_id from audio_tags where audio_id = a.id order by tag_id)) as "tagIds",
      to_json(array(select category_id from audio_categories where audio_id = a.id order by category_id)) as "categoryIds"`,
    complete: addLabels,
    toDocument: (row: {
      id: string;
      slug: string;
      title: string;
      description: string;
      imageKey: string | null;
      color: string | null;
      durationMs: number;
      publishedAt: number;
      plays: number;
      voice: VoiceShape;
      tagIds: string[];
      isFree: boolean;
      labels: string;
    }) => ({
      ...noFacts,
      group: 'audios',
      id: row.id,
      name: row.title,
      by: row.voice.name,
      labels: row.labels,
      text: row.description,
      plays: row.plays,
      publishedAt: row.publishedAt,
      tagIds: row.tagIds,
      isFree: row.isFree,
      hit: {
        id: row.id,
        slug: row.slug,
        title: row.title,
        imageUrl: imageUrl(row.imageKey),
        color: row.color,
        numberDuration: Math.round(row.durationMs / 10) / 100,
        voice: row.voice,
      },
    }),
  },
  categories: {
    from: sql`categories g`,
    key: sql`g.id`,
    id: sql`g.id`,
    isFound: sql`g.hidden_at is null`,
    columns: sql`g.slug, g.label, g.description, g.image_key as "imageKey", g.color`,
    toDocument: (row: {
      id: string;
      slug: string;
      label: string;
      description: string;
      imageKey: string | null;
      color: string | null;
    }) => ({
      ...noFacts,
      group: 'categories',
      id: row.id,
      name: row.label,
      text: row.description,
      hit: { id: row.id, slug: row.slug, label: row.label, imageUrl: imageUrl(row.imageKey), color: row.color },
    }),
  },
  playlists: {
    from: sql`playlists p`,
    key: sql`p.id`,
    id: sql`p.id`,
    // Empty playlists are not searchable; those with only scheduled audios are, once the first is published.
    isFound: sql`p.published_at is not null and exists (select from playlist_items i join audios a on a.id = i.audio_id
      where i.playlist_id = p.id and a.published_at is not null)`,
    columns: sql`p.slug, p.title, p.description, p.image_key as "imageKey",
      (select (extract(epoch from greatest(min(a.published_at), p.published_at)) * 1000)::float8 from playlist_items i
        join audios a on a.id = i.audio_id where i.playlist_id = p.id) as "publishedAt",
      (select coalesce(json_agg(json_build_object('id', v.id, 'name', v.image_key) order by first.position), '[]'::json)
        from (select a.voice_id, min(i.position) as position from playlist_items i join audios a on a.id = i.audio_id
          where i.playlist_id = p.id and a.published_at <= now() group by a.voice_id) first
        join voices v on v.id = first.voice_id) as voices,
      (select count(*)::int from playlist_items i join audios a on a.id = i.audio_id
        where i.playlist_id = p.id and a.published_at <= now()) as "totalAudios"`,
    toDocument: (row: {
      id: string;
      slug: string;
      title: string;
      description: string;
      imageKey: string | null;
      publishedAt: number;
      voices: { id: string; name: string | null }[];
      totalAudios: number;
    }) => ({
      ...noFacts,
      group: 'playlists',
      id: row.id,
      name: row.title,
      text: row.description,
      publishedAt: row.publishedAt,
      hit: {
        id: row.id,
        slug: row.slug,
        title: row.title,
        voices: row.voices.map(({ id }) => id),
        voiceImages: coverImages(
          imageUrl(row.imageKey),
          row.voices.map(({ name }) => imageUrl(name)),
        ),
        totalAudios: row.totalAudios,
      },
    }),
  },
  voices: {
    from: sql`voices v left join categories g on g.id = v.category_id and g.hidden_at is null left join series s on s.id = v.linked_series_id and s.hidden_at is null`,
    key: sql`v.id`,
    id: sql`v.id`,
    isFound: sql`v.hidden_at is null`,
    columns: sql`v.slug, v.name, v.bio, v.image_key as "imageKey", v.color, v.voice_type_label as "voiceTypeLabel",
      g.label as "categoryLabel", g.slug as "categorySlug", s.slug as "seriesSlug",
      ${playsOfVoice(sql`v.id`)} as plays`,
    toDocument: (row: {
      id: string;
      slug: string;
      name: string;
      bio: string;
      imageKey: string | null;
      color: string | null;
      voiceTypeLabel: string;
      categoryLabel: string | null;
      categorySlug: string | null;
      seriesSlug: string | null;
      plays: number;
    }) => ({
      ...noFacts,
      group: 'voices',
      id: row.id,
      name: row.name,
      labels: row.categoryLabel ?? '',
      text: row.bio,
      plays: row.plays,
      hit: {
        id: row.id,
        slug: row.slug,
        name: row.name,
        imageURL: imageUrl(row.imageKey),
        color: row.color,
        voiceTypeLabel: row.voiceTypeLabel,
        category:
          row.categoryLabel === null || row.categorySlug === null
            ? null
            : { name: row.categoryLabel, slug: row.categorySlug },
        linkedSeries: row.seriesSlug === null ? null : { slug: row.seriesSlug },
      },
    }),
  },
  series: {
    from: sql`series s left join voices v on v.id = s.voice_id`,
    key: sql`s.id`,
    id: sql`s.id`,
    isFound: sql`v.hidden_at is null and s.hidden_at is null`,
    columns: sql`s.slug, s.title, s.description, s.image_key as "imageKey", s.color,
      case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'slug', v.slug) end as voice,
      ${playsOfSeries(sql`s.id`)} as plays,
      (select count(*)::int from series_items i join audios a on a.id = i.audio_id
        where i.series_id = s.id and a.published_at <= now()) as "totalAudios"`,
    toDocument: (row: {
      id: string;
      slug: string;
      title: string;
      description: string;
      imageKey: string | null;
      color: string | null;
      voice: VoiceShape | null;
      plays: number;
      totalAudios: number;
    }) => ({
      ...noFacts,
      group: 'series',
      id: row.id,
      name: row.title,
      by: row.voice?.name ?? '',
      text: row.description,
      plays: row.plays,
      hit: {
        id: row.id,
        slug: row.slug,
        title: row.title,
        imageUrl: imageUrl(row.imageKey),
        color: row.color,
        voice: row.voice,
        totalAudios: row.totalAudios,
      },
    }),
  },
  users: {
    from: sql`users u`,
    key: sql`search_key(u.id)`,
    id: sql`u.id`,
    // Owners of public playlists only (product.md, "Settled in detail").
    isFound: sql`u.username is not null and u.suspended_at is null
      and (select true from user_playlists p where p.user_id = u.id and p.is_public and p.deleted_at is null limit 1)`,
    columns: sql`u.username, u.icon, u.color,
      ${playsOfOwner(sql`u.id`)} as plays`,
    toDocument: (row: { id: string; username: string; icon: string | null; color: number; plays: number }) => ({
      ...noFacts,
      group: 'users',
      id: row.id,
      name: row.username,
      plays: row.plays,
      ownerId: row.id,
      hit: { id: row.id, username: row.username, icon: row.icon, color: avatarColorOf(row.color) },
    }),
  },
  usersPlaylists: {
    from: sql`user_playlists p join users u on u.id = p.user_id`,
    key: sql`search_key(p.id)`,
    id: sql`p.id`,
    isFound: sql`p.is_public and p.deleted_at is null and u.username is not null and u.suspended_at is null
      and (select audios > 0 from user_playlist_counts where user_playlist_id = p.id)`,
    columns: sql`p.title, p.background, p.font,
      (select plays::float8 from user_playlist_counts where user_playlist_id = p.id) as plays,
      json_build_object('id', u.id, 'username', u.username) as "user"`,
    toDocument: (row: {
      id: string;
      title: string;
      background: PlaylistBackground;
      font: PlaylistFont;
      plays: number;
      user: { id: string; username: string };
    }) => ({
      ...noFacts,
      group: 'usersPlaylists',
      id: row.id,
      name: row.title,
      by: row.user.username,
      plays: row.plays,
      ownerId: row.user.id,
      hit: { id: row.id, title: row.title, background: row.background, font: row.font, user: row.user },
    }),
  },
};

/** Labels of an audio's tags and visible categories. */
async function addLabels(db: Db, rows: Row[], labels: Labels): Promise<Row[]> {
  const idsOf = (row: Row) => [...(row['tagIds'] as string[]), ...(row['categoryIds'] as string[])];
  const missing = new Set<string>();
  for (const row of rows) for (const id of idsOf(row)) if (!labels.has(id)) missing.add(id);
  if (missing.size > 0) {
    const ids = sql.param([...missing]);
    const found = await db.execute<{ id: string; label: string }>(sql`
      select id, label from tags where id = any(${ids}::uuid[])
      union all select id, label from categories where id = any(${ids}::uuid[]) and hidden_at is null`);
    for (const id of missing) labels.set(id, '');
    for (const { id, label } of found.rows) labels.set(id, label);
  }
  return rows.map((row) => ({
    ...row,
    labels: idsOf(row)
      .map((id) => labels.get(id))
      .join(' '),
  }));
}
