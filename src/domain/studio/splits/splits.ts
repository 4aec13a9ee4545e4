import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { credits } from '../../catalogue/credits/tables.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import type { Mail } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { roleIn } from '../../kernel/rules.ts';
import { mailOwners } from '../../verification/verifications.ts';
import { type HeldAudio, findManagedAudio, holdAudio, recordOnAudio } from '../audios/hold-audio.ts';
import { canDeleteIn } from '../rules.ts';
import type { SplitAnswerForm, SplitForm } from './forms.ts';
import { splitAskedMail } from './mails.ts';
import { type SplitState, excessOf } from './rules.ts';
import { splitParts, splits } from './tables.ts';

/** Shares of an audio's earnings: its owners propose them, and they count once all who have a part agreed. */

type Parts = { db: Db; mail: Mail; site: MailSite };

export type Part = {
  voiceId: string;
  name: string;
  imageUrl: string | null;
  share: number;
  state: SplitState;
  reason: string | null;
};
/** `holdsFrom`: `2026-10`, or null while somebody has not agreed. */
type Split = { id: string; holdsFrom: string | null; parts: Part[] };

export type AudioSplits = NonNullable<Awaited<ReturnType<typeof findSplits>>>;

/** @returns undefined for an audio whose earnings the actor does not decide about */
export async function findSplits(db: Db, actor: Actor, audioId: string) {
  const audio = await findManagedAudio(db, actor, audioId);
  if (audio === undefined || !canDeleteIn(actor, audio.voiceId)) return undefined;
  const rows = await db
    .select({ id: splits.id, holdsFrom: splits.holdsFrom })
    .from(splits)
    .where(eq(splits.audioId, audio.id))
    .orderBy(desc(splits.holdsFrom), desc(splits.proposedAt));
  // As `findCurrent`: the newest that counts.
  const current = rows.find((row) => row.holdsFrom !== null);
  const waiting = rows.find((row) => row.holdsFrom === null);
  const parts = await readParts(db, [current?.id, waiting?.id]);
  const splitOf = (row: { id: string; holdsFrom: string | null } | undefined): Split | null =>
    row === undefined
      ? null
      : { id: row.id, holdsFrom: row.holdsFrom?.slice(0, 7) ?? null, parts: parts.get(row.id) ?? [] };
  return {
    /** Null: the audio's creator gets the whole. */
    current: splitOf(current),
    waiting: splitOf(waiting),
    candidates: await listCandidates(db, audio),
  };
}

async function readParts(db: Db, ids: (string | undefined)[]): Promise<Map<string, Part[]>> {
  const known = ids.filter((id) => id !== undefined);
  if (known.length === 0) return new Map();
  const rows = await db
    .select({
      splitId: splitParts.splitId,
      voiceId: splitParts.voiceId,
      name: voices.name,
      imageUrl: imageUrlSql(voices.imageKey),
      share: splitParts.share,
      state: splitParts.state,
      reason: splitParts.reason,
    })
    .from(splitParts)
    .innerJoin(voices, eq(voices.id, splitParts.voiceId))
    .where(inArray(splitParts.splitId, known))
    .orderBy(desc(splitParts.share), asc(voices.sortName));
  return Map.groupBy(rows, ({ splitId }) => splitId);
}

/** The one that counts now. */
async function findCurrent(db: Db, audioId: string): Promise<{ id: string; holdsFrom: string | null } | undefined> {
  const [row] = await db
    .select({ id: splits.id, holdsFrom: splits.holdsFrom })
    .from(splits)
    .where(and(eq(splits.audioId, audioId), isNotNull(splits.holdsFrom)))
    .orderBy(desc(splits.holdsFrom), desc(splits.proposedAt))
    .limit(1);
  return row;
}

/** The audio's creator, and creators who accepted a credit. */
async function listCandidates(
  db: Db,
  audio: HeldAudio,
): Promise<{ id: string; name: string; imageUrl: string | null }[]> {
  const credited = db
    .select({ id: credits.voiceId })
    .from(credits)
    .where(and(eq(credits.audioId, audio.id), eq(credits.state, 'accepted'), isNull(credits.removedAt)));
  return db
    .select({ id: voices.id, name: voices.name, imageUrl: imageUrlSql(voices.imageKey) })
    .from(voices)
    .where(
      and(
        isNull(voices.deletedAt),
        isNull(voices.mergedInto),
        sql`(${voices.id} = ${audio.voiceId} or ${voices.id} in ${credited})`,
      ),
    )
    .orderBy(sql`${voices.id} = ${audio.voiceId} desc`, asc(voices.sortName), asc(voices.id))
    .limit(50);
}

export type SplitRefusal = { ok: false; reason: 'not-found' | 'not-whole' | 'not-credited' };

