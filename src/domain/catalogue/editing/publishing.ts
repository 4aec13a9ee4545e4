import { type AnyColumn, type SQL, and, eq, isNull, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { settingChanged } from '../../identity/setting-changes.ts';
import type { Db } from '../../kernel/db.ts';
import { isAudio } from '../audios.ts';
import { type PreviewChange, findPreviewId, setPreview } from '../site-settings.ts';
import { type Commenters, type SyntheticVoice, commentColumns, commentersOf } from '../rules.ts';
import { audios, importedAudios, voices } from '../tables.ts';
import { sendForReview, withdrawReview } from '../review/reviews.ts';
import type { ChainGap } from './chain.ts';
import { findObstacle, heldBack, laterThanNow } from './publication-gate.ts';
import { findMistimedLines } from './transcripts.ts';

export type PublishingResult =
  | { ok: true; audio: AudioState; changed: boolean }
  | { ok: false; reason: 'not-found' | 'not-published' | 'is-preview' }
  /** `lines`: numbers of the lines of its transcript. */
  | MistimedTranscript
  | IncompleteChain
  | MissingFacet;

/** `gap`: what is missing between the audio and the consent of those who are heard. */
export type IncompleteChain = { ok: false; reason: 'incomplete-chain'; gap: ChainGap };

/** Names of required facets of which the audio has no tag. */
export type MissingFacet = { ok: false; reason: 'missing-facet'; facets: string[] };

export type MistimedTranscript = { ok: false; reason: 'mistimed-transcript'; lines: number[] };

/** Publication time of an audio that is not deleted, also while its voice is hidden; null for drafts. */
export const publicationTime =
  sql<Date | null>`coalesce(${audios.publishedAt}, ${audios.publishedWhileHidden})`.mapWith(audios.publishedAt);

/** Neither published nor scheduled; a date that waits for a hidden voice counts as published. */
export const isUnpublished = and(
  isNull(audios.publishedAt),
  isNull(audios.publishedWhileHidden),
  isNull(audios.deletedAt),
);

/** State of something that is published at a time, and that can be deleted. */
export function publicationState(publishedAt: AnyColumn | SQL, deletedAt: AnyColumn) {
  return sql<
    'deleted' | 'draft' | 'scheduled' | 'published'
  >`case when ${deletedAt} is not null then 'deleted' when ${publishedAt} is null then 'draft'
    when ${publishedAt} > now() then 'scheduled' else 'published' end`;
}

function selectStates(db: Db) {
  return db
    .select({
      id: audios.id,
      slug: audios.slug,
      title: audios.title,
      voiceSlug: voices.slug,
      voiceName: voices.name,
      publishedAt: publicationTime,
      /** Its voice is hidden, so listeners do not see it in any state. */
      isHidden: sql<boolean>`${voices.hiddenAt} is not null`,
      deletedAt: audios.deletedAt,
      publishedAtDeletion: audios.publishedAtDeletion,
      review: audios.reviewState,
      state: publicationState(publicationTime, audios.deletedAt),
      isFree: audios.isFree,
      language: audios.language,
      syntheticVoice: audios.syntheticVoice,
      isPreview: sql<boolean>`exists (select from site_settings s where s.key = 'preview' and s.value ->> 'audioId' = ${audios.id}::text)`,
      commentsDisabled: audios.commentsDisabled,
      commentsForSubscribers: audios.commentsForSubscribers,
      durationMs: audios.durationMs,
    })
    .from(audios)
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .$dynamic();
}

function toState(row: Awaited<ReturnType<typeof selectStates>>[number]) {
  const {
    voiceSlug,
    voiceName,
    publishedAt,
    deletedAt,
    publishedAtDeletion,
    durationMs,
    commentsDisabled,
    commentsForSubscribers,
    ...rest
  } = row;
  return {
    ...rest,
    commenters: commentersOf({ commentsDisabled, commentsForSubscribers }),
    voice: { slug: voiceSlug, name: voiceName },
    /** ISO 8601; null for drafts and deleted audios. With a hidden voice: the date that showing it restores. */
    publishedAt: deletedAt === null ? (publishedAt?.toISOString() ?? null) : null,
    deletedAt: deletedAt?.toISOString() ?? null,
    /** The date that restoring brings back. */
    publishedAtDeletion: publishedAtDeletion?.toISOString() ?? null,
    /** Seconds. */
    numberDuration: Math.round(durationMs / 10) / 100,
  };
}

/** An audio as the studio and admin see it: published or not, and its access settings. */
export type AudioState = ReturnType<typeof toState>;

/** By id or slug, including drafts; deleted audios only on request. */
export async function findAudioState(
  db: Db,
  idOrSlug: string,
  { evenDeleted = false }: { evenDeleted?: boolean } = {},
): Promise<AudioState | undefined> {
  const match = isAudio(idOrSlug);
  if (match === undefined) return undefined;
  const [row] = await selectStates(db)
    .where(and(match, evenDeleted ? undefined : isNull(audios.deletedAt)))
    .limit(1);
  return row === undefined ? undefined : toState(row);
}

type Changes = PgUpdateSetSource<typeof audios>;

/** The database clock, which `isPublished` compares with; truncated, because rounding could give a future time. */
export const publishedNow: SQL = sql`date_trunc('milliseconds', now())`;

/** That of its former host, where it was imported. */
const importedDate = sql`(select least(imported.published_at, ${publishedNow}) from ${importedAudios} imported
  where imported.audio_id = ${sql.raw('audios.id')})`;

type Refusal = Exclude<
  Extract<PublishingResult, { ok: false }>['reason'],
  'mistimed-transcript' | 'incomplete-chain' | 'missing-facet'
>;

/** The changes, or why they are refused; undefined skips the write and invalidates no cache. */
export type AudioDecision = Changes | Refusal | undefined;

/**
 * Changes an audio; one that would become public obeys the conditions of publication.
 * @param options.by id of the user who acts
 */
export async function changeAudio(
  db: Db,
  idOrSlug: string,
  decide: (audio: AudioState) => AudioDecision,
  {
    publishes = false,
    evenDeleted = false,
    by = null,
  }: { publishes?: boolean; evenDeleted?: boolean; by?: string | null } = {},
): Promise<PublishingResult> {
  return db.transaction(async (tx) => {
    const find = (id: string) => findAudioState(tx, id, { evenDeleted });
    const seen = await find(idOrSlug);
    if (seen === undefined) return { ok: false, reason: 'not-found' };
    // Locked before it is read again, so that two changes of one audio run in sequence.
    await tx.execute(sql`select from audios where id = ${seen.id} for no key update`);
    const audio = await find(seen.id);
    if (audio === undefined) return { ok: false, reason: 'not-found' };
    const changes = decide(audio);
    if (changes === undefined) return { ok: true, audio, changed: false };
    if (typeof changes === 'string') return { ok: false, reason: changes };
    const lines = publishes ? await findMistimedLines(tx, audio.id) : [];
    if (lines.length > 0) return { ok: false, reason: 'mistimed-transcript', lines };
    const at = changes.publishedAt ?? null;
    const obstacle = at === null ? undefined : await findObstacle(tx, audio.id);
    if (obstacle !== undefined && obstacle.reason !== 'in-review') {
      // Restored as a draft; every other act does nothing.
      if (changes.deletedAt !== null) return { ok: false, ...obstacle };
      await tx
        .update(audios)
        .set({ ...changes, ...heldBack })
        .where(eq(audios.id, audio.id));
      return { ok: true, audio: (await find(audio.id)) ?? audio, changed: true };
    }
    if (obstacle !== undefined) {
      const publishAt = at instanceof Date ? laterThanNow(at) : null;
      const isSent = await sendForReview(tx, audio.id, { ...obstacle.review, by, publishAt });
      await tx
        .update(audios)
        .set({ ...changes, ...heldBack })
        .where(eq(audios.id, audio.id));
      return { ok: true, audio: (await find(audio.id)) ?? audio, changed: isSent };
    }
    const endsReview = audio.review !== null && changes.publishedAt !== undefined;
    if (endsReview) await withdrawReview(tx, audio.id);
    await tx
      .update(audios)
      .set({ ...changes, ...(endsReview && { reviewState: null }) })
      .where(eq(audios.id, audio.id));
    return { ok: true, audio: (await find(audio.id)) ?? audio, changed: true };
  });
}

/** The date that publishing restores. A scheduled audio was not public yet, so it gets none. */
function keptDate({ state, publishedAt }: AudioState): Changes {
  return state === 'published' && publishedAt !== null ? { firstPublishedAt: new Date(publishedAt) } : {};
}

/**
 * Within a transaction that holds the voice (`holdVoicesOf`), so that a hidden one stays hidden.
 * @param at publication time; without it now. An audio that is or was published keeps its first date, also an imported
 * one that of its former host.
 * @param options.by id of the user who publishes
 */
export function publishAudio(
  db: Db,
  idOrSlug: string,
  at?: Date,
  { by = null }: { by?: string | null } = {},
): Promise<PublishingResult> {
  const decide = (audio: AudioState): AudioDecision => {
    if (at !== undefined) {
      if (audio.publishedAt === at.toISOString()) return undefined;
      if (audio.state !== 'published' || at <= new Date()) return { publishedAt: at };
      // Until then listeners do not see it, as if it were unpublished.
      if (audio.isPreview) return 'is-preview';
      return { publishedAt: at, ...keptDate(audio) };
    }
    if (audio.state === 'published') return undefined;
    return { publishedAt: sql`coalesce(${audios.firstPublishedAt}, ${importedDate}, ${publishedNow})` };
  };
  return changeAudio(db, idOrSlug, decide, { publishes: true, by });
}

/** @param options.evenPreview allows unpublishing the preview; visitors then have no preview until another is chosen */
export async function unpublishAudio(
  db: Db,
  idOrSlug: string,
  { evenPreview = false }: { evenPreview?: boolean } = {},
): Promise<PublishingResult> {
  return changeAudio(db, idOrSlug, (audio) => {
    if (audio.state === 'draft' && audio.review === null) return undefined;
    if (audio.isPreview && audio.state === 'published' && !evenPreview) return 'is-preview';
    return {
      publishedAt: null,
      // Otherwise showing the voice again would publish it.
      publishedWhileHidden: null,
      ...keptDate(audio),
    };
  });
}

export function setAudioFree(db: Db, idOrSlug: string, isFree: boolean): Promise<PublishingResult> {
  return changeAudio(db, idOrSlug, (audio) => (audio.isFree === isFree ? undefined : { isFree }));
}

export function setAudioLanguage(db: Db, idOrSlug: string, language: string): Promise<PublishingResult> {
  return changeAudio(db, idOrSlug, (audio) => (audio.language === language ? undefined : { language }));
}

export function setSyntheticVoice(db: Db, idOrSlug: string, syntheticVoice: SyntheticVoice): Promise<PublishingResult> {
  return changeAudio(db, idOrSlug, (audio) =>
    audio.syntheticVoice === syntheticVoice ? undefined : { syntheticVoice },
  );
}

/** Turns comments off, or on for the previous commenters. */
export function setCommentsDisabled(db: Db, idOrSlug: string, commentsDisabled: boolean): Promise<PublishingResult> {
  return changeAudio(db, idOrSlug, (audio) =>
    (audio.commenters === 'nobody') === commentsDisabled ? undefined : { commentsDisabled },
  );
}

export function setCommenters(db: Db, idOrSlug: string, commenters: Commenters): Promise<PublishingResult> {
  return changeAudio(db, idOrSlug, (audio) =>
    audio.commenters === commenters ? undefined : commentColumns(commenters),
  );
}

/**
 * Chooses the preview, the one audio that visitors may hear. It must be visible to listeners, because the front page shows it.
 * @throws ChangedMeanwhile `preview/changed` when another operator chose one meanwhile
 */
export async function choosePreview(db: Db, idOrSlug: string, change: PreviewChange = {}): Promise<PublishingResult> {
  const audio = await findAudioState(db, idOrSlug);
  if (audio === undefined) return { ok: false, reason: 'not-found' };
  if (audio.state !== 'published' || audio.isHidden) return { ok: false, reason: 'not-published' };
  if ((await findPreviewId(db)) === audio.id) return { ok: true, audio, changed: false };
  if (!(await setPreview(db, audio.id, change))) throw await settingChanged(db, 'preview', 'preview/changed');
  return { ok: true, audio: { ...audio, isPreview: true }, changed: true };
}
