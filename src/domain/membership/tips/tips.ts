import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { mailTo } from '../../identity/account-language.ts';
import { users } from '../../identity/tables.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { DomainError, type ErrorCode } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import { isVoice } from '../../catalogue/voices.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { askInTurn } from '../ask-in-turn.ts';
import type { Capabilities } from '../capabilities.ts';
import type { MembershipParts } from '../customers.ts';
import { isDeclinedTooOften } from '../sync/declines.ts';
import { refundMarked } from '../sync/refund-marked.ts';
import type { PaymentStep } from '../payment-provider.ts';
import { type MembershipSettings, currenciesOf, findMembershipSettings } from '../settings.ts';
import { rateOn, taxCountry } from '../tax/rules.ts';
import { taxSetting } from '../tax/settings.ts';
import type { TipForm } from './forms.ts';
import { tipGivenMail, tipReceivedMail, tipRefundMail } from './mails.ts';
import { partsOfTip, tipStateOf } from './rules.ts';
import { type TipSettings, tipSetting } from './settings.ts';
import type { Tip, TipOffer } from './shapes.ts';
import { tips } from './tables.ts';

/** Tips are in the site's own currency, in which creators are paid (decision 104). */

export type TipRow = typeof tips.$inferSelect;

export function presentTip(row: TipRow): Tip {
  return {
    ...pick(row, 'id', 'voiceId', 'voiceName', 'amount', 'currency', 'note', 'isAnonymous', 'createdAt', 'paidAt'),
    state: tipStateOf(row),
  };
}

/** @returns undefined where tips are off, and where the provider does not take the site's currency */
export function tipOfferOf(
  { isOn, minimum, maximum, amounts }: TipSettings,
  membership: MembershipSettings,
  capabilities: Pick<Capabilities, 'currencies'>,
): TipOffer | undefined {
  const { currency } = membership;
  if (!isOn || !currenciesOf(membership, capabilities).includes(currency)) return undefined;
  return { currency, minimum, maximum, amounts: [amounts.first, amounts.second, amounts.third] };
}

type Order = TipForm & {
  /** Country of the network, such as `FR`: evidence for the tax. */
  region: string | undefined;
};

/**
 * Stores the tip, then asks the provider for the payment.
 * @throws DomainError `tip/off`, `tip/amount`, `request/not-found`, `payment/unavailable`
 */
export async function startTip(
  { db, payments, site }: MembershipParts,
  giverId: string,
  { voice: idOrSlug, audioId, amount, note, isAnonymous, region }: Order,
): Promise<{ tip: Tip } & PaymentStep> {
  const { value } = await findSetting(db, tipSetting);
  const offer = tipOfferOf(value, await findMembershipSettings(db), payments.capabilities);
  if (offer === undefined) throw new DomainError('tip/off');
  const [voice] = await db
    .select(pick(voices, 'id', 'name', 'slug', 'takesTips'))
    .from(voices)
    .where(and(isVoice(idOrSlug) ?? sql`false`, isNull(voices.hiddenAt)));
  if (voice === undefined) throw new DomainError('request/not-found');
  if (!voice.takesTips) throw new DomainError('tip/off');
  if (amount < offer.minimum || amount > offer.maximum) throw new DomainError('tip/amount');
  const id = newId();
  const isSeller = !payments.capabilities.sellsInOwnName;
  const [row] = await db
    .insert(tips)
    .values({
      id,
      voiceId: voice.id,
      voiceName: voice.name,
      audioId: await ownAudioId(db, audioId, voice.id),
      giverId,
      isAnonymous,
      note: note ?? null,
      amount,
      currency: offer.currency,
      sharePermille: value.sharePermille,
      region: region?.slice(0, 2) ?? null,
      awaitsDocument: isSeller,
      awaitsCreditNote: isSeller,
    })
    .returning();
  if (row === undefined) throw new Error('the tip was not written');
  const { paymentId, ...step } = await payments.startPayment({
    amount,
    currency: offer.currency,
    description: `${site.name} tip`,
    customerId: undefined,
    returnTo: `/tip/${voice.slug}?tip=${id}`,
    key: `tip ${id}`,
  });
  await db.update(tips).set({ paymentId }).where(eq(tips.id, id));
  return { tip: presentTip(row), ...step };
}

