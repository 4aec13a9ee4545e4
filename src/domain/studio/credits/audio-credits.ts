import { and, asc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { holdBack } from '../../catalogue/editing/publication-gate.ts';
import { type CreditRole, askAgainDays, maxCredits } from '../../catalogue/credits/rules.ts';
import { credits } from '../../catalogue/credits/tables.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import type { Mail } from '../../gateways.ts';
import { type Actor, userIdOf } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { isId, newId, sortKey } from '../../kernel/ids.ts';
import { findListed, findWordLists, refuseWords } from '../../settings/word-lists.ts';
import { mailOwners } from '../../verification/verifications.ts';
import { type HeldAudio, findManagedAudio, holdAudio, recordOnAudio } from '../audios/hold-audio.ts';
import type { CreditForm } from './forms.ts';
import { creditAskedMail } from './mails.ts';

/** Credits of an audio, for those who manage it. Another creator is shown to listeners after they accepted. */

type Parts = { db: Db; mail: Mail; site: MailSite };

type CreditRefusal = {
  ok: false;
  reason: 'not-found' | 'full' | 'there-already' | 'unknown-creator' | 'declined' | 'needs-consent' | 'order-changed';
};
type Outcome = { ok: true; id: string } | CreditRefusal;

/** @returns undefined for an audio that the actor does not manage */
export async function listCredits(db: Db, actor: Actor, audioId: string) {
  const audio = await findManagedAudio(db, actor, audioId);
  if (audio === undefined) return undefined;
  const rows = await db
    .select({
      id: credits.id,
      role: credits.role,
      name: sql<string>`coalesce(${credits.name}, ${voices.name})`,
      state: credits.state,
      isAsked: sql<boolean>`${credits.askedAt} is not null`,
      at: sql<Date>`coalesce(${credits.answeredAt}, ${credits.askedAt}, ${credits.createdAt})`.mapWith(
        credits.createdAt,
      ),
      voiceId: voices.id,
      voiceSlug: voices.slug,
      imageUrl: imageUrlSql(voices.imageKey),
      isHidden: sql<boolean>`${voices.hiddenAt} is not null`,
    })
    .from(credits)
    .leftJoin(voices, eq(voices.id, credits.voiceId))
    .where(and(eq(credits.audioId, audio.id), isNull(credits.removedAt)))
    .orderBy(asc(credits.position), asc(credits.id))
    .limit(maxCredits);
  return rows.map(({ voiceId, voiceSlug, imageUrl, isHidden, isAsked, at, ...row }) => ({
    ...row,
    /** Null: needs nobody's consent. */
    answer: isAsked ? { at: at.toISOString() } : null,
    voice:
      voiceId === null || voiceSlug === null
        ? null
        : { id: voiceId, slug: voiceSlug, imageUrl, isHidden, isOwn: voiceId === audio.voiceId },
  }));
}
export type AudioCredit = NonNullable<Awaited<ReturnType<typeof listCredits>>>[number];

/** A refusal counts from its day, whenever the credit was removed. */
const isForgotten = and(
  isNotNull(credits.removedAt),
  lt(sql`coalesce(${credits.answeredAt}, ${credits.removedAt})`, sql`now() - make_interval(days => ${askAgainDays})`),
);

/** @returns their number */
export async function purgeRemovedCredits(db: Db, audioId?: string): Promise<number> {
  const isDue = and(isForgotten, audioId === undefined ? undefined : eq(credits.audioId, audioId));
  // A statement that deletes none would clear the caches, too.
  if ((await db.$count(credits, isDue)) === 0) return 0;
  return (await db.delete(credits).where(isDue)).rowCount ?? 0;
}

/** All rows of an audio, with those that were removed after a creator was asked. */
async function readCredits(tx: Db, audioId: string) {
  await purgeRemovedCredits(tx, audioId);
  const rows = await tx
    .select({ credit: credits, voiceName: voices.name })
    .from(credits)
    .leftJoin(voices, eq(voices.id, credits.voiceId))
    .where(eq(credits.audioId, audioId))
    .orderBy(asc(credits.position), asc(credits.id));
  return rows.map(({ credit, voiceName }) => {
    const shownName = credit.name ?? voiceName ?? '';
    return { ...credit, shownName, key: keyOf(shownName) };
  });
}

/** The same for names that differ in case, accents and punctuation alone. */
export const keyOf = (name: string) => sortKey(name) || name;

type CreditRow = Awaited<ReturnType<typeof readCredits>>[number];

const isThere = ({ removedAt }: CreditRow) => removedAt === null;

async function change<Result extends { ok: true }>(
  { db }: Pick<Parts, 'db'>,
  actor: Actor,
  audioId: string,
  run: (tx: Db, audio: HeldAudio, rows: CreditRow[]) => Promise<Result | CreditRefusal>,
): Promise<Result | CreditRefusal> {
  if (!isId(audioId)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<Result | CreditRefusal> => {
    const audio = await holdAudio(tx, actor, audioId);
    return audio === undefined ? { ok: false, reason: 'not-found' } : run(tx, audio, await readCredits(tx, audio.id));
  });
}

/** Names somebody; another creator is asked, and mailed at most once a day about all questions of the same creator. */
export function addCredit(parts: Parts, actor: Actor, audioId: string, form: CreditForm): Promise<Outcome> {
  return change(parts, actor, audioId, async (tx, audio, rows) => {
    const position = rows.filter(isThere).length;
    if (position >= maxCredits) return { ok: false, reason: 'full' };
    const added = await put({ ...parts, db: tx }, actor, { audio, rows, position, form });
    if (added.ok) await recordOnAudio(tx, actor, audio, 'credit.add', { after: forLog(added) });
    return added.ok ? { ok: true, id: added.id } : added;
  });
}

/** Another part is another question: a creator who accepted is asked again. */
export function setCreditRole(
  parts: Parts,
  actor: Actor,
  audioId: string,
  creditId: string,
  role: CreditRole,
): Promise<{ ok: true } | CreditRefusal> {
  return change(parts, actor, audioId, async (tx, audio, rows) => {
    const credit = rows.find((row) => row.id === creditId && isThere(row));
    if (credit === undefined) return { ok: false, reason: 'not-found' };
    if (credit.role === role) return { ok: true };
    if (credit.state === 'declined') return { ok: false, reason: 'declined' };
    const { name, voiceId, position } = credit;
    const form = { role, ...(voiceId === null ? { name: name ?? '' } : { voiceId }) };
    const others = rows.filter((row) => row !== credit);
    const changed = await put({ ...parts, db: tx }, actor, { audio, rows: others, position, form });
    if (!changed.ok) return changed;
    await takeOut(tx, credit);
    // Another question has another id: an answer that is under way was about this one.
    if (voiceId === null) await tx.update(credits).set({ id: credit.id }).where(eq(credits.id, changed.id));
    await recordOnAudio(tx, actor, audio, 'credit.change', {
      before: { ...forLog(changed), role: credit.role },
      after: forLog(changed),
    });
    return { ok: true };
  });
}

const forLog = ({ role, name }: { role: CreditRole; name: string }) => ({ role, name });

type Done = { ok: true; id: string; role: CreditRole; name: string };
type Put = { audio: HeldAudio; rows: CreditRow[]; position: number; form: CreditForm };

async function put(parts: Parts, actor: Actor, given: Put): Promise<Done | CreditRefusal> {
  const { db: tx } = parts;
  const { audio, rows, position, form } = given;
  const { role, name, voiceId } = form;
  if (voiceId !== undefined) return putCreator(parts, actor, given, voiceId);
  if (name === undefined) return { ok: false, reason: 'not-found' };
  await refuseWords(tx, [name]);
  const key = keyOf(name);
  const ofName = rows.filter((row) => row.key === key);
  if (ofName.some((row) => row.voiceId !== null && row.voiceId !== audio.voiceId))
    return { ok: false, reason: 'needs-consent' };
  if (ofName.some((row) => row.role === role && isThere(row))) return { ok: false, reason: 'there-already' };
  const id = newId();
  await tx.insert(credits).values({ id, audioId: audio.id, position, role, name });
  const { watched } = await findWordLists(tx);
  if (findListed(name, watched).length > 0) await holdBack(tx, audio.id, userIdOf(actor));
  return { ok: true, id, role, name };
}

async function putCreator(
  { db: tx, mail, site }: Parts,
  actor: Actor,
  { audio, rows, position, form: { role } }: Put,
  voiceId: string,
): Promise<Done | CreditRefusal> {
  const isOwn = voiceId === audio.voiceId || (actor.kind === 'user' && actor.voiceRoles?.[voiceId] !== undefined);
  const [voice] = await tx
    .select({ name: voices.name, slug: voices.slug, isHidden: sql<boolean>`${voices.hiddenAt} is not null` })
    .from(voices)
    .where(and(eq(voices.id, voiceId), isNull(voices.deletedAt), isNull(voices.mergedInto)))
    .for('key share');
  if (voice === undefined || (voice.isHidden && !isOwn)) return { ok: false, reason: 'unknown-creator' };
  const before = rows.find((row) => row.voiceId === voiceId && row.role === role);
  const key = keyOf(voice.name);
  // Under both, listeners would read the name before its owner has answered.
  const isNamed = rows.some((row) => row.voiceId === null && row.key === key && (!isOwn || row.role === role));
  if (isNamed || (before !== undefined && isThere(before))) return { ok: false, reason: 'there-already' };
  if (!isOwn && before?.state === 'declined') return { ok: false, reason: 'declined' };
  const id = newId();
  const isMailed = isOwn || (await isMailedToday(tx, voiceId, audio.voiceId));
  if (before !== undefined) await tx.delete(credits).where(eq(credits.id, before.id));
  const asked = isOwn ? { state: 'accepted' as const } : { state: 'asked' as const, askedAt: new Date() };
  await tx.insert(credits).values({ id, audioId: audio.id, position, role, voiceId, ...asked });
  if (!isMailed) {
    const [own] = await tx.select({ name: voices.name }).from(voices).where(eq(voices.id, audio.voiceId));
    const names = { creator: own?.name ?? '', credited: voice.name, slug: voice.slug, role };
    await mailOwners({ db: tx, mail }, voiceId, () => creditAskedMail(site, names));
  }
  return { ok: true, id, role, name: voice.name };
}

/** @param by the creator who asks, about any audio */
async function isMailedToday(tx: Db, voiceId: string, by: string): Promise<boolean> {
  const [asked] = await tx
    .select({ id: credits.id })
    .from(credits)
    .innerJoin(audios, eq(audios.id, credits.audioId))
    .where(
      and(eq(credits.voiceId, voiceId), eq(audios.voiceId, by), sql`${credits.askedAt} > now() - interval '1 day'`),
    )
    .limit(1);
  return asked !== undefined;
}

/** A question is remembered for a while, under another id. */
async function takeOut(tx: Db, { id, askedAt }: CreditRow): Promise<void> {
  if (askedAt === null) await tx.delete(credits).where(eq(credits.id, id));
  else await tx.update(credits).set({ id: newId(), removedAt: new Date() }).where(eq(credits.id, id));
}

export function removeCredit(parts: Pick<Parts, 'db'>, actor: Actor, audioId: string, creditId: string) {
  return change(parts, actor, audioId, async (tx, audio, rows): Promise<{ ok: true } | CreditRefusal> => {
    const credit = rows.find((row) => row.id === creditId && isThere(row));
    if (credit === undefined) return { ok: false, reason: 'not-found' };
    await takeOut(tx, credit);
    await tx
      .update(credits)
      .set({ position: sql`${credits.position} - 1` })
      .where(and(eq(credits.audioId, audio.id), gt(credits.position, credit.position), isNull(credits.removedAt)));
    await recordOnAudio(tx, actor, audio, 'credit.remove', {
      before: forLog({ role: credit.role, name: credit.shownName }),
    });
    return { ok: true };
  });
}

/** @param ids all of them, in the new order; refused when the list is another one meanwhile */
export function orderCredits(parts: Pick<Parts, 'db'>, actor: Actor, audioId: string, ids: string[]) {
  return change(parts, actor, audioId, async (tx, audio, rows): Promise<{ ok: true } | CreditRefusal> => {
    const before = rows.filter(isThere).map(({ id }) => id);
    if (before.toSorted().join() !== ids.toSorted().join()) return { ok: false, reason: 'order-changed' };
    if (before.join() === ids.join()) return { ok: true };
    await tx.execute(sql`
      update credits set position = place.number - 1
      from unnest(${sql.param(ids)}::uuid[]) with ordinality as place (id, number)
      where credits.id = place.id and credits.position <> place.number - 1`);
    const names = (order: string[]) => order.map((id) => rows.find((row) => row.id === id)?.shownName ?? '');
    await recordOnAudio(tx, actor, audio, 'credit.order', {
      before: { order: names(before) },
      after: { order: names(ids) },
    });
    return { ok: true };
  });
}
