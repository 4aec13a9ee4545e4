import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createUserPlaylist } from '#test/support/factories.ts';
import { isSubscribed } from '#test/support/payments/membership.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { operator } from '../../kernel/actor.ts';
import { keepStandardReview } from '../../catalogue/review/settings.ts';
import type { GiftCardForm } from '../../membership/forms.ts';
import type { Plan } from '../../membership/payment-provider.ts';
import type { User } from '../../kernel/viewer.ts';
import { findSetting } from '../../settings/change-setting.ts';

const { db } = await createTestDatabase();
const plain = openPlainPayments();
const prepared: Plan[][] = [];
let isProviderAway = false;
plain.provider.preparePlans = async (plans) => {
  if (isProviderAway) throw new Error('away');
  prepared.push(plans);
};
const site = await openTestSite(db, undefined, plain.provider);
const { site: siteAdmin } = site.admin;

const find = () => siteAdmin.findSiteSettings(operator);
const viewerOf = async (): Promise<User> => {
  const { id } = await createUser(db);
  return { kind: 'user', id, isSubscribed: false, isComplete: true };
};

test('a site that others can open asks its operators about review and notices until they have chosen', async () => {
  const unseen = () => siteAdmin.findUnseenSettings(operator);
  await keepStandardReview(db, true);
  expect(await unseen()).toEqual({ isOpen: false, review: false, notices: false });
  await keepStandardReview(db, false);
  expect(await unseen()).toEqual({ isOpen: true, review: true, notices: true });
  const { review, notices } = await find();
  await siteAdmin.changeSection(operator, 'review', { value: { mode: 'off' }, revision: review.revision });
  await siteAdmin.changeSection(operator, 'notices', notices);
  expect(await unseen()).toEqual({ isOpen: true, review: false, notices: false });
  await expect(siteAdmin.findUnseenSettings(await viewerOf())).rejects.toMatchObject({ code: 'request/not-found' });
});

test('new prices are made at the provider, shown at once, and recorded with who changed them', async () => {
  const { id, username } = await createUser(db, { isAdmin: true });
  const actor: User = { kind: 'user', id, isSubscribed: false, isComplete: true, isAdmin: true };
  const { value, revision, standard } = (await find()).membership;
  expect([value, revision]).toEqual([standard, 0]);
  const dearer = { ...value, plans: { month: 999, year: 7188 }, trialDays: 14 };
  expect(await siteAdmin.changeSection(actor, 'membership', { value: dearer, revision })).toEqual({ ok: true });

  expect(prepared).toEqual([
    [
      { period: 'month', amount: 999, currency: 'usd' },
      { period: 'year', amount: 7188, currency: 'usd' },
    ],
  ]);
  expect(await site.membership.findOffer()).toMatchObject({
    trialDays: 14,
    plans: [
      { period: 'month', amount: 999 },
      { period: 'year', amount: 7188, perMonth: 599 },
    ],
  });
  expect((await find()).membership).toMatchObject({ value: dearer, revision: 1, changedBy: { id, username } });
  const [entry] = (await siteAdmin.listLogEntries(operator, { area: 'settings' }, { limit: 1 })).items;
  expect(entry).toMatchObject({
    action: 'settings.change',
    by: { id },
    subject: { name: 'Prices and trial' },
    before: { trialDays: 7 },
    after: { trialDays: 14 },
  });
  // No price change, so the provider is not asked.
  const { value: now } = (await find()).membership;
  await siteAdmin.changeSection(actor, 'membership', { value: { ...now, graceDays: 3 }, revision: 1 });
  expect(prepared).toHaveLength(1);
});

test('two operators act on the same state: the second gets a conflict; an unreachable provider changes nothing', async () => {
  const { value, revision } = (await find()).limits;
  const outcomes = await Promise.allSettled(
    [5, 6].map((commentsPerHour) =>
      siteAdmin.changeSection(operator, 'limits', { value: { ...value, commentsPerHour }, revision }),
    ),
  );
  const changed = { code: 'settings/changed', change: { by: null, at: expect.any(Date) } };
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes).toContainEqual({ status: 'rejected', reason: expect.objectContaining(changed) });

  const before = (await find()).membership;
  isProviderAway = true;
  const change = { value: { ...before.value, plans: { month: 499, year: 4999 } }, revision: before.revision };
  await expect(siteAdmin.changeSection(operator, 'membership', change)).rejects.toThrow('away');
  isProviderAway = false;
  expect((await find()).membership).toEqual(before);
});

