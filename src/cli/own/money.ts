import { z } from 'zod';
import { PageQuery } from '#api/schemas.ts';
import { replayPaymentEvents } from '#domain/admin/money/payment-events.ts';
import {
  giftCardStates,
  isMonth,
  overviewPeriods,
  promoStates,
  subscriptionFilters,
  totalText,
} from '#domain/admin/rules.ts';
import type { Actor } from '#domain/kernel/actor.ts';
import { englishErrors } from '#domain/kernel/errors.ts';
import { refreshSubscription } from '#domain/membership/changes.ts';
import { type MembershipParts, findCustomerId, writeCustomer } from '#domain/membership/customers.ts';
import { verifyStatement } from '#domain/earnings/verify-statement.ts';
import { providerNames } from '#domain/membership/capabilities.ts';
import { runMove } from '#domain/membership/moving/run-move.ts';
import { countLivePayments, purgeLivePayments } from '#domain/membership/live-payments.ts';
import { withPaymentLock } from '#domain/membership/lock.ts';
import { differencesOf } from '#domain/membership/rules.ts';
import { tipStates } from '#domain/membership/tips/rules.ts';
import { findSubscription } from '#domain/membership/subscription.ts';
import { reconcile } from '#domain/membership/sync/reconcile.ts';
import { syncLocked } from '#domain/membership/sync/sync.ts';
import { CommandError, countOf, readOperatorsFile, UsageError } from '../command.ts';
import type { SiteTools } from '../open/with-site.ts';
import { ownCall } from './own-call.ts';

const Search = PageQuery.extend({ q: z.string().optional() });

export const listPromoCodes = ownCall('promo-codes list', {
  about: 'Promo codes with their uses, newest first',
  query: z.object({ q: z.string().optional(), state: z.enum(promoStates).optional(), after: z.string().optional() }),
  async act({ site, viewer, query }) {
    const { items, after } = await site.admin.money.listPromoCodes(viewer, query);
    return { items, nextCursor: after };
  },
});

export const listGiftCards = ownCall('gift-cards list', {
  about: 'Paid gift cards, newest first',
  query: Search.extend({ state: z.enum(giftCardStates).optional() }),
  act: ({ site, viewer, query: { q, state, ...page } }) => site.admin.money.listGiftCards(viewer, { q, state }, page),
});

export const listTips = ownCall('tips list', {
  about: 'Tips, newest first',
  query: Search.extend({ state: z.enum(tipStates).optional() }),
  act: ({ site, viewer, query: { q, state, ...page } }) => site.admin.money.listTips(viewer, { q, state }, page),
});

export const listSubscriptions = ownCall('subscriptions list', {
  about: 'Subscriptions, newest first',
  query: Search.extend({ state: z.enum(subscriptionFilters).optional() }),
  act: ({ site, viewer, query: { q, state, ...page } }) =>
    site.admin.money.listSubscriptions(viewer, { q, state }, page),
});

/** With the payments, whose ids `payments refund` takes. */
async function describe({ parts, site }: SiteTools, viewer: Actor, userId: string) {
  const detail = await site.admin.money.findSubscriptionDetail(viewer, userId);
  return { ...(await findSubscription(parts, userId)), payments: detail?.payments ?? [] };
}

export const showSubscription = ownCall('subscriptions show', {
  path: '/users/{id}',
  about: 'The subscription of an account, with its payments',
  act: ({ tools, viewer, id }) => describe(tools, viewer, id),
});

export const syncSubscription = ownCall('subscriptions sync', {
  path: '/users/{id}',
  about: 'Asks the payment provider first, and corrects what the site has',
  async act({ tools, viewer, id }) {
    await refreshSubscription(tools.parts, id);
    return describe(tools, viewer, id);
  },
});

const dayMs = 24 * 60 * 60 * 1000;

