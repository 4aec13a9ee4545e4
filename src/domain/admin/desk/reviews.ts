import { type SQL, and, asc, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { language } from '#i18n';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { findObstacle } from '../../catalogue/editing/publication-gate.ts';
import { publishAudio } from '../../catalogue/editing/publishing.ts';
import { findOpenReview } from '../../catalogue/review/reviews.ts';
import { reviewCauses } from '../../catalogue/review/rules.ts';
import { findWatchedWords } from '../../catalogue/review/watched-words.ts';
import { audios, reviews, voices } from '../../catalogue/tables.ts';
import { users } from '../../identity/tables.ts';
import { type Actor, userIdOf } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Instant as InstantForm } from '../../kernel/forms.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageQuery, decodeCursor, encodeCursor, toPage } from '../../kernel/pages.ts';
import { orRefusal, Refused } from '../../kernel/refused.ts';
import { Id, ImageUrl, Instant, Seconds } from '../../kernel/shapes.ts';
import { findListed, findWordLists, markListed } from '../../settings/word-lists.ts';
import { readValues } from '../../studio/audios/audio-values.ts';
import { findRecording } from '../../studio/uploads/recordings.ts';
import { recordByOperator } from '../record.ts';
import type { ReviewForm } from '../forms.ts';
import { mayUse } from '../rules.ts';
import { findDeskPerformers } from './performers.ts';
import { queueReviewMails, type ReviewParts } from './review-mails.ts';

/** An audio in the queue of reviews. */
export const WaitingReview = z.object({
  id: Id.describe('Of the review'),
  audioId: Id,
  title: z.string(),
  imageUrl: ImageUrl,
  voice: z.string().describe('Name of the creator'),
  cause: z.enum(reviewCauses),
  nth: z.number().nullable().describe('With `new-creator`: which of the creator’s audios it is, from one'),
  sentBy: z.string().nullable().describe('Username; null: the command line, or a deleted account'),
  numberDuration: Seconds,
  hasText: z.boolean().describe('Has a transcript'),
  watchedWords: z.array(z.string()),
  sentAt: Instant,
  publishAt: Instant.nullable().describe('Time that the creator chose; null: at once'),
  isYours: z.boolean().describe('Sent, uploaded or managed by the viewer, whose review is refused'),
});
export type WaitingReview = z.output<typeof WaitingReview>;

const isWaiting = and(isNull(reviews.decision), isNull(audios.deletedAt), isNull(voices.deletedAt));

