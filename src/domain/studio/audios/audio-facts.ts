import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { selectAudios, toAudio } from '../../catalogue/audios.ts';
import { chaptersOf } from '../../catalogue/chapter-rules.ts';
import { eachAudioText } from '../../catalogue/rules.ts';
import { publicationTime } from '../../catalogue/editing/publishing.ts';
import { toTranscript } from '../../catalogue/editing/transcripts.ts';
import {
  audioCounts,
  audios,
  audioTags,
  categories,
  series,
  tags,
  voices,
  recordings,
} from '../../catalogue/tables.ts';
import { listFacets } from '../../catalogue/facets/facets.ts';
import { countedAudios } from '../../catalogue/totals.ts';
import { findTags } from '../../catalogue/editing/tag-names.ts';
import { toTag } from '../../catalogue/tags.ts';
import { comments } from '../../community/tables.ts';
import { isUnanswered } from '../../community/voice-comments.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { toSlug } from '../../kernel/ids.ts';
import { inWords } from '../../settings/translations.ts';
import { findManagedAudio } from './hold-audio.ts';
import { type EditedAudio, findEditedAudio } from './audio-values.ts';
import { type ManagedState, managedReviewStates } from '../rules.ts';
import { findUsualReviewTime, reviewNote } from './review-note.ts';

