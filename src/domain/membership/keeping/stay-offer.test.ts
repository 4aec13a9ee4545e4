import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createListener, openTestMembership, orderOf } from '#test/support/payments/membership.ts';
import { listPromoCodes } from '../../admin/money/promo-codes.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { doDueWork } from '../due-work.ts';
import { addMonths } from '../../kernel/calendar/months.ts';
import type { Period } from '../rules.ts';
import { memberships } from '../tables.ts';
import { keepingSetting } from './settings.ts';
import { stayOffers } from './tables.ts';

const { db } = await createTestDatabase();
const site = openTestMembership(db);
const { plain, parts } = site;

async function offer(stayPercent: number, stayMonths = 3) {
  const { value, revision } = await findSetting(db, keepingSetting);
  await changeSetting(db, keepingSetting, { actor: operator, value: { ...value, stayPercent, stayMonths }, revision });
}
beforeAll(() => offer(50));

async function subscriber(period: Period = 'month'): Promise<string> {
  const { id } = await createListener(site);
  await db.insert(memberships).values({ userId: id, trialUsedAt: new Date() });
  await site.createSubscription(id, orderOf(plain.newCard('good'), { withoutTrial: true, period }));
  return id;
}

const rowsOf = (userId: string) => db.select().from(stayOffers).where(eq(stayOffers.userId, userId));
const shown = { percentOff: 50, months: 3 };
const gone = { ok: false, reason: 'subscription/no-offer' };

test('who is about to cancel is offered a discount, and takes it once in twelve months', async () => {
  const id = await subscriber();
  expect(await site.findSubscription(id)).toMatchObject({ stayOffer: { ...shown, isOnce: false } });
  expect(await site.acceptStayOffer(id, { ...shown, percentOff: 60 })).toEqual(gone);
  const both = await Promise.all([site.acceptStayOffer(id, shown), site.acceptStayOffer(id, shown)]);
  expect(both).toEqual([{ ok: true, action: undefined }, gone]);
  const after = await site.findSubscription(id);
  expect(after).toMatchObject({ state: 'active', stayOffer: null, discount: { percentOff: 50, duration: 'months' } });
  expect(after.nextCharge?.amount).toBe(399);
  const [row] = await rowsOf(id);
  expect(row).toMatchObject({ state: 'done', code: expect.stringMatching(/^STAY[0-9A-F]{20}$/) });
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id));
  expect(entries).toMatchObject([{ action: 'subscription.stay-offer', after: shown }]);

  // Nobody else can use its code, and operators do not meet it among theirs.
  const other = await subscriber();
  expect(await site.applyPromoCode(other, row?.code ?? '')).toMatchObject({ ok: false });
  expect((await listPromoCodes(parts, operator)).items).toEqual([]);

  // Not even when the provider would take it.
  await db.insert(stayOffers).values({
    ...(row ?? expect.fail()),
    id: '01999999-0000-7000-8000-000000000001',
    code: 'STAYFREE',
  });
  await plain.provider.createPromoCode(
    { code: 'STAYFREE', percentOff: 50, currency: 'usd', maxRedemptions: 1, duration: 'once' },
    '01999999-0000-7000-8000-000000000001',
  );
  const refused = { ok: false, reason: 'promo-code/not-for-you' };
  expect(await site.applyPromoCode(other, 'STAYFREE')).toEqual(refused);
  await db.delete(stayOffers).where(eq(stayOffers.code, 'STAYFREE'));

  // Without the discount, after a year.
  const customer = (await plain.provider.listPromoCodes()).find(({ code }) => code === row?.code);
  expect(customer).toMatchObject({ maxRedemptions: 1, redemptions: 1, months: 3 });
  await db.execute(sql`update subscriptions set discount = null where user_id = ${id}`);
  const year = async (ms: number) => {
    const createdAt = new Date(addMonths(new Date(), -12).getTime() + ms);
    await db.update(stayOffers).set({ createdAt }).where(eq(stayOffers.userId, id));
    return (await site.findSubscription(id)).stayOffer;
  };
  expect(await year(60_000)).toBeNull();
  expect(await year(-1)).toMatchObject(shown);
});