test('the currency stays while somebody has paid', async () => {
  const { value, revision } = (await find()).membership;
  const change = { value: { ...value, currency: 'eur' }, revision };
  const { id } = await createUser(db);
  const invoice = crypto.randomUUID();
  await db.execute(sql`
    insert into invoices (id, user_id, invoice_id, status, currency, subtotal, discount, credit, total, amount_due,
      amount_paid, period_start, period_end, created_at, lines)
    values (${invoice}, ${id}, 'in_1', 'paid', 'usd', 5988, 0, 0, 5988, 5988, 5988, now(), now(), now(), '[]')`);
  await expect(siteAdmin.changeSection(operator, 'membership', change)).rejects.toMatchObject({
    code: 'settings/currency-in-use',
  });
  await db.execute(sql`delete from invoices where id = ${invoice}`);
  expect(await siteAdmin.changeSection(operator, 'membership', change)).toEqual({ ok: true });
});

test('tax is left to a provider only once that works it out', async () => {
  const { value, revision } = (await find()).tax;
  const change = { value: { ...value, mode: 'provider' as const }, revision };
  const refused = { code: 'settings/tax-not-ready' };
  await expect(siteAdmin.changeSection(operator, 'tax', change)).rejects.toMatchObject(refused);
  plain.provider.isTaxReady = async () => false;
  await expect(siteAdmin.changeSection(operator, 'tax', change)).rejects.toMatchObject(refused);
  plain.provider.isTaxReady = async () => true;
  expect(await siteAdmin.changeSection(operator, 'tax', change)).toEqual({ ok: true });
  expect((await find()).tax.value).toEqual(change.value);
  // The former version knows two modes.
  const FormerTax = z.object({ mode: z.enum(['off', 'table']) });
  const readByFormer = async () => (await findSetting(db, { key: 'tax', schema: FormerTax })).value.mode;
  expect(await readByFormer()).toBe('table');
  await siteAdmin.changeSection(operator, 'tax', { value, revision: revision + 1 });
  expect([(await find()).tax.value, await readByFormer()]).toEqual([value, value.mode]);
});

test('a further currency is prepared at the provider, and stays while somebody pays in it', async () => {
  const { value, revision } = (await find()).membership;
  const gbp = { countries: ['GB'], plans: { month: 699, year: 5388 }, giftCards: value.giftCards };
  await siteAdmin.changeSection(operator, 'membership', { value: { ...value, currencies: { gbp } }, revision });
  expect(prepared.at(-1)).toEqual([
    { period: 'month', amount: value.plans.month, currency: value.currency },
    { period: 'year', amount: value.plans.year, currency: value.currency },
    { period: 'month', amount: 699, currency: 'gbp' },
    { period: 'year', amount: 5388, currency: 'gbp' },
  ]);
  expect((await site.membership.findOffer()).currencies).toMatchObject([
    { currency: 'gbp', plans: [{ amount: 699 }, { amount: 5388, perMonth: 449 }] },
  ]);
  expect(await site.membership.findCurrency(undefined, 'GB')).toEqual({ currency: 'gbp', isFixed: false });
  expect(await site.membership.findCurrency(undefined, 'US-TX')).toEqual({ currency: value.currency, isFixed: false });
  const { id } = await createUser(db);
  await db.execute(sql`
    insert into subscriptions (user_id, subscription_id, status, period, amount, currency, period_ends_at, started_at)
    values (${id}, 'sub_gbp', 'ended', 'month', 699, 'gbp', now(), now())`);
  const without = { value, revision: revision + 1 };
  await expect(siteAdmin.changeSection(operator, 'membership', without)).rejects.toMatchObject({
    code: 'settings/currency-in-use',
  });
  await db.execute(sql`delete from subscriptions where user_id = ${id}`);
  expect(await siteAdmin.changeSection(operator, 'membership', without)).toEqual({ ok: true });
});

