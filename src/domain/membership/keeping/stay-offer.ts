import { randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { users } from '../../identity/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import { findSetting } from '../../settings/change-setting.ts';
import type { ChangeOutcome } from '../changes.ts';
import { type MembershipParts, findCustomerId } from '../customers.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import { withPaymentLock } from '../lock.ts';
import type { CustomerFacts, PromoCode } from '../payment-provider.ts';
import { findProviderOf, providerFor } from '../payment-providers.ts';
import type { Subscription } from '../shapes.ts';
import { currentOf } from '../sync/current.ts';
import { syncLocked } from '../sync/sync.ts';
import { subscriptions } from '../tables.ts';
import { findOpenPause } from './find-pause.ts';
import { keepingSetting } from './settings.ts';
import { stayOffers } from './tables.ts';

/**
 * The operator's offer to people about to cancel: a discount by a promo code of their own. It is stored before the
 * provider is asked; without an answer, a job carries it out (decision 012).
 */

type OfferRow = typeof stayOffers.$inferSelect;

const notOffered = { ok: false, reason: 'subscription/no-offer' } as const;

/** By the stored state: for those who pay the whole price, and took none within twelve months. */
export async function findStayOffer(
  { db, payments }: Pick<MembershipParts, 'db' | 'payments'>,
  userId: string,
): Promise<Subscription['stayOffer']> {
  const { value } = await findSetting(db, keepingSetting);
  if (value.stayPercent === 0) return null;
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  if (row?.status !== 'active' || row.endsAt !== null || row.discount !== null) return null;
  if (findProviderOf(payments, row.subscriptionId)?.capabilities.promo !== 'provider') return null;
  if ((await findOpenPause(db, userId)) !== undefined) return null;
  const [last] = await db
    .select()
    .from(stayOffers)
    .where(and(eq(stayOffers.userId, userId), ne(stayOffers.state, 'refused')))
    .orderBy(desc(stayOffers.createdAt))
    .limit(1);
  if (last !== undefined && addMonths(last.createdAt, 12) > new Date()) return null;
  return {
    percentOff: value.stayPercent,
    months: value.stayMonths,
    isOnce: row.period === 'year' || value.stayMonths === 1,
  };
}

/** @param shown as the subscriber saw it; no effect when it is another one by now */
export async function acceptStayOffer(
  parts: MembershipParts,
  userId: string,
  shown: { percentOff: number; months: number },
): Promise<ChangeOutcome> {
  const { db } = parts;
  return withPaymentLock(db, userId, async (): Promise<ChangeOutcome> => {
    const customerId = await findCustomerId(db, userId);
    if (customerId === undefined) return { ok: false, reason: 'subscription/none' };
    const { facts } = await syncLocked(parts, userId, customerId);
    const current = currentOf(facts);
    const waiting = await findWaiting(db, userId);
    const offer = waiting ?? (await findStayOffer(parts, userId));
    if (current === undefined || offer?.percentOff !== shown.percentOff || offer.months !== shown.months)
      return notOffered;
    const row =
      waiting ?? (await store(db, { ...offer, userId, subscriptionId: current.id, currency: current.plan.currency }));
    const isDone = await settle(parts, row, facts);
    await syncLocked(parts, userId, customerId);
    return isDone ? { ok: true, action: undefined } : notOffered;
  });
}

async function store(db: Db, offer: Omit<typeof stayOffers.$inferInsert, 'id' | 'code' | 'state'>): Promise<OfferRow> {
  const code = `STAY${randomBytes(10).toString('hex').toUpperCase()}`;
  const [row] = await db
    .insert(stayOffers)
    .values({ ...offer, id: newId(), code, state: 'asked' })
    .returning();
  if (row === undefined) throw new Error('the offer was not written');
  return row;
}

async function findWaiting(db: Db, userId: string): Promise<OfferRow | undefined> {
  const [row] = await db
    .select()
    .from(stayOffers)
    .where(and(eq(stayOffers.userId, userId), eq(stayOffers.state, 'asked')));
  return row;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Requires the lock. @param facts read under it @returns whether the discount counts */
async function settle({ db, payments }: MembershipParts, row: OfferRow, facts: CustomerFacts): Promise<boolean> {
  const { id, userId, subscriptionId, code, percentOff, months, currency, isOnce, createdAt } = row;
  const write = (change: Partial<OfferRow>) => db.update(stayOffers).set(change).where(eq(stayOffers.id, id));
  const provider = providerFor(payments, subscriptionId);
  const current = currentOf(facts);
  const isApplied = current?.discount?.code === code;
  if (!isApplied) {
    const isFit = current?.id === subscriptionId && current.endsAt === undefined && current.discount === undefined;
    const made = isFit
      ? await provider.createPromoCode(
          {
            code,
            percentOff,
            currency,
            maxRedemptions: 1,
            isForOne: true,
            expiresAt: new Date(createdAt.getTime() + dayMs),
            ...(isOnce ? { duration: 'once' } : { duration: 'months', months }),
          },
          id,
        )
      : undefined;
    if (made !== undefined) await write({ promoCodeId: made.id });
    if (made === undefined || !(await provider.applyPromoCode(subscriptionId, made.id)).ok) {
      if (made !== undefined) await provider.disablePromoCode(made.id);
      await write({ state: 'refused' });
      return false;
    }
  }
  await db.transaction(async (tx) => {
    await tx.update(stayOffers).set({ state: 'done' }).where(eq(stayOffers.id, id));
    const [user] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId));
    await recordChange(tx, {
      actor: operator,
      role: 'operator',
      action: 'subscription.stay-offer',
      subject: { type: 'subscription', id: userId, name: user?.username ?? userId },
      after: { percentOff, ...(isOnce ? {} : { months }) },
    });
  });
  return true;
}

/** Carries out those without an answer. @throws the first failure, after all others were tried */
export async function settleStayOffers(parts: MembershipParts, signal?: AbortSignal): Promise<void> {
  const { db } = parts;
  const rows = await db
    .select({ userId: stayOffers.userId })
    .from(stayOffers)
    .where(and(eq(stayOffers.state, 'asked'), lt(stayOffers.createdAt, sql`now() - interval '1 minute'`)))
    .limit(200);
  const finish = ({ userId }: { userId: string }) =>
    withPaymentLock(db, userId, async () => {
      const [row, customerId] = await Promise.all([findWaiting(db, userId), findCustomerId(db, userId)]);
      if (row === undefined || customerId === undefined) return;
      await settle(parts, row, (await syncLocked(parts, userId, customerId)).facts);
      await syncLocked(parts, userId, customerId);
    });
  await settleEach(rows, finish, { signal });
}

/** Without the codes of such offers, which are nobody's but their subscriber's. */
export async function withoutStayCodes(db: Db, all: PromoCode[]): Promise<PromoCode[]> {
  if (all.length === 0) return all;
  const rows = await db
    .select({ id: stayOffers.promoCodeId })
    .from(stayOffers)
    .where(
      inArray(
        stayOffers.promoCodeId,
        all.map(({ id }) => id),
      ),
    );
  const own = new Set(rows.map(({ id }) => id));
  return all.filter(({ id }) => !own.has(id));
}
