import { and, eq, sql } from 'drizzle-orm';
import { voices } from '../catalogue/tables.ts';
import { isVoice } from '../catalogue/voices.ts';
import { voiceOwners } from '../community/tables.ts';
import type { Mail } from '../gateways.ts';
import { mailTo } from '../identity/account-language.ts';
import { users } from '../identity/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { recordChange } from '../kernel/audit.ts';
import type { Db } from '../kernel/db.ts';
import type { MailContent, MailSite } from '../kernel/email-template.ts';
import { roleIn } from '../kernel/rules.ts';
import { agreementWaitsSql } from './agreement.ts';
import type { RequestForm } from './forms.ts';
import { askedMail, endingMail } from './mails.ts';
import { findRights, reminderDays, todayOf, verificationStateOf } from './rules.ts';
import { voiceVerifications } from './tables.ts';

export type VerificationParts = {
  db: Db;
  mail: Mail;
  site: MailSite;
  /** For requests; undefined: they wait in Admin alone. */
  operatorEmail: string | undefined;
  /** Puts a consent that was taken back on the desk, in the transaction that records it. */
  openCase?: (tx: Db, given: { audioId: string; kind: 'consent'; details: string }) => Promise<unknown>;
};

const nothing = {
  decision: null,
  decidedAt: null,
  decidedByName: null,
  method: null,
  reference: null,
  checkedOn: null,
  verifiedUntil: null,
  reason: null,
  askAgainOn: null,
  askedAt: null,
  appeal: null,
  hidVoice: false,
};

/** Within a transaction: the row of a creator, locked with the creator. @returns undefined for an unknown creator */
export async function holdVerification(tx: Db, voiceIdOrSlug: string) {
  const match = isVoice(voiceIdOrSlug);
  if (match === undefined) return undefined;
  const [voice] = await tx
    .select({
      id: voices.id,
      name: voices.name,
      slug: voices.slug,
      isHidden: sql<boolean>`${voices.hiddenAt} is not null`,
    })
    .from(voices)
    .where(and(match, sql`${voices.deletedAt} is null and ${voices.mergedInto} is null`))
    .for('no key update');
  if (voice === undefined) return undefined;
  const [row] = await tx.select().from(voiceVerifications).where(eq(voiceVerifications.voiceId, voice.id));
  return { voice, row };
}

/** Sotto's record of a creator, with what an owner may do. The caller checks the right. */
export async function findVerification(db: Db, voiceId: string) {
  const [row] = await db.select().from(voiceVerifications).where(eq(voiceVerifications.voiceId, voiceId));
  const [asker] = row?.askedBy
    ? await db.select({ email: users.email }).from(users).where(eq(users.id, row.askedBy))
    : [];
  const { decision, decidedAt, decidedByName, method, reference, checkedOn, verifiedUntil, ...rest } = row ?? nothing;
  const facts = { decision, verifiedUntil, askAgainOn: rest.askAgainOn, isAsked: rest.askedAt !== null };
  const today = todayOf();
  return {
    state: verificationStateOf(facts, today),
    ...findRights(facts, today),
    decision,
    decidedAt: decidedAt?.toISOString() ?? null,
    decidedBy: decidedByName,
    method,
    reference,
    checkedOn,
    until: verifiedUntil,
    reason: rest.reason,
    askAgainOn: rest.askAgainOn,
    askedAt: rest.askedAt?.toISOString() ?? null,
    /** The operator gets in touch there. */
    askedFrom: asker?.email ?? null,
    appeal: rest.appeal,
  };
}
export type Verification = Awaited<ReturnType<typeof findVerification>>;

/** By days in UTC: the check still counts, for some days. */
const endsSoonSql = sql`verified_until > now() - interval '1 day'
  and verified_until <= now() + make_interval(days => ${reminderDays}::int)`;

/** A check that ends soon, and an agreement that waits. */
export async function countWaitingForOwners(db: Db, voiceId: string): Promise<number> {
  const endsSoon = sql`exists (select from voice_verifications where voice_id = ${voiceId} and decision = 'verified'
    and asked_at is null and ${endsSoonSql})`;
  const { rows } = await db.execute<{ count: number }>(
    sql`select (${endsSoon})::int + (${agreementWaitsSql(voiceId)})::int as count`,
  );
  return rows[0]?.count ?? 0;
}

type RequestOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'owners-only' | 'not-now' };

/** Asks for a check, or appeals against the last decision; for owners. */
export async function askForVerification(
  parts: VerificationParts,
  actor: Actor,
  voiceId: string,
  { appeal }: RequestForm,
): Promise<RequestOutcome> {
  const { db, mail, site, operatorEmail } = parts;
  const role = roleIn(actor, voiceId);
  if (role === undefined) return { ok: false, reason: 'not-found' };
  if (role === 'editor') return { ok: false, reason: 'owners-only' };
  return db.transaction(async (tx): Promise<RequestOutcome> => {
    const held = await holdVerification(tx, voiceId);
    if (held === undefined) return { ok: false, reason: 'not-found' };
    const { voice, row = nothing } = held;
    const { mayAsk, mayAppeal } = findRights({ ...row, isAsked: row.askedAt !== null }, todayOf());
    if (!(appeal === undefined ? mayAsk : mayAppeal)) return { ok: false, reason: 'not-now' };
    const askedBy = actor.kind === 'user' ? actor.id : null;
    const set = { askedAt: new Date(), askedBy, appeal: appeal ?? null };
    await writeVerification(tx, voice.id, set);
    await recordChange(tx, {
      actor,
      role,
      action: appeal === undefined ? 'verification.ask' : 'verification.appeal',
      subject: { type: 'voice', id: voice.id, name: voice.name },
      voiceId: voice.id,
    });
    if (operatorEmail !== undefined) {
      const [asker] =
        askedBy === null
          ? []
          : await tx.select({ username: users.username, email: users.email }).from(users).where(eq(users.id, askedBy));
      const values = { username: asker?.username ?? '', email: asker?.email ?? '', appeal: appeal ?? '' };
      const write = () => askedMail(site, { voiceId: voice.id, creator: voice.name, ...values });
      await mail.queue(tx, await mailTo(tx, operatorEmail, write));
    }
    return { ok: true };
  });
}

/** Queues a mail to each owner of a creator, in their language. */
export async function mailOwners(
  { db: tx, mail }: Pick<VerificationParts, 'db' | 'mail'>,
  voiceId: string,
  write: () => MailContent,
): Promise<void> {
  const owners = await tx
    .select({ email: users.email })
    .from(voiceOwners)
    .innerJoin(users, eq(users.id, voiceOwners.userId))
    .where(and(eq(voiceOwners.voiceId, voiceId), eq(voiceOwners.role, 'owner')));
  for (const { email } of owners) if (email !== null) await mail.queue(tx, await mailTo(tx, email, write));
}

/** Announces each end once, as a job. @returns the number of creators */
export async function remindOfEnds({ db, mail, site }: VerificationParts): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .update(voiceVerifications)
      .set({ remindedOf: sql`${voiceVerifications.verifiedUntil}` })
      .where(
        and(
          eq(voiceVerifications.decision, 'verified'),
          endsSoonSql,
          sql`${voiceVerifications.remindedOf} is distinct from ${voiceVerifications.verifiedUntil}`,
        ),
      )
      .returning({ voiceId: voiceVerifications.voiceId, until: voiceVerifications.verifiedUntil });
    for (const { voiceId, until } of due) {
      const [voice] = await tx
        .select({ creator: voices.name, slug: voices.slug })
        .from(voices)
        .where(and(eq(voices.id, voiceId), sql`${voices.deletedAt} is null and ${voices.mergedInto} is null`));
      if (voice !== undefined && until !== null)
        await mailOwners({ db: tx, mail }, voiceId, () => endingMail(site, { ...voice, until }));
    }
    return due.length;
  });
}

/** Requires `holdVerification`. */
export async function writeVerification(
  tx: Db,
  voiceId: string,
  set: Partial<typeof voiceVerifications.$inferInsert>,
): Promise<void> {
  await tx
    .insert(voiceVerifications)
    .values({ ...set, voiceId })
    .onConflictDoUpdate({ target: voiceVerifications.voiceId, set });
}
