import { type SQL, and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { imageUrlSql } from '../../catalogue/audios.ts';
import type { CreditState } from '../../catalogue/credits/rules.ts';
import { credits } from '../../catalogue/credits/tables.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { isId } from '../../kernel/ids.ts';
import { type PageQuery, pageIn } from '../../kernel/pages.ts';
import { isVoiceRole, roleIn } from '../../kernel/rules.ts';
import { keyOf } from './audio-credits.ts';

/** Credits in audios of others that name a creator, for those who manage that one. */

/** Needs a join with `audios`. */
const isOfOthers = (voiceId: string): SQL | undefined =>
  and(eq(credits.voiceId, voiceId), isNull(credits.removedAt), ne(audios.voiceId, voiceId), isNull(audios.deletedAt));

/** The newest first. @returns undefined for a creator whom the actor does not manage */
export async function listCreditsOfVoice(
  db: Db,
  actor: Actor,
  voiceId: string,
  query: PageQuery & { state?: CreditState | undefined },
) {
  if (!isId(voiceId) || roleIn(actor, voiceId) === undefined) return undefined;
  const page = pageIn('credits-of-voice', query, { direction: 'desc', by: credits.createdAt, id: credits.id });
  const rows = await db
    .select({
      id: credits.id,
      role: credits.role,
      state: credits.state,
      askedAt: credits.askedAt,
      answeredAt: credits.answeredAt,
      audio: {
        slug: audios.slug,
        title: audios.title,
        imageUrl: imageUrlSql(audios.imageKey),
        isPublished: sql<boolean>`coalesce(${audios.publishedAt} <= now(), false)`,
      },
      creator: { slug: voices.slug, name: voices.name },
      ...page.columns,
    })
    .from(credits)
    .innerJoin(audios, eq(audios.id, credits.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(isOfOthers(voiceId), query.state && eq(credits.state, query.state), page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  const { items, nextCursor } = page.of(rows);
  return {
    items: items.map(({ askedAt, answeredAt, ...credit }) => ({
      ...credit,
      askedAt: askedAt?.toISOString() ?? null,
      answeredAt: answeredAt?.toISOString() ?? null,
    })),
    nextCursor,
  };
}
export type CreditOfVoice = NonNullable<Awaited<ReturnType<typeof listCreditsOfVoice>>>['items'][number];

/** By state; states without any are absent. */
export async function countCreditsOfVoice(db: Db, voiceId: string): Promise<Partial<Record<CreditState, number>>> {
  const rows = await db
    .select({ state: credits.state, count: sql<number>`count(*)::int` })
    .from(credits)
    .innerJoin(audios, eq(audios.id, credits.audioId))
    .where(isOfOthers(voiceId))
    .groupBy(credits.state);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/**
 * Accepts a credit, declines it, or takes back what was accepted. Either can be changed later. The yes is the creator's
 * own: operators can only take it back.
 */
export function answerCredit(
  db: Db,
  actor: Actor,
  voiceId: string,
  creditId: string,
  state: Exclude<CreditState, 'asked'>,
): Promise<{ ok: true } | { ok: false; reason: 'not-found' | 'not-own' }> {
  return db.transaction(async (tx) => {
    const role = roleIn(actor, voiceId);
    if (role === undefined || !isId(voiceId) || !isId(creditId)) return { ok: false, reason: 'not-found' };
    if (state === 'accepted' && !isVoiceRole(role)) return { ok: false, reason: 'not-own' };
    const [credit] = await tx
      .select({ state: credits.state, role: credits.role, audioId: audios.id, title: audios.title })
      .from(credits)
      .innerJoin(audios, eq(audios.id, credits.audioId))
      .where(and(eq(credits.id, creditId), isOfOthers(voiceId)))
      .for('no key update', { of: credits });
    if (credit === undefined) return { ok: false, reason: 'not-found' };
    if (credit.state === state) return { ok: true };
    await tx
      .update(credits)
      // One of a creator with the same owner was not asked.
      .set({ state, answeredAt: sql`now()`, askedAt: sql`coalesce(${credits.askedAt}, ${credits.createdAt})` })
      .where(eq(credits.id, creditId));
    if (state === 'declined') await removeName(tx, credit.audioId, voiceId);
    await recordChange(tx, {
      actor,
      role,
      action: state === 'accepted' ? 'credit.accept' : 'credit.decline',
      subject: { type: 'audio', id: credit.audioId, name: credit.title },
      voiceId,
      before: { state: credit.state, role: credit.role },
      after: { state, role: credit.role },
    });
    return { ok: true };
  });
}

/** A creator who declines is not named as plain text in the same audio either. */
async function removeName(tx: Db, audioId: string, voiceId: string): Promise<void> {
  const [voice] = await tx.select({ name: voices.name }).from(voices).where(eq(voices.id, voiceId));
  const isName = and(eq(credits.audioId, audioId), isNull(credits.voiceId));
  const named = await tx.select({ id: credits.id, name: credits.name }).from(credits).where(isName);
  const ids = named.flatMap(({ id, name }) => (keyOf(name ?? '') === keyOf(voice?.name ?? '') ? [id] : []));
  if (ids.length > 0) await tx.delete(credits).where(inArray(credits.id, ids));
}
