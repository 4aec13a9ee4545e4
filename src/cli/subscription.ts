import {
  cancelSubscription,
  findSubscriptionDetail,
  refundPayment,
  resumeSubscription,
} from '#domain/admin/money/subscriptions.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { refreshSubscription } from '#domain/membership/changes.ts';
import type { MembershipParts } from '#domain/membership/customers.ts';
import { findCustomerId, writeCustomer } from '#domain/membership/customers.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import { findAccount } from '#domain/identity/operators.ts';
import { withPaymentLock } from '#domain/membership/lock.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import type { Subscription } from '#domain/membership/shapes.ts';
import { findSubscription } from '#domain/membership/subscription.ts';
import { syncLocked } from '#domain/membership/sync/sync.ts';
import type { Command } from './command.ts';
import { CommandError, parseCommandLine, UsageError } from './command.ts';
import { withMembership } from './open/with-membership.ts';

const acts = ['show', 'sync', 'cancel', 'resume', 'refund', 'advance'] as const;
const dayMs = 24 * 60 * 60 * 1000;

function describe(subscription: Subscription): string[] {
  const { state, period, amount, currency, isSubscribed, discount, nextPeriod, nextCharge } = subscription;
  const dates = {
    'trial until': subscription.trialEndsAt,
    'renews on': subscription.renewsAt,
    'ends on': subscription.endsAt,
    'grace until': subscription.graceEndsAt,
    'gift until': subscription.giftUntil,
  };
  return [
    `${state}; ${isSubscribed ? 'can hear everything' : 'can hear what is free'}`,
    ...(period === null || amount === null || currency === null
      ? []
      : [
          `plan         ${formatMoney(amount, currency)} a ${period}${nextPeriod === null ? '' : `, then a ${nextPeriod}`}`,
        ]),
    ...Object.entries(dates).flatMap(([name, day]) => (day === null ? [] : [`${name.padEnd(12)} ${formatDay(day)}`])),
    ...(nextCharge === null
      ? []
      : [`next charge  ${formatMoney(nextCharge.amount, nextCharge.currency)} on ${formatDay(nextCharge.at)}`]),
    ...(discount === null ? [] : [`discount     ${discount.code ?? 'one without a code'}`]),
  ];
}

/** Advances a sandbox customer's test clock; a user without a customer gets one with an own clock first. */
async function advance(parts: MembershipParts, userId: string, email: string | null, days: number): Promise<void> {
  const { testClock } = parts.payments;
  if (testClock === undefined) throw new CommandError('Time can be moved in a sandbox only');
  await withPaymentLock(parts.db, userId, async () => {
    let customerId = await findCustomerId(parts.db, userId);
    if (customerId === undefined) {
      customerId = await testClock.createCustomer({ userId, email: email ?? undefined, startsAt: new Date() });
      await writeCustomer(parts.db, userId, customerId);
    }
    const now = await testClock.timeOf(customerId);
    if (now === undefined) throw new CommandError('This customer has no test clock: call advance before it subscribes');
    if (days > 0) await testClock.advance(customerId, new Date(now.getTime() + days * dayMs));
    await syncLocked(parts, userId, customerId);
  });
}

const reason = 'On the command line';

async function findSubscriptionId(parts: MembershipParts, userId: string): Promise<string> {
  const subscriptionId = (await findSubscriptionDetail(parts, operator, userId))?.subscriptionId ?? null;
  if (subscriptionId === null) throw new CommandError(errorSentences['subscription/none']);
  return subscriptionId;
}

async function resumeOf(parts: MembershipParts, userId: string): Promise<void> {
  const outcome = await resumeSubscription(parts, operator, userId, {
    subscriptionId: await findSubscriptionId(parts, userId),
  });
  if (!outcome.ok) throw new CommandError('This subscription cannot be resumed');
}

async function cancelOf(parts: MembershipParts, userId: string, when: 'now' | 'end'): Promise<void> {
  const subscriptionId = await findSubscriptionId(parts, userId);
  const outcome = await cancelSubscription(parts, operator, userId, { when, subscriptionId, reason });
  if (!outcome.ok) throw new CommandError(errorSentences['subscription/none']);
}

/** @returns what was refunded, as a sentence */
async function refundOf(
  parts: MembershipParts,
  userId: string,
  { invoice, cents }: { invoice?: string | undefined; cents?: string | undefined },
): Promise<string> {
  const payments = (await findSubscriptionDetail(parts, operator, userId))?.payments ?? [];
  const payment = payments.find((one) =>
    invoice === undefined ? one.status === 'paid' && one.amountPaid > 0 : one.number === invoice,
  );
  if (payment === undefined) throw new CommandError('There is no such payment');
  const seen = payment.refunded + payment.waiting;
  const amount = cents === undefined ? payment.amountPaid - seen : Number(cents);
  if (amount <= 0) throw new CommandError('Nothing is left of this payment');
  const outcome = await refundPayment(parts, operator, { key: newId(), invoiceId: payment.id, amount, seen, reason });
  if (!outcome.ok) throw new CommandError(errorSentences[outcome.reason]);
  return `${formatMoney(amount, payment.currency)} of invoice ${payment.number ?? payment.invoiceId} refunded`;
}

export const subscriptionCommand: Command = {
  help: `subscription show | sync | cancel | resume | refund | advance <email or username>

show prints the state of an account's subscription; sync asks the payment provider first. cancel ends it at the end of
the paid time, or at once; resume undoes that before it takes effect. refund refunds the newest payment, or what is
left of it. advance is for the sandbox: it gives an account that has not subscribed yet its own clock, and moves it.

  --now              cancel: at once, without a refund
  --invoice <number> refund: another payment
  --cents <n>        refund: only a part
  --days <n>         how far advance moves the clock; 0 at first`,
  async run(args, context) {
    const [name, ...rest] = args;
    const act = acts.find((one) => one === name);
    if (act === undefined)
      throw new UsageError(name === undefined ? `${acts.join(', ')}: one is missing` : `"${name}" is not known here`);
    const { values, positionals } = parseCommandLine(
      rest,
      {
        days: { type: 'string' },
        now: { type: 'boolean', default: false },
        invoice: { type: 'string' },
        cents: { type: 'string' },
      },
      ['<email or username>'],
    );
    const days = Number(values.days ?? 0);
    if (values.cents !== undefined && !/^[1-9]\d{0,7}$/.test(values.cents))
      throw new UsageError('--cents must be a whole number');
    if (!/^\d+$/.test(values.days ?? '0') || days > 800)
      throw new UsageError('--days must be a whole number up to 800');
    return withMembership(context, async (parts) => {
      const [wanted] = positionals;
      const account = await findAccount(parts.db, wanted);
      if (account === undefined) throw new CommandError(`There is no account ${JSON.stringify(wanted)}`);
      if (act === 'sync') await refreshSubscription(parts, account.id);
      if (act === 'advance') await advance(parts, account.id, account.email, days);
      if (act === 'cancel') await cancelOf(parts, account.id, values.now ? 'now' : 'end');
      if (act === 'resume') await resumeOf(parts, account.id);
      if (act === 'refund') context.print(await refundOf(parts, account.id, values));
      for (const line of describe(await findSubscription(parts, account.id))) context.print(line);
      return 0;
    });
  },
};