/** Facts that the editor shows beside the fields. @returns undefined for an audio that the actor may not change */
export async function findAudioFacts(db: Db, actor: Actor, idOrSlug: string) {
  const audio = await findManagedAudio(db, actor, idOrSlug, { evenDeleted: true });
  if (audio === undefined) return undefined;
  const [row] = await db
    .select({
      id: audios.id,
      slug: audios.slug,
      title: audios.title,
      voiceSlug: voices.slug,
      voiceName: voices.name,
      publishedAt: publicationTime,
      firstPublishedAt: audios.firstPublishedAt,
      reviewState: audios.reviewState,
      review: reviewNote,
      isScheduled: sql<boolean>`coalesce(${publicationTime} > now(), false)`,
      isPreview: sql<boolean>`exists (select from site_settings s where s.key = 'preview' and s.value ->> 'audioId' = ${audios.id}::text)`,
      durationMs: audios.durationMs,
      fileBytes: audios.fileBytes,
      plays: audioCounts.plays,
      comments: audioCounts.comments,
      /** Threads without a comment by a manager of the voice. */
      unansweredComments: sql<number>`(${db
        .select({ count: sql<number>`count(*)::int` })
        .from(comments)
        .where(and(eq(comments.audioId, audio.id), isUnanswered(audio.voiceId)))})`,
      /** Playlists of the site and public ones of listeners; private ones are not disclosed. */
      playlists: sql<number>`((select count(*) from playlist_items i where i.audio_id = ${audios.id})
        + (select count(*) from user_playlist_items i join user_playlists p on p.id = i.user_playlist_id
          where i.audio_id = ${audios.id} and p.is_public and p.deleted_at is null))::int`,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .where(eq(audios.id, audio.id));
  if (row === undefined) return undefined;
  const { voiceSlug, voiceName, publishedAt, firstPublishedAt, isScheduled, durationMs, reviewState, ...rest } = row;
  const unseen = firstPublishedAt === null ? 'draft' : 'unpublished';
  const state: ManagedState = audio.isDeleted
    ? 'deleted'
    : reviewState !== null
      ? managedReviewStates[reviewState]
      : isScheduled
        ? 'scheduled'
        : publishedAt === null
          ? unseen
          : 'published';
  return {
    ...rest,
    voice: { slug: voiceSlug, name: voiceName },
    state,
    /** With a hidden voice: the date that showing it restores. */
    publishedAt: audio.isDeleted ? null : (publishedAt?.toISOString() ?? null),
    /** Publishing it again restores this date. */
    firstPublishedAt: firstPublishedAt?.toISOString() ?? null,
    /** Milliseconds that reviews usually take, while one is under way. */
    usualReviewTime: reviewState === null ? undefined : await findUsualReviewTime(db),
    /** Seconds. */
    numberDuration: Math.round(durationMs / 10) / 100,
    canDelete: audio.role !== 'editor',
  };
}
export type AudioFacts = NonNullable<Awaited<ReturnType<typeof findAudioFacts>>>;

/** Series of the voice, and the one that the audio is in; at most 200, by title. */
export function listSeriesChoices(db: Db, audioId: string) {
  const voiceId = sql`(select voice_id from audios where id = ${audioId})`;
  return db
    .select({
      slug: series.slug,
      title: series.title,
      parts: sql<{ part: number; title: string; audioId: string }[]>`(
        select coalesce(json_agg(json_build_object('part', i.position + 1, 'title', a.title, 'audioId', a.id) order by i.position), '[]'::json)
        from series_items i join audios a on a.id = i.audio_id where i.series_id = series.id)`,
    })
    .from(series)
    .where(
      or(
        eq(series.voiceId, voiceId),
        sql`exists (select from series_items i where i.series_id = series.id and i.audio_id = ${audioId})`,
      ),
    )
    .orderBy(asc(series.sortTitle), asc(series.id))
    .limit(200);
}
export type SeriesChoice = Awaited<ReturnType<typeof listSeriesChoices>>[number];

/** All categories, as choices. */
export function listCategoryChoices(db: Db) {
  return db
    .select({ slug: categories.slug, label: categories.label })
    .from(categories)
    .where(isNull(categories.deletedAt))
    .orderBy(asc(categories.label), asc(categories.id))
    .limit(500);
}

/** Labels of tags in no facet that contain the text, the most used first. */
export async function suggestTags(db: Db, text: string): Promise<string[]> {
  const slug = toSlug(text);
  const ofTag = sql`select count(*)::int from ${audioTags} t where t.tag_id = tags.id`;
  const rows = await db
    .select({ label: tags.label })
    .from(tags)
    .where(and(isNull(tags.facetId), slug === '' ? undefined : sql`${tags.slug} like ${`%${slug}%`}`))
    .orderBy(desc(countedAudios('tag', sql`tags.id`, ofTag)), asc(tags.label))
    .limit(8);
  return rows.map(({ label }) => label);
}

/** The original file, or else the listening file. @returns undefined for users who may not download it */
export async function findOriginal(db: Db, actor: Actor, idOrSlug: string) {
  const audio = await findManagedAudio(db, actor, idOrSlug);
  if (audio === undefined) return undefined;
  const [row] = await db
    .select({
      slug: audios.slug,
      fileKey: audios.fileKey,
      fileMime: audios.fileMime,
      fileBytes: audios.fileBytes,
      modifiedAt: audios.updatedAt,
      originalKey: recordings.originalKey,
      originalName: recordings.originalName,
      originalBytes: recordings.originalBytes,
    })
    .from(audios)
    .leftJoin(recordings, eq(recordings.audioId, audios.id))
    .where(eq(audios.id, audio.id));
  if (row === undefined) return undefined;
  const { originalKey, originalBytes, modifiedAt } = row;
  const key = originalKey ?? row.fileKey;
  const extension = /\.[a-z0-9]{1,5}$/.exec(key)?.[0] ?? '';
  return {
    key,
    // Makes browsers save it, whatever its type; the type of an original is not stored.
    mime: originalKey === null ? row.fileMime : 'application/octet-stream',
    bytes: originalBytes ?? row.fileBytes,
    // Keys contain a content hash.
    etag: key.replace(/^.*\/|\.[a-z0-9]+$/g, ''),
    modifiedAt,
    fileName: (originalKey === null ? null : row.originalName) ?? `${row.slug}${extension}`,
  };
}
export type OriginalFile = NonNullable<Awaited<ReturnType<typeof findOriginal>>>;

/** The audio with its draft, as its page will show it. @returns undefined for an audio that the actor may not change */
export async function findAudioPreview(db: Db, actor: Actor, idOrSlug: string) {
  const edited = await findEditedAudio(db, actor, idOrSlug);
  if (edited === undefined) return undefined;
  const [row] = await selectAudios(db).where(eq(audios.id, edited.id));
  if (row === undefined) return undefined;
  const { values } = edited;
  const [chosen, found] = await Promise.all([
    values.categories.length === 0
      ? []
      : db
          .select({ id: categories.id, slug: categories.slug, label: categories.label })
          .from(categories)
          .where(inArray(categories.slug, values.categories)),
    values.series === null
      ? []
      : db
          .select({
            slug: series.slug,
            title: series.title,
            totalAudios: sql<number>`(select count(*)::int from series_items i where i.series_id = series.id)`,
          })
          .from(series)
          .where(eq(series.slug, values.series.slug)),
  ]);
  const known = await findTags(db, values.tags);
  const tags = values.tags.map((label, index) => {
    const { id = '', slug = toSlug(label) } = known[index] ?? {};
    return toTag(db, { id, slug, label });
  });
  const notes = (await listFacets(db)).find(({ hasContentNotes }) => hasContentNotes)?.tags ?? [];
  const contentNotes = notes.filter(({ slug }) => tags.some((tag) => tag.slug === slug));
  const audio = { ...toAudio(db, row), ...shownValues(values, edited.cover.imageUrl), tags, contentNotes };
  const inOrder = values.categories.flatMap((slug) =>
    chosen.filter((one) => one.slug === slug).map((one) => inWords(db, 'category', one, 'label')),
  );
  return {
    audio: { ...audio, categories: inOrder, categoriesResource: inOrder.map(({ label }) => ({ name: label })) },
    series: found[0],
    chapters: chaptersOf(values.chapters, values.description, row.numberDuration),
    transcript:
      values.transcript === null ? undefined : toTranscript(values.language, values.transcript, [values.language]),
  };
}

function shownValues(values: EditedAudio['values'], imageUrl: string | null) {
  const { title, description, language, syntheticVoice, color, isFree, commenters } = values;
  return {
    title,
    description,
    language,
    syntheticVoice,
    color,
    ...eachAudioText((name) => values[name]),
    isFree,
    commentsDisabled: commenters === 'nobody',
    imageUrl,
    hasTranscript: values.transcript !== null,
  };
}
