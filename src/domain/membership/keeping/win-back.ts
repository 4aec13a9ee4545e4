import { randomInt } from 'node:crypto';
import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { newId } from '../../kernel/ids.ts';
import { settleEach } from '../../kernel/settle-each.ts';
import { featureSetting } from '../../settings/features.ts';
import { findSetting } from '../../settings/change-setting.ts';
import type { MembershipParts } from '../customers.ts';
import { addMails } from '../mail-queue.ts';
import { findProvider } from '../payment-providers.ts';
import { findMembershipSettings } from '../settings.ts';
import { keepingSetting } from './settings.ts';
import { mayBeWonBackSql } from './win-back-facts.ts';
import { winBacks } from './win-back-tables.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A switch that is turned on writes to nobody whose subscription ended long ago. */
const lateMs = 14 * dayMs;
/** An offer that could not be made within a day is given up: its time runs. */
const triedMs = dayMs;
/** One run takes minutes, not hours, although the provider is asked twice for each code. */
const atOnce = 200;

/** As gift cards have: no look-alikes. 12 of 32 letters: 60 bits, and tries are limited. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';
const newCode = () => Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('');

/**
 * Makes codes for people whose subscription ended some time ago, and queues their mails. Each ended subscription once, and
 * each person once in a year. Safe to repeat: a code whose answer was lost is made by the same key.
 * @returns how many were made
 */
export async function winBack(
  parts: MembershipParts,
  { now = new Date(), signal }: { now?: Date; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const { db } = parts;
  const { value: settings } = await findSetting(db, keepingSetting);
  // Their switch is the one that ends these mails too.
  const { value: features } = await findSetting(db, featureSetting);
  if (!settings.winBack || !features.news) return 0;
  const endedBefore = new Date(now.getTime() - settings.winBackDays * dayMs);
  const { rows } = await db.execute<{ userId: string; subscriptionId: string }>(sql`
    select former.user_id as "userId", former.subscription_id as "subscriptionId" from subscriptions former
    where former.ends_at <= ${endedBefore.toISOString()}::timestamptz
      and former.ends_at > ${new Date(endedBefore.getTime() - lateMs).toISOString()}::timestamptz and former.status = 'ended'
      and not exists (select from win_backs w where w.subscription_id = former.subscription_id)
      and not exists (select from win_backs w where w.user_id = former.user_id
        and w.created_at > ${now.toISOString()}::timestamptz - interval '12 months')
      and ${mayBeWonBackSql(sql`former.user_id`)}
    order by former.ends_at limit ${atOnce}`);
  const wanted = rows.map((row) => ({
    ...row,
    id: newId(),
    code: newCode(),
    provider: parts.payments.name,
    percentOff: settings.winBackPercent,
    months: settings.winBackMonths,
    // A price can be sent for the first charge or for all of them, but not for some months.
    isOnce: parts.payments.capabilities.promo === 'price',
    expiresAt: new Date(now.getTime() + settings.winBackValidDays * dayMs),
    createdAt: now,
  }));
  if (wanted.length > 0) await db.insert(winBacks).values(wanted).onConflictDoNothing();
  return makeCodes(parts, now, signal);
}

async function makeCodes(parts: MembershipParts, now: Date, signal: AbortSignal | undefined): Promise<number> {
  const { db, payments } = parts;
  await db
    .update(winBacks)
    .set({ state: 'refused' })
    .where(and(eq(winBacks.state, 'asked'), lt(winBacks.createdAt, new Date(now.getTime() - triedMs))));
  const asked = await db
    .select()
    .from(winBacks)
    .where(eq(winBacks.state, 'asked'))
    .orderBy(asc(winBacks.createdAt))
    .limit(atOnce);
  if (asked.length === 0) return 0;
  const { currency } = await findMembershipSettings(db);
  let made = 0;
  const make = async ({
    id,
    userId,
    code,
    provider: name,
    percentOff,
    months,
    isOnce,
    expiresAt,
  }: (typeof asked)[number]) => {
    const provider = findProvider(payments, name);
    const promo = await provider?.createPromoCode(
      {
        code,
        percentOff,
        currency,
        expiresAt,
        maxRedemptions: 1,
        isForOne: true,
        ...(isOnce ? { duration: 'once' } : { duration: 'months', months }),
      },
      id,
    );
    await db.transaction(async (tx) => {
      const outcome =
        promo === undefined ? { state: 'refused' as const } : { state: 'made' as const, promoCodeId: promo.id };
      const isAsked = and(eq(winBacks.id, id), eq(winBacks.state, 'asked'));
      const changed = await tx.update(winBacks).set(outcome).where(isAsked).returning({ id: winBacks.id });
      if (promo === undefined || changed.length === 0) return;
      await addMails(tx, [{ kind: 'win-back', ref: id, userId }]);
      made += 1;
    });
  };
  await settleEach(asked, make, { signal });
  return made;
}