async function ownAudioId(db: Db, audioId: string | undefined, voiceId: string): Promise<string | null> {
  if (audioId === undefined) return null;
  const isOwn = and(eq(audios.id, audioId), eq(audios.voiceId, voiceId));
  return (await db.$count(audios, isOwn)) === 0 ? null : audioId;
}

/** The creator's own words for whoever has given a tip; empty: none. */
export async function findTipThanks(db: Db, voiceId: string): Promise<string> {
  const [voice] = await db.select({ thanks: voices.tipThanks }).from(voices).where(eq(voices.id, voiceId));
  return voice?.thanks ?? '';
}

export async function findTipRow(db: Db, id: string): Promise<TipRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db.select().from(tips).where(eq(tips.id, id));
  return row;
}

export async function findTipOfPayment(db: Db, paymentId: string): Promise<string | undefined> {
  const [row] = await db.select({ id: tips.id }).from(tips).where(eq(tips.paymentId, paymentId));
  return row?.id;
}

/** Syncs the state of the payment from the provider. @returns undefined for an unknown tip */
export async function refreshTip(parts: MembershipParts, id: string): Promise<TipRow | undefined> {
  return isId(id) ? refreshInTurn(id, () => askForPayment(parts, id)) : undefined;
}

const refreshInTurn = askInTurn<TipRow | undefined>();

async function askForPayment(parts: MembershipParts, id: string): Promise<TipRow | undefined> {
  const { db, payments } = parts;
  const row = await findTipRow(db, id);
  if (row === undefined || row.paymentId === null) return row;
  const payment = await payments.findPayment(row.paymentId);
  if (payment === undefined) return row;
  const { status, amount } = payment;
  if (status === 'waiting') {
    if (await isDeclinedTooOften(db, row.paymentId)) await payments.cancelPayment(row.paymentId);
    return row;
  }
  // Also what was taken back before this site knew that it was paid: both are entries.
  if (row.paidAt === null && amount >= row.amount) await writePaid(parts, row);
  await writeDisputed(db, id, status === 'disputed');
  if (status === 'refunded') await writeRefunded(parts, id);
  return findTipRow(db, id);
}

async function writePaid(parts: MembershipParts, { id, amount, region, sharePermille, awaitsDocument }: TipRow) {
  const { db } = parts;
  const { mode, rates, seller } = (await findSetting(db, taxSetting)).value;
  await db.transaction(async (tx) => {
    const paidAt = new Date();
    const country = taxCountry({ region, payment: null }, seller.country);
    const isTaxed = awaitsDocument && mode !== 'off';
    const taxPermille = isTaxed ? (rateOn(rates, country, paidAt) ?? null) : null;
    const { tax, earned } = partsOfTip(amount, { taxPermille, sharePermille });
    const [row] = await tx
      .update(tips)
      .set({ paidAt, taxPermille, tax, earned })
      .where(and(eq(tips.id, id), isNull(tips.paidAt)))
      .returning();
    if (row === undefined) return;
    await mailGiver(parts, tx, row, () => tipGivenMail(parts.site, row));
    const [voice] = await tx.select({ slug: voices.slug }).from(voices).where(eq(voices.id, row.voiceId));
    if (voice !== undefined)
      await parts.mailOwners?.(tx, row.voiceId, () => tipReceivedMail(parts.site, { ...row, ...voice }));
  });
}

async function mailGiver(
  { mail }: MembershipParts,
  tx: Db,
  { giverId }: TipRow,
  write: Parameters<typeof mailTo>[2],
): Promise<void> {
  if (giverId === null) return;
  const [giver] = await tx.select({ email: users.email }).from(users).where(eq(users.id, giverId));
  if (giver?.email) await mail.queue(tx, await mailTo(tx, giver.email, write));
}

