import { type AnyColumn, and, asc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { creditsSql } from '../../catalogue/credits/credits.ts';
import { publicationTime } from '../../catalogue/editing/publishing.ts';
import { fileExtension } from '../../catalogue/episodes.ts';
import { type Cue, eachAudioText } from '../../catalogue/rules.ts';
import {
  audioCounts,
  audios,
  categories,
  chapters,
  episodeNumbers,
  facets,
  importedAudios,
  recordings,
  series,
  transcripts,
  transcriptTranslations,
  voices,
} from '../../catalogue/tables.ts';
import { findCommentSettings } from '../../community/comment-settings.ts';
import { isShown } from '../../community/comment-visibility.ts';
import { comments } from '../../community/tables.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { roleIn } from '../../kernel/rules.ts';
import { voiceDays } from '../../listening/tables.ts';
import type { DayFigures } from '../figures/figure-history.ts';
import { figuresFile } from '../figures/figures-file.ts';
import { findVoiceFigures } from '../figures/figures.ts';
import { addDays, dayOf } from '../figures/figure-periods.ts';
import { findProfile, listNames } from '../profiles.ts';
import { canMoveOut } from '../rules.ts';
import { movedInFiles } from '../tables.ts';
import { findManagedVoice } from '../voices.ts';

/** Everything of a creator, for moving elsewhere. Read in pages, so that its size does not matter. */

const pageSize = 100;
const commentPageSize = 500;
/** Longest period of figures. */
const figureDays = 366;

/** Rows of each page after the last one of the page before. */
async function* pagesOf<Row>(read: (after: Row | undefined) => Promise<Row[]>, size: number): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (;;) {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

function listAudios(db: Db, voiceId: string, after: string | undefined) {
  return (
    db
      .select({
        id: audios.id,
        slug: audios.slug,
        title: audios.title,
        description: audios.description,
        language: audios.language,
        syntheticVoice: audios.syntheticVoice,
        isFree: audios.isFree,
        color: audios.color,
        ...eachAudioText((name) => audios[name]),
        ...pick(audios, 'commentsDisabled', 'commentsForSubscribers', 'commentHold', 'commentsPausedUntil'),
        durationMs: audios.durationMs,
        createdAt: audios.createdAt,
        updatedAt: audios.updatedAt,
        /** Null: a draft. In the future: scheduled. */
        publishedAt: publicationTime,
        number: episodeNumbers.number,
        /** The GUID of the feed that it was imported from; null: its id counts. */
        guid: importedAudios.guid,
        categories: sql<string[]>`array(select c.slug from audio_categories l join categories c on c.id = l.category_id
          where l.audio_id = audios.id and c.deleted_at is null order by l.position, c.slug)::text[]`,
        tags: sql<string[]>`array(select t.label from audio_tags l join tags t on t.id = l.tag_id
          where l.audio_id = audios.id order by t.label)::text[]`,
        credits: creditsSql(audios.id),
        fileKey: audios.fileKey,
        fileMime: audios.fileMime,
        fileBytes: audios.fileBytes,
        /** With its dot. */
        extension: fileExtension,
        originalKey: recordings.originalKey,
        originalName: recordings.originalName,
        coverKey: audios.imageKey,
        /** Null: none were set. */
        chapters: chapters.chapters,
        plays: audioCounts.plays,
        favorites: audioCounts.favorites,
        comments: audioCounts.comments,
      })
      .from(audios)
      // With joins, columns in subqueries have the name of their table.
      .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
      .leftJoin(recordings, eq(recordings.audioId, audios.id))
      .leftJoin(chapters, eq(chapters.audioId, audios.id))
      .leftJoin(importedAudios, and(eq(importedAudios.audioId, audios.id), importedAudios.keepsGuid))
      .leftJoin(episodeNumbers, and(eq(episodeNumbers.audioId, audios.id), eq(episodeNumbers.voiceId, audios.voiceId)))
      .where(
        and(
          eq(audios.voiceId, voiceId),
          isNull(audios.deletedAt),
          after === undefined ? undefined : gt(audios.id, after),
        ),
      )
      .orderBy(asc(audios.id))
      .limit(pageSize)
  );
}
export type ArchivedAudio = Awaited<ReturnType<typeof listAudios>>[number];

/** Comments that everybody may read, with the name that their authors show. */
function listComments(db: Db, voiceId: string, after: string | undefined) {
  return db
    .select({
      id: comments.id,
      audio: audios.slug,
      parentId: comments.parentId,
      author: users.username,
      text: comments.text,
      language: comments.language,
      createdAt: comments.createdAt,
      editedAt: comments.editedAt,
      isPinned: sql<boolean>`${comments.pinnedAt} is not null`,
      isHearted: sql<boolean>`${comments.heartedAt} is not null`,
    })
    .from(comments)
    .innerJoin(audios, and(eq(audios.id, comments.audioId), isNull(audios.deletedAt)))
    .leftJoin(users, eq(users.id, comments.userId))
    .where(and(eq(comments.voiceId, voiceId), isShown(), after === undefined ? undefined : gt(comments.id, after)))
    .orderBy(asc(comments.id))
    .limit(commentPageSize);
}
type ArchivedComment = Awaited<ReturnType<typeof listComments>>[number];

/** The spoken words first, then their translations; lines without their certainty. */
async function listTranscripts(db: Db, audioId: string): Promise<{ language: string; cues: Cue[] }[]> {
  const spoken = await db
    .select({ language: audios.language, cues: transcripts.cues })
    .from(transcripts)
    .innerJoin(audios, eq(audios.id, transcripts.audioId))
    .where(eq(transcripts.audioId, audioId));
  const translated = await db
    .select({ language: transcriptTranslations.language, cues: transcriptTranslations.cues })
    .from(transcriptTranslations)
    .innerJoin(audios, eq(audios.id, transcriptTranslations.audioId))
    .where(and(eq(transcriptTranslations.audioId, audioId), ne(transcriptTranslations.language, audios.language)))
    .orderBy(asc(transcriptTranslations.language));
  return [...spoken, ...translated];
}

function listSeries(db: Db, voiceId: string) {
  return db
    .select({
      slug: series.slug,
      title: series.title,
      description: series.description,
      color: series.color,
      isHidden: sql<boolean>`${series.hiddenAt} is not null`,
      coverKey: series.imageKey,
      audios: sql<string[]>`array(select a.slug from series_items i join audios a on a.id = i.audio_id
        where i.series_id = series.id and a.voice_id = series.voice_id and a.deleted_at is null
        order by i.position)::text[]`,
    })
    .from(series)
    .innerJoin(voices, eq(voices.id, series.voiceId))
    .where(eq(series.voiceId, voiceId))
    .orderBy(asc(series.sortTitle), asc(series.id));
}

/** Categories and tags of the site, in their order, so that another one can have the same. */
async function listCatalogue(db: Db) {
  const [found, groups] = await Promise.all([
    db
      .select(pick(categories, 'slug', 'label', 'description', 'color'))
      .from(categories)
      .where(isNull(categories.deletedAt))
      .orderBy(asc(categories.position), asc(categories.id)),
    db
      .select({
        ...pick(facets, 'slug', 'label', 'explanation', 'chooses', 'isRequired', 'hasContentNotes'),
        tags: sql<
          string[]
        >`array(select t.label from tags t where t.facet_id = facets.id order by t.position, t.id)::text[]`,
      })
      .from(facets)
      .orderBy(asc(facets.position), asc(facets.id)),
  ]);
  return { categories: found, facets: groups };
}

/** Addresses of the creator's own audios and series; null for none. */
async function findSlugs(db: Db, voiceId: string) {
  const slugOf = (column: AnyColumn, table: 'audios' | 'series') =>
    sql<string | null>`(select t.slug from ${sql.identifier(table)} t where t.id = ${column})`;
  const [row] = await db
    .select({
      linkedSeries: slugOf(voices.linkedSeriesId, 'series'),
      welcomeAudio: slugOf(voices.welcomeAudioId, 'audios'),
      paymentAudio: slugOf(voices.paymentAudioId, 'audios'),
      farewellAudio: slugOf(voices.farewellAudioId, 'audios'),
    })
    .from(voices)
    .where(eq(voices.id, voiceId));
  return row;
}

/** Figures per day as the Studio shows them: fewer than ten listeners are not told. */
async function printAllFigures(db: Db, actor: Actor, { id, name }: { id: string; name: string }): Promise<string> {
  const now = new Date();
  const [row] = await db
    .select({ day: sql<string | null>`min(${voiceDays.day})::text` })
    .from(voiceDays)
    .where(eq(voiceDays.voiceId, id));
  const today = dayOf(now);
  const days: DayFigures[] = [];
  for (let from = row?.day ?? today; from <= today; from = addDays(from, figureDays)) {
    const to = [addDays(from, figureDays - 1), today].toSorted()[0];
    days.push(...((await findVoiceFigures(db, actor, id, { from, to: to ?? today }, now))?.days ?? []));
  }
  return figuresFile(name, days);
}

/** Audios and bytes of an archive, about. */
export async function measureArchive(db: Db, voiceId: string): Promise<{ audios: number; bytes: number }> {
  const [row] = await db
    .select({
      audios: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(${audios.fileBytes} + coalesce(${recordings.originalBytes}, 0)), 0)::float8`,
    })
    .from(audios)
    .leftJoin(recordings, eq(recordings.audioId, audios.id))
    .where(and(eq(audios.voiceId, voiceId), isNull(audios.deletedAt)));
  return row ?? { audios: 0, bytes: 0 };
}

/**
 * Opens what a creator takes along; for owners and operators, and noted in the log.
 * @returns undefined for an unknown creator, and for one whom the actor does not own
 */
export async function openArchive(db: Db, actor: Actor, idOrSlug: string) {
  const voice = await findManagedVoice(db, actor, idOrSlug);
  const role = voice && roleIn(actor, voice.id);
  if (voice === undefined || role === undefined || !canMoveOut(actor, voice.id)) return undefined;
  const profile = await findProfile(db, voice.id);
  const [row] = await db
    .select({
      imageKey: voices.imageKey,
      voiceType: voices.voiceTypeLabel,
      color: voices.color,
      category: categories.slug,
    })
    .from(voices)
    .leftJoin(categories, and(eq(categories.id, voices.categoryId), isNull(categories.deletedAt)))
    .where(eq(voices.id, voice.id));
  const settings = await findCommentSettings(db, voice.id);
  if (profile === undefined || row === undefined || settings === undefined) return undefined;
  const { id, name } = voice;
  const { commenters, hold, words, order, pausedUntil } = settings;
  const recommended = await listNames(db, profile.recommendedIds);
  await db.transaction((tx) =>
    recordChange(tx, { actor, role, action: 'voice.move-out', subject: { type: 'voice', id, name }, voiceId: id }),
  );
  return {
    id,
    slug: voice.slug,
    profile,
    voiceType: row.voiceType,
    color: row.color,
    category: row.category,
    portraitKey: row.imageKey,
    commentSettings: { commenters, hold, words, order, pausedUntil },
    ownSlugs: await findSlugs(db, id),
    recommended: recommended.map(({ slug }) => slug),
    audios: () => pagesOf<ArchivedAudio>((last) => listAudios(db, id, last?.id), pageSize),
    comments: () => pagesOf<ArchivedComment>((last) => listComments(db, id, last?.id), commentPageSize),
    transcriptsOf: (audioId: string) => listTranscripts(db, audioId),
    listSeries: () => listSeries(db, id),
    listCatalogue: () => listCatalogue(db),
    /** Files of sites before this one. */
    listFormerFiles: () =>
      db.select().from(movedInFiles).where(eq(movedInFiles.voiceId, id)).orderBy(asc(movedInFiles.path)),
    printFigures: () => printAllFigures(db, actor, { id, name }),
  };
}
export type Archive = NonNullable<Awaited<ReturnType<typeof openArchive>>>;
