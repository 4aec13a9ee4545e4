import { and, between, eq, isNull, ne, not, sql } from 'drizzle-orm';
import { z } from 'zod';
import { i18n } from '#i18n';
import type { Db } from '../../kernel/db.ts';
import { isSlug, sortKey } from '../../kernel/ids.ts';
import { orRefusal, Refused } from '../../kernel/refused.ts';
import { compose, dropUnwanted } from '../../kernel/rules.ts';
import {
  ContentLanguage,
  isPlain,
  lineOfWords,
  notColor,
  notPlain,
  notSlug,
  tooLong,
  tooMany,
} from '../../kernel/forms.ts';
import { type Chapter, areApart, chapterTitleLength, maxChapters, minChapterSeconds } from '../chapter-rules.ts';
import { findCrowdedFacets } from '../facets/tags-of-audios.ts';
import { type AudioState, type MistimedTranscript, findAudioState } from './publishing.ts';
import {
  audioTextNames,
  audioTexts,
  commentColumns,
  commenterChoices,
  cueDoubts,
  cueTextLength,
  eachAudioText,
  maxCues,
  mistimedLines,
  syntheticVoices,
} from '../rules.ts';
import { holdSlugs } from './slugs.ts';
import { findOrCreateTag } from './tag-names.ts';
import {
  audioCategories,
  audios,
  audioTags,
  categories,
  chapters,
  formerSlugs,
  series,
  seriesItems,
  transcripts,
  voices,
} from '../tables.ts';

const Slug = z.string().refine(isSlug, notSlug);

/** Seconds; overlapping lines and early ends are saved, so that they can be corrected later. */
const CueTime = z.number().min(0).max(100_000);
const CueText = z
  .string()
  .overwrite(compose)
  .refine((text) => [...text].length <= cueTextLength, tooLong(cueTextLength))
  .refine(isPlain, notPlain);

const CueLine = z.object({ start: CueTime, end: CueTime, text: CueText });
/** The lines of a translation. */
export const Cues = z.array(CueLine).max(maxCues, tooMany(maxCues));

const ChapterForm = z.object({
  start: CueTime.overwrite((seconds) => Math.round(seconds * 1000) / 1000).describe('Seconds'),
  title: lineOfWords(chapterTitleLength),
});
const tooShort = {
  error: () =>
    i18n._(
      /*i18n*/ {
        id: 'chapters.too-short',
        message: 'Each chapter has to last {seconds} seconds or more',
        values: { seconds: minChapterSeconds },
      },
    ),
};
/** Chapters in their order. */
export const Chapters = z.array(ChapterForm).max(maxChapters, tooMany(maxChapters)).refine(areApart, tooShort);

export const Certainty = z
  .enum(cueDoubts)
  .describe('Times that a script was given, until someone has listened to the line; absent: sure')
  .optional();
/** The lines of a transcript. */
const TranscriptCues = z.array(CueLine.extend({ certainty: Certainty })).max(maxCues, tooMany(maxCues));