export const advanceClock = ownCall('subscriptions advance', {
  path: '/users/{id}',
  about: 'In the sandbox: gives an account that has not subscribed yet its own clock, and moves it',
  input: z.object({ days: z.number().int().min(0).max(800).default(0) }),
  async act({ tools, viewer, id, input }) {
    const { email } = (await tools.site.admin.people.findUser(viewer, id)) ?? {};
    await advance(tools.parts, id, email ?? undefined, input.days);
    return describe(tools, viewer, id);
  },
});

async function advance(parts: MembershipParts, userId: string, email: string | undefined, days: number): Promise<void> {
  const { testClock } = parts.payments;
  if (testClock === undefined) throw new CommandError('Time can be moved in a sandbox only');
  await withPaymentLock(parts.db, userId, async () => {
    let customerId = await findCustomerId(parts.db, userId);
    if (customerId === undefined) {
      customerId = await testClock.createCustomer({ userId, email, startsAt: new Date() });
      await writeCustomer(parts.db, userId, customerId);
    }
    const now = await testClock.timeOf(customerId);
    if (now === undefined) throw new CommandError('This customer has no test clock: call advance before it subscribes');
    if (days > 0) await testClock.advance(customerId, new Date(now.getTime() + days * dayMs));
    await syncLocked(parts, userId, customerId);
  });
}

export const listEvents = ownCall('webhook-events list', {
  about: 'Events of the payment provider, newest first',
  query: Search,
  act: ({ site, viewer, query: { q, ...page } }) => site.admin.money.listPaymentEvents(viewer, { q }, page),
});

const Since = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d/, 'is no time such as 2027-12-31T08:00:00Z')
  .transform((text) => new Date(text))
  .refine((time) => !Number.isNaN(time.getTime()), 'is no time such as 2027-12-31T08:00:00Z');

export const replayEvents = ownCall('payments replay', {
  about: 'Settles events of the provider again: those that failed or wait, or all since a time; safe to repeat',
  input: z.object({ since: Since.optional().describe('such as 2027-12-31 or 2027-12-31T08:00:00Z') }),
  async act({ tools, viewer, context, input: { since } }) {
    const { replayed, failed } = await replayPaymentEvents(tools.parts, viewer, since ? { since } : 'unsettled');
    for (const { eventId, reason } of failed) context.note(`${eventId}: ${reason}`);
    if (failed.length > 0) throw new CommandError(`${failed.length} of ${countOf(replayed, 'event')} failed`);
    return { replayed };
  },
});

export const reconcileAll = ownCall('payments reconcile', {
  about: 'Compares every subscription with the provider and corrects the site, as it does each night; safe to repeat',
  details: 'Then compares how many pay, and what was paid and refunded in each month of a year',
  input: z.object({}),
  async act({ tools, site, viewer, context }) {
    if (!(await site.admin.money.requestReconciliation(viewer)))
      throw new CommandError(englishErrors['reconciliation/running']);
    const { customers, mended, abandoned, failed, totals } = await reconcile(tools.parts);
    for (const { customerId, reason } of failed) context.note(`${customerId}: ${reason}`);
    const differences = differencesOf(totals);
    for (const total of differences) context.note(totalText(total));
    const outcome = `${countOf(customers, 'customer')} asked about: ${mended} mended, ${abandoned} given up, ${failed.length} failed.`;
    if (failed.length + differences.length > 0) throw new CommandError(outcome);
    return new Response(outcome);
  },
});

const Provider = z.enum(providerNames);