/** A dispute that was won leaves the payment disputed. */
async function writeDisputed(db: Db, id: string, isDisputed: boolean): Promise<void> {
  await db
    .update(tips)
    .set({ disputedAt: isDisputed ? new Date() : null })
    .where(and(eq(tips.id, id), isDisputed ? isNull(tips.disputedAt) : isNotNull(tips.disputedAt)));
}

/** By the operator here or at the provider, or by a bank. */
async function writeRefunded(parts: MembershipParts, id: string): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const [row] = await tx
      .update(tips)
      .set({ refundedAt: sql`coalesce(${tips.refundedAt}, now())`, refundState: 'done' })
      .where(and(eq(tips.id, id), isNotNull(tips.paidAt), sql`${tips.refundState} is distinct from 'done'`))
      .returning();
    if (row !== undefined) await mailGiver(parts, tx, row, () => tipRefundMail(parts.site, row));
  });
}

export type TipOutcome = { ok: true; tip: Tip } | { ok: false; reason: Extract<ErrorCode, `tip/${string}`> };

/**
 * Refunds the whole tip, once.
 * @param record runs in the transaction that marks it; with `failed`, in the one that removes the mark
 * @throws DomainError `payment/unavailable`, for a disputed one too; after a lost answer, a job completes it
 */
export async function refundTip(
  parts: MembershipParts,
  id: string,
  record: (tx: Db, tip: TipRow, how: 'refunded' | 'failed') => Promise<void> = async () => {},
): Promise<TipOutcome> {
  const { db, payments } = parts;
  const known = await findTipRow(db, id);
  const paymentId = known?.paymentId ?? null;
  if (known === undefined || known.paidAt === null || paymentId === null) return { ok: false, reason: 'tip/unknown' };
  const marked = await db.transaction(async (tx) => {
    const [row] = await tx
      .update(tips)
      .set({ refundedAt: new Date(), refundState: 'asked' })
      .where(and(eq(tips.id, id), isNull(tips.refundedAt)))
      .returning();
    if (row !== undefined) await record(tx, row, 'refunded');
    return row;
  });
  if (marked === undefined) return { ok: false, reason: 'tip/refunded' };
  const undo = async () =>
    db.transaction(async (tx) => {
      const isAsked = and(eq(tips.id, id), eq(tips.refundState, 'asked'));
      await tx.update(tips).set({ refundedAt: null, refundState: null }).where(isAsked);
      await record(tx, marked, 'failed');
    });
  const prepare = async () => {
    if ((await payments.findPayment(paymentId))?.status === 'disputed') throw new DomainError('payment/unavailable');
  };
  await refundMarked(payments, paymentId, { prepare, undo });
  await writeRefunded(parts, id);
  return { ok: true, tip: presentTip(marked) };
}

/** Completes refunds whose answer was lost. @throws the first failure, after all others were tried */
export async function finishTipRefunds(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  // The request that marked it may still be waiting for its answer.
  const isOld = sql`${tips.refundedAt} < now() - interval '1 minute'`;
  const waiting = await parts.db
    .select(pick(tips, 'id', 'paymentId'))
    .from(tips)
    .where(and(eq(tips.refundState, 'asked'), isOld))
    .limit(200);
  const finish = async ({ id, paymentId }: (typeof waiting)[number]) => {
    if (paymentId === null) return;
    await parts.payments.refundPayment(paymentId);
    await writeRefunded(parts, id);
  };
  await settleEach(waiting, finish, { signal });
}

/** Forgets a tip that was never paid. The payment first: a page that stayed open for days could still pay it. */
export async function purgeUnpaidTip(parts: MembershipParts, { id, paymentId }: Pick<TipRow, 'id' | 'paymentId'>) {
  const isGone = paymentId === null || (await parts.payments.cancelPayment(paymentId));
  if (isGone) await parts.db.delete(tips).where(and(eq(tips.id, id), isNull(tips.paidAt)));
  else await refreshTip(parts, id);
}