/** The fields of an audio that can be edited. Absent fields stay as they are. */
export const AudioEdit = z
  .strictObject({
    title: lineOfWords(200),
    description: z
      .string()
      .trim()
      .overwrite(compose)
      .refine((text) => [...text].length <= 5000, tooLong(5000))
      .refine(isPlain, notPlain)
      .transform(dropUnwanted),
    language: ContentLanguage,
    syntheticVoice: z.enum(syntheticVoices),
    slug: Slug,
    /** By slug. */
    voice: Slug,
    color: z
      .string()
      .toUpperCase()
      .regex(/^#[0-9A-F]{6}$/, notColor)
      .nullable(),
    ...eachAudioText((name) => lineOfWords(audioTexts[name].max).nullable()),
    /** Slugs, in their order. */
    categories: z.array(Slug).max(8, tooMany(8)),
    /** Labels; missing tags are created. */
    tags: z.array(lineOfWords(60)).max(20, tooMany(20)),
    /** `part` counts from 1; without it the audio goes last. Null takes the audio out of its series. */
    series: z.object({ slug: Slug, part: z.number().int().min(1).max(10_000).optional() }).nullable(),
    transcript: TranscriptCues.nullable(),
    chapters: Chapters.nullable(),
    isFree: z.boolean(),
    commenters: z.enum(commenterChoices),
  })
  .partial();
export type AudioEdit = z.infer<typeof AudioEdit>;

export type EditRefusal =
  | {
      ok: false;
      reason: 'not-found' | 'slug-taken' | 'unknown-voice' | 'unknown-category' | 'unknown-series' | 'crowded-facet';
      /** The slug that the edit named, or the facet. */
      name: string;
    }
  | MistimedTranscript;
export type EditResult = { ok: true; audio: AudioState } | EditRefusal;

/** Keys of files that are already stored. */
export type AudioFiles = {
  sound?: Pick<typeof audios.$inferInsert, 'fileKey' | 'fileMime' | 'fileBytes' | 'durationMs'>;
  /** Null takes the cover away. */
  imageKey?: string | null;
};

/** Applies all given changes, or none when one of them fails. */
export async function editAudio(
  db: Db,
  idOrSlug: string,
  edit: AudioEdit,
  { sound, imageKey }: AudioFiles = {},
): Promise<EditResult> {
  return orRefusal<EditResult>(db, async (tx) => {
    // Locked before the row, in the order of imports; of two concurrent edits the second finds the slug taken.
    if (edit.slug !== undefined || edit.series) await holdSlugs(tx);
    const audio = await findAudioState(tx, idOrSlug);
    if (audio === undefined) return { ok: false, reason: 'not-found', name: idOrSlug };
    // The row lock serializes edits of one audio.
    await tx.execute(sql`select from audios where id = ${audio.id} for no key update`);
    const files = { ...sound, ...(imageKey !== undefined && { imageKey }) };
    if (Object.keys(files).length > 0) await tx.update(audios).set(files).where(eq(audios.id, audio.id));
    await editFields(tx, audio.id, edit);
    if (edit.categories !== undefined) await setCategories(tx, audio.id, edit.categories);
    if (edit.tags !== undefined) await setTags(tx, audio.id, edit.tags);
    if (edit.series !== undefined) await setSeries(tx, audio.id, edit.series);
    if (edit.transcript !== undefined) await setTranscript(tx, audio, edit.transcript);
    if (edit.chapters !== undefined) await setChapters(tx, audio.id, edit.chapters);
    return { ok: true, audio: (await findAudioState(tx, audio.id)) ?? audio };
  });
}

async function editFields(tx: Db, id: string, edit: AudioEdit): Promise<void> {
  const { title, description, language, syntheticVoice, slug, color, isFree, commenters } = edit;
  if (slug !== undefined) {
    const [other] = await tx
      .select({ id: audios.id })
      .from(audios)
      .where(and(eq(audios.slug, slug), sql`${audios.id} <> ${id}`));
    // Also a former slug of another audio: its links must not lead to somebody else.
    const isReserved = and(eq(formerSlugs.slug, slug), ne(formerSlugs.audioId, id));
    if (other !== undefined || (await tx.$count(formerSlugs, isReserved)) > 0)
      throw new Refused<EditRefusal>({ ok: false, reason: 'slug-taken', name: slug });
  }
  const voiceId = edit.voice === undefined ? undefined : await findIdBySlug(tx, voices, edit.voice, 'unknown-voice');
  const changes = {
    ...(title !== undefined && { title, sortTitle: sortKey(title) }),
    ...(description !== undefined && { description }),
    ...(language !== undefined && { language }),
    ...(syntheticVoice !== undefined && { syntheticVoice }),
    ...(slug !== undefined && { slug }),
    ...(color !== undefined && { color }),
    ...(voiceId !== undefined && { voiceId }),
    ...(isFree !== undefined && { isFree }),
    ...(commenters !== undefined && commentColumns(commenters)),
    ...Object.fromEntries(audioTextNames.flatMap((name) => (edit[name] === undefined ? [] : [[name, edit[name]]]))),
  };
  if (Object.keys(changes).length > 0) await tx.update(audios).set(changes).where(eq(audios.id, id));
}

async function findIdBySlug(
  tx: Db,
  table: typeof voices | typeof categories | typeof series,
  slug: string,
  reason: 'unknown-voice' | 'unknown-category' | 'unknown-series',
): Promise<string> {
  const isThere = 'deletedAt' in table ? isNull(table.deletedAt) : undefined;
  const [row] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.slug, slug), isThere))
    .for('key share');
  if (row === undefined) throw new Refused<EditRefusal>({ ok: false, reason, name: slug });
  return row.id;
}