export const moveSubscriptions = ownCall('payments move', {
  about:
    'Moves all subscriptions from one payment provider to another, and makes the other the main one; goes on if interrupted',
  details: 'Paid time is kept to the day, renewals are stopped, and subscribers are mailed once',
  input: z.object({
    from: Provider.describe('the provider to leave; it may be gone already'),
    to: Provider.describe('the provider for what is new'),
    dryRun: z.boolean().default(false).describe('only says what would be done'),
  }),
  async act({ tools, site, viewer, input: { dryRun, ...pair } }) {
    if (dryRun) return site.admin.money.planProviderMove(viewer, pair);
    const open = (await site.admin.money.listProviderMoves(viewer)).find(({ state }) => state !== 'done');
    const isSame = open?.from === pair.from && open.to === pair.to;
    if (isSame && open.state === 'paused') await site.admin.money.actOnProviderMove(viewer, open.id, 'resume');
    const id = isSame ? open.id : (await site.admin.money.startProviderMove(viewer, pair)).id;
    await runMove(tools.parts, id);
    const move = (await site.admin.money.listProviderMoves(viewer)).find((one) => one.id === id);
    return move && { ...move, note: move.state === 'done' ? 'Done' : 'The site goes on with it' };
  },
});

export const detachPayments = ownCall('payments detach', {
  about: 'For a copy of a site that took real cards: deletes the customers of Stripe here, so that it takes test cards',
  details: 'Gift time stays, subscriptions do not. At the provider the charges go on',
  input: z.object({ yes: z.boolean().default(false).describe('do it; without it, only says what would be deleted') }),
  async act({ tools: { config, db }, input }) {
    if (config.stripe !== undefined)
      throw new CommandError('the keys of Stripe are set: this is not a copy with test cards');
    if (input.yes) return { deletedCustomers: await purgeLivePayments(db) };
    return { ...(await countLivePayments(db)), note: 'Nothing was changed; add --yes to delete them' };
  },
});

export const exportTax = ownCall('payments tax', {
  path: '/tax/{quarter}',
  about: 'Tax of a quarter by country, rate and currency, as CSV for the one-stop shop',
  async act({ site, viewer, quarter }) {
    const csv = await site.admin.money.exportTax(viewer, quarter);
    if (csv === undefined) throw new UsageError(`"${quarter}" is not a quarter such as 2026-Q4`);
    return new Response(csv);
  },
});

export const exportRevenue = ownCall('revenue export', {
  about: 'Payments and refunds of each day and currency, as CSV',
  query: z.object({
    period: z.enum(overviewPeriods).optional().describe('days, 28 when none is given; or this month'),
  }),
  act: async ({ site, viewer, query }) => new Response(await site.admin.site.exportRevenue(viewer, query.period)),
});

export const verifyEarnings = ownCall('earnings verify', {
  path: '/files/{file}',
  about: 'Checks a statement as CSV: its sums, and that its seconds are part of the month that this site has published',
  async act({ site, context, file }) {
    const text = (await readOperatorsFile(context, file)).toString('utf8');
    const verified = verifyStatement(text);
    if (!verified.ok) throw new CommandError(`${file} is not right: ${verified.fault}`);
    const { ok: _ok, ...facts } = verified;
    const published = (await site.earnings.listRoots()).find(({ month }) => month === facts.month);
    if (published?.root !== facts.root)
      throw new CommandError(`${file} is not right: this site has published another root for ${facts.month}`);
    return { ...facts, note: 'Right: every line is part of the published month' };
  },
});

export const listPayouts = ownCall('payouts list', {
  about: 'Months with listening, newest first',
  act: async ({ site, viewer }) =>
    (await site.admin.money.listPayoutMonths(viewer)).map(({ month, isLocked }) => ({
      month,
      state: isLocked ? 'locked' : 'open',
    })),
});

function requireMonth(month: string): string {
  if (!isMonth(month)) throw new UsageError(`"${month}" is not a month such as 2026-10`);
  return month;
}

export const showPayouts = ownCall('payouts show', {
  path: '/payouts/{month}',
  about: 'Time heard of each creator in a month, and the shares of the pool',
  act: ({ site, viewer, month }) => site.admin.money.findPayouts(viewer, requireMonth(month)),
});

export const exportPayouts = ownCall('payouts export', {
  path: '/payouts/{month}',
  about: 'The same as CSV',
  async act({ site, viewer, month }) {
    const csv = await site.admin.money.exportPayouts(viewer, requireMonth(month));
    return csv && new Response(csv);
  },
});