function selectWaiting(db: Db) {
  return db
    .select({
      id: reviews.id,
      audioId: audios.id,
      title: audios.title,
      imageUrl: imageUrlSql(audios.imageKey),
      voice: voices.name,
      voiceId: voices.id,
      voiceSlug: voices.slug,
      cause: reviews.cause,
      nth: reviews.nth,
      sentById: reviews.sentBy,
      sentBy: users.username,
      numberDuration: sql<number>`round(${audios.durationMs} / 1000.0, 2)::float8`,
      hasText: sql<boolean>`exists (select from transcripts t where t.audio_id = ${audios.id})`,
      uploaders: sql<
        string[]
      >`array(select u.user_id from uploads u where u.audio_id = ${audios.id} and u.user_id is not null)`,
      sentAt: reviews.sentAt,
      publishAt: reviews.publishAt,
    })
    .from(reviews)
    .innerJoin(audios, eq(audios.id, reviews.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .leftJoin(users, eq(users.id, reviews.sentBy))
    .$dynamic();
}
type Row = Awaited<ReturnType<typeof selectWaiting>>[number];

/** Two pairs of eyes: whoever sent, uploaded or manages it does not review it. */
function isYours(
  actor: Actor,
  { voiceId, sentById, uploaders }: Pick<Row, 'voiceId' | 'sentById' | 'uploaders'>,
): boolean {
  if (actor.kind !== 'user') return false;
  return actor.voiceRoles?.[voiceId] !== undefined || sentById === actor.id || uploaders.includes(actor.id);
}

async function toWaiting(db: Db, actor: Actor, row: Row): Promise<WaitingReview> {
  const { voiceId: _voice, voiceSlug: _slug, sentById: _sender, uploaders: _uploaders, ...rest } = row;
  return {
    ...rest,
    watchedWords: await findWatchedWords(db, row.audioId),
    isYours: isYours(actor, row),
  };
}

/** Oldest first. */
export async function listReviews(db: Db, actor: Actor, query: PageQuery): Promise<Page<WaitingReview>> {
  if (!mayUse(actor, 'desk')) return { items: [], nextCursor: undefined };
  const after = decodeCursor('reviews', query.cursor, InstantForm);
  const rows = await selectWaiting(db)
    .where(
      and(
        isWaiting,
        after && sql`(${reviews.sentAt}, ${reviews.id}) > (${after.value}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(reviews.sentAt), asc(reviews.id))
    .limit(query.limit + 1);
  const page = toPage(
    rows,
    query.limit,
    (row) => row,
    (row) => encodeCursor('reviews', { value: row.sentAt.toISOString(), id: row.id }),
  );
  return { ...page, items: await Promise.all(page.items.map((row) => toWaiting(db, actor, row))) };
}

export async function countReviews(db: Db): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(reviews)
    .innerJoin(audios, eq(audios.id, reviews.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(isWaiting);
  return row?.count ?? 0;
}

/** With all that a reviewer hears, reads and checks. @returns undefined for one that does not wait any more */
export async function findReview(db: Db, actor: Actor, id: string) {
  if (!mayUse(actor, 'desk') || !isId(id)) return undefined;
  const [row] = await selectWaiting(db).where(and(isWaiting, eq(reviews.id, id)));
  if (row === undefined) return undefined;
  const place = (is: SQL) =>
    db
      .select({ id: reviews.id })
      .from(reviews)
      .innerJoin(audios, eq(audios.id, reviews.audioId))
      .innerJoin(voices, eq(voices.id, audios.voiceId))
      .where(and(isWaiting, is))
      .orderBy(asc(reviews.sentAt), asc(reviews.id));
  const self = sql`(${row.sentAt.toISOString()}::timestamptz, ${row.id}::uuid)`;
  const [review, values, recording, before, [next], total, lists, obstacle, performers] = await Promise.all([
    toWaiting(db, actor, row),
    readValues(db, row.audioId),
    findRecording(db, row.audioId),
    place(sql`(${reviews.sentAt}, ${reviews.id}) < ${self}`),
    place(sql`(${reviews.sentAt}, ${reviews.id}) > ${self}`).limit(1),
    countReviews(db),
    findWordLists(db),
    findObstacle(db, row.audioId),
    findDeskPerformers(db, row.audioId, row.voiceId),
  ]);
  const { title, description, language, syntheticVoice, categories, tags, transcript } = values;
  return {
    review,
    shown: { title, description, language, syntheticVoice, categories, tags },
    lines: (transcript ?? []).map((line) => ({ ...line, marks: markListed(line.text, lists.watched) })),
    peaks: recording?.peaks,
    performers,
    refusedWords: findListed([title, ...tags].join(' . '), lists.refused),
    /** Keeps it from becoming public even when it is approved. */
    obstacle: obstacle === undefined || obstacle.reason === 'in-review' ? null : obstacle,
    place: before.length + 1,
    total,
    nextId: next?.id ?? null,
  };
}

/** Why it cannot be approved yet. */
export type ReviewObstacle = NonNullable<NonNullable<Awaited<ReturnType<typeof findReview>>>['obstacle']>;

type DecideRefusal = {
  ok: false;
  reason: 'not-found' | 'changed' | 'yours' | 'mistimed-transcript' | 'incomplete-chain' | 'missing-facet';
};

/**
 * Approves an audio, which becomes public at its time, or returns it to its creator, who is told by email.
 * @param form.words watched words that the reviewer saw
 */
export async function decideReview(
  parts: ReviewParts,
  actor: Actor,
  id: string,
  form: ReviewForm,
): Promise<{ ok: true } | DecideRefusal> {
  if (!mayUse(actor, 'desk') || !isId(id)) return { ok: false, reason: 'not-found' };
  return orRefusal<{ ok: true } | DecideRefusal>(parts.db, async (tx) => {
    const [seen] = await tx.select({ audioId: reviews.audioId }).from(reviews).where(eq(reviews.id, id));
    if (seen === undefined) return { ok: false, reason: 'not-found' };
    // In the order of acts that publish: the creator, then the audio.
    await tx.execute(
      sql`select from voices where id = (select voice_id from audios where id = ${seen.audioId}) for no key update`,
    );
    await tx.execute(sql`select from audios where id = ${seen.audioId} for no key update`);
    const [row] = await selectWaiting(tx).where(and(isWaiting, eq(reviews.id, id)));
    const open = row && (await findOpenReview(tx, row.audioId));
    if (row === undefined || open?.id !== id) return { ok: false, reason: 'changed' };
    if (isYours(actor, row)) return { ok: false, reason: 'yours' };
    const isApproved = form.decision === 'approved';
    await tx
      .update(reviews)
      .set({
        decision: form.decision,
        decidedAt: sql`now()`,
        decidedBy: userIdOf(actor),
        words: form.words,
        heardMs: Math.round(Math.min(form.heard, row.numberDuration) * 1000),
        ...(form.decision === 'returned' && {
          reasonKind: form.reasonKind,
          canned: form.canned,
          reason: form.reason,
          reasonLanguage: form.reason === '' ? null : language(),
          field: form.field ?? null,
        }),
      })
      .where(eq(reviews.id, id));
    await tx
      .update(audios)
      .set({ reviewState: isApproved ? null : 'returned', ...(isApproved && { hasNewSound: false }) })
      .where(eq(audios.id, row.audioId));
    if (isApproved) {
      const at = row.publishAt !== null && row.publishAt > new Date() ? row.publishAt : undefined;
      const published = await publishAudio(tx, row.audioId, at, { by: row.sentById });
      if (!published.ok) {
        const { reason } = published;
        const isTold = reason === 'mistimed-transcript' || reason === 'incomplete-chain' || reason === 'missing-facet';
        throw new Refused<DecideRefusal>({ ok: false, reason: isTold ? reason : 'changed' });
      }
    }
    await recordByOperator(tx, actor, {
      action: isApproved ? 'review.approve' : 'review.return',
      subject: { type: 'audio', id: row.audioId, name: row.title },
      voiceId: row.voiceId,
      after: {
        heard: Math.round(form.heard),
        ...(form.decision === 'returned' && { reasonKind: form.reasonKind, reason: form.reason }),
      },
    });
    await queueReviewMails({ ...parts, db: tx }, row, form);
    return { ok: true };
  });
}

/** @throws DomainError for what a call refuses */
export const reviewRefusals = {
  changed: 'review/changed-meanwhile',
  yours: 'review/yours',
  'mistimed-transcript': () => new DomainError('audio/mistimed-transcript'),
  'incomplete-chain': 'audio/incomplete-chain',
  'missing-facet': 'audio/missing-facet',
} as const;