test('yearly subscribers, and an offer of one month, get it on the next payment', async () => {
  const id = await subscriber('year');
  expect(await site.findSubscription(id)).toMatchObject({ stayOffer: { ...shown, isOnce: true } });
  expect(await site.acceptStayOffer(id, shown)).toMatchObject({ ok: true });
  expect(await site.findSubscription(id)).toMatchObject({ discount: { percentOff: 50, duration: 'once' } });
  await offer(20, 1);
  const monthly = await subscriber();
  expect(await site.findSubscription(monthly)).toMatchObject({
    stayOffer: { percentOff: 20, months: 1, isOnce: true },
  });
  await offer(50);
});

test('it is not offered when off, in a trial, canceled, paused, with a discount, and where the provider has no codes', async () => {
  const id = await subscriber();
  const offered = async (userId = id) => (await site.findSubscription(userId)).stayOffer;
  await offer(0);
  expect(await offered()).toBeNull();
  expect(await site.acceptStayOffer(id, shown)).toEqual(gone);
  await offer(50);
  const { capabilities } = plain.provider;
  plain.provider.capabilities = { ...capabilities, promo: 'price' };
  expect(await offered()).toBeNull();
  plain.provider.capabilities = capabilities;
  expect(await offered()).not.toBeNull();
  await site.pauseSubscription(id, 1);
  expect(await offered()).toBeNull();

  const trial = await createListener(site);
  await site.createSubscription(trial.id, orderOf(plain.newCard('good')));
  expect(await offered(trial.id)).toBeNull();
  const canceled = await subscriber();
  await site.cancelSubscription(canceled, undefined);
  expect(await offered(canceled)).toBeNull();
  const discounted = await subscriber();
  const terms = { percentOff: 10, currency: 'usd', duration: 'forever' } as const;
  await plain.provider.createPromoCode({ code: 'TEN', ...terms });
  await site.applyPromoCode(discounted, 'TEN');
  expect(await offered(discounted)).toBeNull();
});

test.each(['createPromoCode', 'applyPromoCode'] as const)(
  'a discount that was accepted is given once although the answer to %s is lost',
  async (name) => {
    const id = await subscriber();
    const call = plain.provider[name] as (...given: unknown[]) => Promise<unknown>;
    const losing = async (...given: unknown[]) => {
      Object.assign(plain.provider, { [name]: call });
      await call(...given);
      throw new Error('the connection broke');
    };
    Object.assign(plain.provider, { [name]: losing });
    await expect(site.acceptStayOffer(id, shown)).rejects.toThrow('broke');
    await db
      .update(stayOffers)
      .set({ createdAt: sql`now() - interval '2 minutes'` })
      .where(eq(stayOffers.userId, id));
    await doDueWork(parts);
    expect(await rowsOf(id)).toMatchObject([{ state: 'done' }]);
    expect(await site.findSubscription(id)).toMatchObject({ discount: { percentOff: 50 } });
    const [row] = await rowsOf(id);
    const codes = (await plain.provider.listPromoCodes()).filter(({ code }) => code === row?.code);
    expect(codes).toMatchObject([{ redemptions: 1 }]);
  },
);

test('refused by the provider, it is gone, and its code with it', async () => {
  const id = await subscriber();
  const { applyPromoCode } = plain.provider;
  plain.provider.applyPromoCode = async () => ({ ok: false });
  expect(await site.acceptStayOffer(id, shown)).toEqual(gone);
  plain.provider.applyPromoCode = applyPromoCode;
  const [row] = await rowsOf(id);
  expect(row?.state).toBe('refused');
  const made = (await plain.provider.listPromoCodes()).find(({ code }) => code === row?.code);
  expect(made?.isActive).toBe(false);
});