test('access after a failed payment ends after the days of the setting', async () => {
  const { id } = await createUser(db);
  await db.execute(sql`
    insert into subscriptions (user_id, subscription_id, status, period, amount, currency, period_ends_at, unpaid_since, started_at)
    values (${id}, 'sub_1', 'past-due', 'month', 799, 'usd', now() + interval '20 days', now() - interval '4 days', now() - interval '40 days')`);
  const allow = async (graceDays: number) => {
    const { value, revision } = (await find()).membership;
    await siteAdmin.changeSection(operator, 'membership', { value: { ...value, graceDays }, revision });
    const { isSubscribed: is, graceEndsAt } = await site.membership.findSubscriptionState(id);
    return [is, Math.round(((graceEndsAt?.getTime() ?? 0) - Date.now()) / 86_400_000), await isSubscribed(db, id)];
  };
  expect(await allow(3)).toEqual([false, -1, false]);
  expect(await allow(5)).toEqual([true, 1, true]);
});

test('disabled features are refused and hidden, and return unchanged', async () => {
  const [viewer, other] = [await viewerOf(), await viewerOf()];
  const audio = await createAudio(db, { isFree: true });
  const list = await createUserPlaylist(db, { userId: other.id, audioIds: [audio.id] });
  await site.community.writeComment(viewer, audio.id, { text: 'Before' });
  const turn = async (to: boolean) => {
    const { value, revision } = (await find()).features;
    const all = Object.fromEntries(Object.keys(value).map((name) => [name, to])) as typeof value;
    await siteAdmin.changeSection(operator, 'features', { value: all, revision });
  };
  const seen = async () => ({
    comments: (await site.community.listComments(viewer, { id: audio.id, commentsDisabled: false }, { limit: 5 })).items
      .length,
    list: (await site.library.findUserPlaylist(viewer, list.id))?.id,
    own: (await site.library.findUserPlaylist(other, list.id))?.id,
    top: (await site.library.listTopUserPlaylists(viewer, { limit: 5 })).items.length,
  });
  const whole = { comments: 1, list: list.id, own: list.id, top: 1 };
  expect(await seen()).toEqual(whole);
  await turn(false);
  expect(await seen()).toEqual({ comments: 0, list: undefined, own: list.id, top: 0 });
  const off = { code: 'site/feature-off' };
  await expect(site.community.writeComment(viewer, audio.id, { text: 'After' })).rejects.toMatchObject(off);
  const form = { title: 'Mine', background: 'Blue to Green', font: 'Teko Regular', isPublic: true } as const;
  await expect(site.library.createUserPlaylist(viewer.id, form)).rejects.toMatchObject(off);
  const gift = { months: 1, recipientEmail: 'nora@example.org' } as GiftCardForm;
  await expect(site.membership.buyGiftCard({ id: viewer.id, email: 'a@example.org' }, gift)).rejects.toMatchObject(off);
  await expect(site.editorial.listArticles({ topics: [], page: 0, sortBy: 'recent' })).rejects.toMatchObject({
    code: 'request/not-found',
  });
  const account = { email: 'new@example.org', username: 'newcomer', password: 'a long passphrase' };
  expect(await site.identity.signUp(account)).toEqual({ ok: false, reason: 'site/sign-up-closed' });
  await turn(true);
  expect(await seen()).toEqual(whole);
  expect((await site.editorial.listArticles({ topics: [], page: 0, sortBy: 'recent' })).items).toEqual([]);
  expect(await site.identity.signUp(account)).toMatchObject({ ok: true });
});

test('comments in an hour are limited for each listener', async () => {
  const { value, revision } = (await find()).limits;
  await siteAdmin.changeSection(operator, 'limits', { value: { ...value, commentsPerHour: 2 }, revision });
  const [one, other] = [await viewerOf(), await viewerOf()];
  const audio = await createAudio(db);
  const write = async (viewer: User, text: string) =>
    (await site.community.writeComment(viewer, audio.id, { text })).ok;
  expect([await write(one, 'a'), await write(one, 'b'), await write(one, 'c')]).toEqual([true, true, false]);
  expect(await write(other, 'd')).toBe(true);
});

test('nobody but operators sees or changes settings', async () => {
  const viewer = await viewerOf();
  await expect(siteAdmin.findSiteSettings(viewer)).rejects.toMatchObject({ code: 'request/not-found' });
  const { value, revision } = (await find()).features;
  await expect(
    siteAdmin.changeSection(viewer, 'features', { value: { ...value, blog: false }, revision }),
  ).rejects.toMatchObject({ code: 'request/not-found' });
  expect((await find()).features.value).toEqual(value);
});
