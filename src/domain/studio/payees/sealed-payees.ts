import { eq, sql } from 'drizzle-orm';
import { seal, unseal } from '../../identity/second-factor/sealed-text.ts';
import type { Db } from '../../kernel/db.ts';
import type { PayeeKind } from './rules.ts';
import { payees, paymentPayees } from './tables.ts';

/** Payees as the database keeps them: encrypted, each under a key of its own row, so that none passes for another. */

type Account = { iban: string; bic: string } | { account: string };
type Identity = {
  kind: PayeeKind;
  name: string;
  address: string;
  country: string;
  /** Empty: none. */
  vatId: string;
  taxNumber: string;
};
export type Payee = Identity & { taxForm: string; account: Account };
/** As kept with a payment that was made: without the account number, which the bank's own record has. */
export type PaidPayee = Identity;

const ofUser = (userId: string) => `payee ${userId}`;
const ofPayment = (paymentId: string) => `payee of payment ${paymentId}`;

/** @returns undefined when it was sealed with another secret: it has to be entered again */
function open<Of>(secret: string, purpose: string, sealed: string): Of | undefined {
  const text = unseal(secret, purpose, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as Of);
}

export const sealPayee = (secret: string, userId: string, payee: Payee): string =>
  seal(secret, ofUser(userId), JSON.stringify(payee));

/** @param options.forUpdate when it is about to be changed */
export async function readOwnPayee(
  db: Db,
  secret: string,
  userId: string,
  { forUpdate = false } = {},
): Promise<Payee | undefined> {
  const query = db.select({ sealed: payees.sealed }).from(payees).where(eq(payees.userId, userId));
  const [row] = await (forUpdate ? query.for('update') : query);
  return row && open<Payee>(secret, ofUser(userId), row.sealed);
}

export type NamedPayee = { userId: string; username: string | null; changedAt: Date; sealed: string };

/** Payees by creator. Creators that were merged are paid as the one that they became. */
export async function readNamedPayees(db: Db, voiceIds: string[]): Promise<Map<string, NamedPayee>> {
  if (voiceIds.length === 0) return new Map();
  const { rows } = await db.execute<Omit<NamedPayee, 'changedAt'> & { voiceId: string; changedAt: string }>(sql`
    select given.id as "voiceId", p.user_id as "userId", u.username, p.changed_at::text as "changedAt", p.sealed
    from unnest(${sql.param(voiceIds)}::uuid[]) given (id)
    left join voices v on v.id = given.id
    join voice_payees n on n.voice_id = coalesce(v.merged_into, given.id)
    join voice_owners o on o.voice_id = n.voice_id and o.user_id = n.user_id and o.role = 'owner'
    join payees p on p.user_id = n.user_id
    join users u on u.id = p.user_id`);
  return new Map(rows.map(({ voiceId, changedAt, ...row }) => [voiceId, { ...row, changedAt: new Date(changedAt) }]));
}

export const openPayee = (secret: string, { userId, sealed }: NamedPayee): Payee | undefined =>
  open<Payee>(secret, ofUser(userId), sealed);

export const sealPaidPayee = (secret: string, paymentId: string, paid: PaidPayee): string =>
  seal(secret, ofPayment(paymentId), JSON.stringify(paid));

/** Keeps who a payment went to. */
export async function keepPaidPayee(
  tx: Db,
  secret: string,
  { paymentId, userId, payee }: { paymentId: string; userId: string; payee: Payee },
): Promise<void> {
  const { kind, name, address, country, vatId, taxNumber } = payee;
  const paid: PaidPayee = { kind, name, address, country, vatId, taxNumber };
  await tx.insert(paymentPayees).values({ paymentId, userId, sealed: sealPaidPayee(secret, paymentId, paid) });
}

export const openPaidPayee = (
  secret: string,
  { paymentId, sealed }: { paymentId: string; sealed: string },
): PaidPayee | undefined => open<PaidPayee>(secret, ofPayment(paymentId), sealed);
