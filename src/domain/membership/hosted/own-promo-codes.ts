import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { violatedIndex } from '../../identity/unique-fields.ts';
import type { PromoCode, PromoCodes } from '../payment-provider.ts';
import { hostedId, ownPart } from './hosted-id.ts';
import { type HostedName, ownPromoCodes } from './tables.ts';

const maxListed = 1000;

/** Promo codes of the site's own, for providers that know only prices. They count as used once their order was paid. */
export function openOwnPromoCodes(db: Db, name: HostedName): PromoCodes {
  // Without Drizzle's columns, which have no table's name in a query of one table.
  const redemptions = sql<number>`(select count(distinct o.reference)::int from payment_orders o
    join hosted_events e on e.provider = o.provider and e.reference = o.reference and e.means = 'paid'
    where o.promo_code_id = own_promo_codes.id)`;
  const select = () => db.select({ row: ownPromoCodes, redemptions }).from(ownPromoCodes);
  type Found = Awaited<ReturnType<typeof select>>[number];

  const toPromoCode = ({ row, redemptions: used }: Found): PromoCode => ({
    id: hostedId(name, row.id),
    code: row.code,
    discount: {
      percentOff: row.rules.percentOff ?? null,
      amountOff: row.rules.amountOff ?? null,
      duration: row.rules.duration,
    },
    months: row.rules.months,
    currency: row.rules.amountOff === undefined ? undefined : row.rules.currency,
    amounts: row.rules.amounts ?? {},
    minimumAmount: undefined,
    isFirstTimeOnly: row.rules.isFirstTimeOnly ?? false,
    isActive: row.disabledAt === null,
    expiresAt: row.rules.expiresAt === undefined ? undefined : new Date(row.rules.expiresAt),
    maxRedemptions: row.rules.maxRedemptions,
    redemptions: used,
  });

  async function byId(id: string): Promise<PromoCode | undefined> {
    const own = ownPart(id);
    const [found] = isId(own) ? await select().where(eq(ownPromoCodes.id, own)) : [];
    return found && toPromoCode(found);
  }

  const setDisabled = (id: string, disabledAt: Date | null) =>
    db
      .update(ownPromoCodes)
      .set({ disabledAt })
      .where(eq(ownPromoCodes.id, ownPart(id)));

  return {
    async findPromoCode(code) {
      const [found] = await select()
        .where(sql`lower(${ownPromoCodes.code}) = lower(${code})`)
        // The active one counts.
        .orderBy(sql`${ownPromoCodes.disabledAt} is not null`, desc(ownPromoCodes.createdAt))
        .limit(1);
      return found && toPromoCode(found);
    },
    async listPromoCodes() {
      const found = await select()
        .where(sql`not coalesce((${ownPromoCodes.rules} ->> 'isForOne')::boolean, false)`)
        .orderBy(desc(ownPromoCodes.createdAt), desc(ownPromoCodes.id))
        .limit(maxListed);
      return found.map(toPromoCode);
    },
    async createPromoCode({ expiresAt, ...rules }, key = newId()) {
      // Repeats of one key are one code.
      const before = await byId(hostedId(name, key));
      // A price can be sent for the first charge or for all of them.
      if (before !== undefined || rules.duration === 'months') return before;
      const row = { id: key, code: rules.code, rules: { ...rules, expiresAt: expiresAt?.toISOString() } };
      try {
        await db.insert(ownPromoCodes).values(row);
      } catch (error) {
        if (violatedIndex(error) === 'own_promo_codes_active') return undefined;
        throw error;
      }
      return byId(hostedId(name, key));
    },
    async disablePromoCode(id) {
      await db
        .update(ownPromoCodes)
        .set({ disabledAt: new Date() })
        .where(and(eq(ownPromoCodes.id, ownPart(id)), isNull(ownPromoCodes.disabledAt)));
    },
    async enablePromoCode(id) {
      try {
        await setDisabled(id, null);
      } catch (error) {
        if (violatedIndex(error) === 'own_promo_codes_active') return false;
        throw error;
      }
      return true;
    },
  };
}
