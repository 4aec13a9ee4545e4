import { and, eq, sql } from 'drizzle-orm';
import { voices } from '../../catalogue/tables.ts';
import { voiceOwners } from '../../community/tables.ts';
import type { Mail } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { MailSite } from '../../kernel/email-template.ts';
import { isId } from '../../kernel/ids.ts';
import { roleIn } from '../../kernel/rules.ts';
import type { User } from '../../kernel/viewer.ts';
import { mailOwners } from '../../verification/verifications.ts';
import { canDeleteIn } from '../rules.ts';
import type { PayeeForm } from './forms.ts';
import { payeeChangedMail } from './mails.ts';
import { type Payee, openPayee, readNamedPayees, readOwnPayee, sealPayee } from './sealed-payees.ts';
import { payees, voicePayees } from './tables.ts';

/** The payee of a creator is one of its owners, who alone sees and changes what they entered. */

type Parts = { db: Db; secret: string };
type MailParts = Parts & { mail: Mail; site: MailSite };

/** Operators who are no owner are never paid. */
const isOwner = (actor: Actor, voiceId: string): actor is User =>
  actor.kind === 'user' && roleIn(actor, voiceId) === 'owner';

/** For its own person: of the account only the end. */
export type OwnPayee = Omit<Payee, 'account'> & { way: 'iban' | 'other'; accountEnd: string };

const shown = ({ account, ...payee }: Payee): OwnPayee => {
  const isIban = 'iban' in account;
  const number = isIban ? account.iban : account.account;
  // A short one would be shown whole.
  return { ...payee, way: isIban ? 'iban' : 'other', accountEnd: number.length < 12 ? '' : number.slice(-4) };
};

export type PayeeState = NonNullable<Awaited<ReturnType<typeof findPayee>>>;

/** @returns undefined for a creator whose earnings the actor may not see */
export async function findPayee({ db, secret }: Parts, actor: Actor, voiceId: string) {
  if (!isId(voiceId) || !canDeleteIn(actor, voiceId)) return undefined;
  const named = (await readNamedPayees(db, [voiceId])).get(voiceId);
  const isReadable = named !== undefined && openPayee(secret, named) !== undefined;
  const own = isOwner(actor, voiceId) ? await readOwnPayee(db, secret, actor.id) : undefined;
  return {
    /** Null: nobody is named. */
    payee: isReadable
      ? {
          since: named.changedAt,
          username: named.username,
          isOwn: actor.kind === 'user' && actor.id === named.userId,
        }
      : null,
    /** The reader's entry, for this creator or another one. */
    own: own === undefined ? null : shown(own),
    mayEnter: isOwner(actor, voiceId),
  };
}

export type PayeeOutcome = { ok: true } | { ok: false; reason: 'not-found' | 'no-account' };

/** The owner is paid for this creator from now on. What they entered counts for all creators for whom they are paid. */
export function savePayee(
  { db, secret, mail, site }: MailParts,
  actor: Actor,
  voiceId: string,
  { way, iban, bic, account, ...facts }: PayeeForm,
  now: Date = new Date(),
): Promise<PayeeOutcome> {
  return db.transaction(async (tx): Promise<PayeeOutcome> => {
    if (!isId(voiceId) || !isOwner(actor, voiceId)) return { ok: false, reason: 'not-found' };
    const voice = await holdOwnership(tx, voiceId, actor.id);
    if (voice === undefined) return { ok: false, reason: 'not-found' };
    const kept = way === 'kept' ? await readOwnPayee(tx, secret, actor.id, { forUpdate: true }) : undefined;
    if (way === 'kept' && kept === undefined) return { ok: false, reason: 'no-account' };
    const payee: Payee = {
      ...facts,
      account: kept?.account ?? (way === 'iban' ? { iban, bic } : { account }),
    };
    const sealed = sealPayee(secret, actor.id, payee);
    await tx
      .insert(payees)
      .values({ userId: actor.id, sealed, changedAt: now })
      .onConflictDoUpdate({ target: payees.userId, set: { sealed, changedAt: now } });
    await tx
      .insert(voicePayees)
      .values({ voiceId, userId: actor.id })
      .onConflictDoUpdate({ target: voicePayees.voiceId, set: { userId: actor.id } });
    await note(tx, actor, voice, 'payee.save');
    await mailOwners({ db: tx, mail }, voiceId, () => payeeChangedMail(site, voice));
    return { ok: true };
  });
}

/** The owner is no longer paid for this creator. What they entered goes with the last one. @returns false: they were not */
export function removePayee({ db, mail, site }: MailParts, actor: Actor, voiceId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!isId(voiceId) || !isOwner(actor, voiceId)) return false;
    const voice = await holdOwnership(tx, voiceId, actor.id);
    if (voice === undefined) return false;
    const removed = await tx
      .delete(voicePayees)
      .where(and(eq(voicePayees.voiceId, voiceId), eq(voicePayees.userId, actor.id)));
    if (removed.rowCount !== 1) return false;
    await tx
      .delete(payees)
      .where(
        and(eq(payees.userId, actor.id), sql`not exists (select from ${voicePayees} n where n.user_id = ${actor.id})`),
      );
    await note(tx, actor, voice, 'payee.remove');
    await mailOwners({ db: tx, mail }, voiceId, () => payeeChangedMail(site, voice));
    return true;
  });
}

type PaidVoice = { id: string; name: string; slug: string };

/** Two owners who enter themselves at once wait for each other. @returns undefined for who is no owner any more */
async function holdOwnership(tx: Db, voiceId: string, userId: string): Promise<PaidVoice | undefined> {
  await tx.execute(sql`select from voices where id = ${voiceId} for no key update`);
  const [voice] = await tx
    .select({ id: voices.id, name: voices.name, slug: voices.slug })
    .from(voices)
    .innerJoin(voiceOwners, eq(voiceOwners.voiceId, voices.id))
    .where(and(eq(voices.id, voiceId), eq(voiceOwners.userId, userId), eq(voiceOwners.role, 'owner')));
  return voice;
}

/** Without what was entered. */
const note = (tx: Db, actor: Actor, { id, name }: PaidVoice, action: 'payee.save' | 'payee.remove') =>
  recordChange(tx, { actor, role: 'owner', action, subject: { type: 'voice', id, name }, voiceId: id });