async function setCategories(tx: Db, audioId: string, slugs: string[]): Promise<void> {
  // Deleted ones come back with their restoration.
  const isDeleted = sql`(select deleted_at is not null from categories where id = ${audioCategories.categoryId})`;
  await tx.delete(audioCategories).where(and(eq(audioCategories.audioId, audioId), not(isDeleted)));
  for (const [position, slug] of [...new Set(slugs)].entries()) {
    const categoryId = await findIdBySlug(tx, categories, slug, 'unknown-category');
    await tx.insert(audioCategories).values({ audioId, categoryId, position });
  }
}

async function setTags(tx: Db, audioId: string, labels: string[]): Promise<void> {
  await tx.delete(audioTags).where(eq(audioTags.audioId, audioId));
  for (const label of labels) {
    const tagId = await findOrCreateTag(tx, label);
    await tx.insert(audioTags).values({ audioId, tagId }).onConflictDoNothing();
  }
  const [name] = await findCrowdedFacets(tx, audioId);
  if (name !== undefined) throw new Refused<EditRefusal>({ ok: false, reason: 'crowded-facet', name });
}

async function setSeries(tx: Db, audioId: string, wanted: NonNullable<AudioEdit['series']> | null): Promise<void> {
  const [former] = await tx.delete(seriesItems).where(eq(seriesItems.audioId, audioId)).returning();
  if (wanted === null) return;
  const seriesId = await findIdBySlug(tx, series, wanted.slug, 'unknown-series');
  const others = await tx
    .select({ position: seriesItems.position })
    .from(seriesItems)
    .where(eq(seriesItems.seriesId, seriesId));
  const taken = new Set(others.map(({ position }) => position));
  const position = wanted.part === undefined ? Math.max(-1, ...taken) + 1 : wanted.part - 1;
  if (taken.has(position)) await makeRoom(tx, { seriesId, position, taken, left: former });
  await tx.insert(seriesItems).values({ seriesId, audioId, position });
}

/** The others move on to the next free place, or, when the audio comes from before them, close up behind it. */
async function makeRoom(
  tx: Db,
  {
    seriesId,
    position,
    taken,
    left,
  }: { seriesId: string; position: number; taken: Set<number>; left: typeof seriesItems.$inferSelect | undefined },
): Promise<void> {
  const isFromBefore = left?.seriesId === seriesId && left.position < position;
  let free = position;
  while (taken.has(free)) free += 1;
  const [from, to, by] = isFromBefore ? [left.position, position, -1] : [position, free, 1];
  await tx
    .update(seriesItems)
    .set({ position: sql`${seriesItems.position} + ${by}` })
    .where(and(eq(seriesItems.seriesId, seriesId), between(seriesItems.position, from, to)));
}

export async function setChapters(tx: Db, audioId: string, wanted: Chapter[] | null): Promise<void> {
  await tx.delete(chapters).where(eq(chapters.audioId, audioId));
  if (wanted !== null && wanted.length > 0) await tx.insert(chapters).values({ audioId, chapters: wanted });
}

async function setTranscript(
  tx: Db,
  audio: AudioState,
  cues: (AudioEdit['transcript'] & object) | null,
): Promise<void> {
  await tx.delete(transcripts).where(eq(transcripts.audioId, audio.id));
  if (cues === null) return;
  // Nothing checks it again when its time comes or its voice is shown.
  const lines = audio.publishedAt === null ? [] : mistimedLines(cues, audio.numberDuration);
  if (lines.length > 0) throw new Refused<EditRefusal>({ ok: false, reason: 'mistimed-transcript', lines });
  await tx.insert(transcripts).values({ audioId: audio.id, cues });
}