/** Proposes shares in place of a former proposal. All with a share now, or until now, are asked. */
export function proposeSplit(
  { db, mail, site }: Parts,
  actor: Actor,
  audioId: string,
  { shares }: SplitForm,
  now: Date = new Date(),
): Promise<{ ok: true } | SplitRefusal> {
  return db.transaction(async (tx): Promise<{ ok: true } | SplitRefusal> => {
    const audio = await holdAudio(tx, actor, audioId);
    if (audio === undefined || !canDeleteIn(actor, audio.voiceId)) return { ok: false, reason: 'not-found' };
    if (excessOf(shares) !== 0) return { ok: false, reason: 'not-whole' };
    const candidates = await listCandidates(tx, audio);
    const current = await findCurrent(tx, audio.id);
    const former = (await readParts(tx, [current?.id])).get(current?.id ?? '') ?? [];
    const known = new Set([...candidates.map(({ id }) => id), ...former.map(({ voiceId }) => voiceId)]);
    if (shares.some(({ voiceId }) => !known.has(voiceId))) return { ok: false, reason: 'not-credited' };
    const givenUp = former
      .filter(({ voiceId, share }) => share > 0 && shares.every((one) => one.voiceId !== voiceId))
      .map(({ voiceId }) => ({ voiceId, share: 0 }));
    const all = [...shares, ...givenUp];
    const isOwn = (voiceId: string) =>
      voiceId === audio.voiceId || (actor.kind === 'user' && actor.voiceRoles?.[voiceId] === 'owner');
    await tx.delete(splits).where(and(eq(splits.audioId, audio.id), isNull(splits.holdsFrom)));
    const id = newId();
    await tx.insert(splits).values({ id, audioId: audio.id });
    await tx.insert(splitParts).values(
      all.map((part) => ({
        ...part,
        splitId: id,
        state: isOwn(part.voiceId) ? ('agreed' as const) : ('asked' as const),
        answeredAt: isOwn(part.voiceId) ? now : null,
      })),
    );
    await recordOnAudio(tx, actor, audio, 'split.propose', { after: { shares: all.map(({ share }) => share) } });
    await holdIfAgreed(tx, id, now);
    const asked = all.filter(({ voiceId }) => !isOwn(voiceId));
    for (const { voiceId } of asked) await ask({ db: tx, mail, site }, audio.voiceId, voiceId);
    return { ok: true };
  });
}

async function ask({ db: tx, mail, site }: Parts, ownerId: string, voiceId: string): Promise<void> {
  const rows = await tx
    .select({ id: voices.id, name: voices.name, slug: voices.slug })
    .from(voices)
    .where(inArray(voices.id, [ownerId, voiceId]));
  const [creator, payee] = [rows.find(({ id }) => id === ownerId), rows.find(({ id }) => id === voiceId)];
  if (creator === undefined || payee === undefined) return;
  await mailOwners({ db: tx, mail }, voiceId, () =>
    splitAskedMail(site, { creator: creator.name, payee: payee.name, slug: payee.slug }),
  );
}

/** The shares count from the first day of the month in which the last one agreed. */
async function holdIfAgreed(tx: Db, splitId: string, now: Date): Promise<void> {
  const missing = await tx.$count(
    splitParts,
    and(eq(splitParts.splitId, splitId), sql`${splitParts.state} <> 'agreed'`),
  );
  if (missing > 0) return;
  await tx
    .update(splits)
    .set({ holdsFrom: `${now.toISOString().slice(0, 7)}-01` })
    .where(eq(splits.id, splitId));
}

/** Takes a proposal back; shares that count already stay. */
export function withdrawSplit(db: Db, actor: Actor, audioId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, audioId);
    if (audio === undefined || !canDeleteIn(actor, audio.voiceId)) return false;
    const gone = await tx.delete(splits).where(and(eq(splits.audioId, audio.id), isNull(splits.holdsFrom)));
    if ((gone.rowCount ?? 0) > 0) await recordOnAudio(tx, actor, audio, 'split.withdraw');
    return true;
  });
}

export type AskedSplit = Awaited<ReturnType<typeof listAskedSplits>>[number];

/** Proposals in which a creator has not agreed, the newest first; for its owners. */
export async function listAskedSplits(db: Db, actor: Actor, voiceId: string) {
  if (!isId(voiceId) || !canDeleteIn(actor, voiceId)) return [];
  return db
    .select({
      id: splits.id,
      share: splitParts.share,
      state: splitParts.state,
      proposedAt: splits.proposedAt,
      audio: { title: audios.title, imageUrl: imageUrlSql(audios.imageKey) },
      creator: voices.name,
    })
    .from(splitParts)
    .innerJoin(splits, eq(splits.id, splitParts.splitId))
    .innerJoin(audios, eq(audios.id, splits.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(and(eq(splitParts.voiceId, voiceId), isNull(splits.holdsFrom), sql`${splitParts.state} <> 'agreed'`))
    .orderBy(desc(splits.proposedAt), desc(splits.id))
    .limit(100);
}

/** Agrees to the shares of a proposal, or declines them. */
export function answerSplit(
  db: Db,
  actor: Actor,
  { voiceId, splitId }: { voiceId: string; splitId: string },
  { state, reason }: SplitAnswerForm,
  now: Date = new Date(),
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const role = roleIn(actor, voiceId);
    if (role === undefined || !canDeleteIn(actor, voiceId) || !isId(voiceId) || !isId(splitId)) return false;
    // Two who answer at once would each not see the other's yes.
    const [split] = await tx
      .select({ id: splits.id, audioId: audios.id, title: audios.title })
      .from(splits)
      .innerJoin(audios, eq(audios.id, splits.audioId))
      .where(and(eq(splits.id, splitId), isNull(splits.holdsFrom)))
      .for('update', { of: splits });
    const isPart = and(eq(splitParts.splitId, splitId), eq(splitParts.voiceId, voiceId));
    const [part] = split === undefined ? [] : await tx.select().from(splitParts).where(isPart);
    if (split === undefined || part === undefined) return false;
    await tx
      .update(splitParts)
      .set({ state, reason: state === 'declined' ? (reason ?? null) : null, answeredAt: now })
      .where(isPart);
    await recordChange(tx, {
      actor,
      role,
      action: state === 'agreed' ? 'split.agree' : 'split.decline',
      subject: { type: 'audio', id: split.audioId, name: split.title },
      voiceId,
      before: { state: part.state },
      after: { state, share: part.share },
    });
    await holdIfAgreed(tx, splitId, now);
    return true;
  });
}
