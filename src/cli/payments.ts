import { replayPaymentEvent, replayPaymentEvents } from '#domain/admin/money/payment-events.ts';
import { requestReconciliation } from '#domain/admin/money/reconciliations.ts';
import { totalText } from '#domain/admin/rules.ts';
import { operator } from '#domain/kernel/actor.ts';
import { countLivePayments, purgeLivePayments } from '#domain/membership/live-payments.ts';
import type { ReplayOf } from '#domain/membership/sync/events.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import { reconcile } from '#domain/membership/sync/reconcile.ts';
import { differencesOf } from '#domain/membership/rules.ts';
import type { Command } from './command.ts';
import { CommandError, countOf, parseCommandLine, UsageError } from './command.ts';
import { withDatabase } from './open/with-database.ts';
import { withMembership } from './open/with-membership.ts';

function chosen(args: string[]): ReplayOf {
  const { values } = parseCommandLine(args, { event: { type: 'string' }, since: { type: 'string' } }, []);
  if (values.event !== undefined && values.since !== undefined)
    throw new UsageError('--event and --since exclude each other');
  if (values.event !== undefined) return { eventId: values.event };
  if (values.since === undefined) return 'unsettled';
  const since = new Date(values.since);
  if (!/^\d{4}-\d\d-\d\d/.test(values.since) || Number.isNaN(since.getTime()))
    throw new UsageError(`"${values.since}" is no time such as 2027-12-31T08:00:00Z`);
  return { since };
}

export const paymentsCommand: Command = {
  help: `payments replay [--since <time> | --event <id>] | reconcile | detach [--yes]

replay processes received events of the payment provider again: the unsettled ones, all since a time, or one. reconcile
compares every subscription with the provider and corrects the site, as it does each night; then it compares how many
pay, and what was paid and refunded in each month of a year. Both are safe to repeat.
detach is for a copy of a site that took real cards: it deletes the stored customers of Stripe, so that the copy can
run with test cards. Gift time stays, subscriptions do not.

  --since <time>  such as 2027-12-31 or 2027-12-31T08:00:00Z
  --event <id>    as the provider names it
  --yes           detach: do it; without it, only says what would be deleted`,
  async run(args, context) {
    const [act, ...rest] = args;
    if (act !== 'replay' && act !== 'reconcile' && act !== 'detach')
      throw new UsageError(act === undefined ? 'replay, reconcile or detach is missing' : `"${act}" is not known here`);
    if (act === 'detach') {
      const { values } = parseCommandLine(rest, { yes: { type: 'boolean', default: false } }, []);
      if (context.readConfig().stripe !== undefined)
        throw new CommandError('the keys of Stripe are set: this is not a copy with test cards');
      if (values.yes) {
        const forgotten = await withDatabase(context, purgeLivePayments);
        context.print(`${countOf(forgotten, 'customer')} of the payment provider deleted here.`);
        return 0;
      }
      const { customers, subscriptions } = await withDatabase(context, countLivePayments);
      const goes = `${countOf(customers, 'customer')} of the payment provider and ${countOf(subscriptions, 'subscription')}`;
      context.print(`Goes:  ${goes}; whoever subscribed loses access here, and at the provider the charges go on`);
      context.print('Stays: accounts, invoices, gift cards and gift time');
      context.print('Nothing was changed; add --yes to delete them.');
      return 0;
    }
    if (act === 'reconcile') {
      parseCommandLine(rest, {}, []);
      return withMembership(context, async (parts) => {
        if (!(await requestReconciliation({ db: parts.db, addJobs: async () => {} }, operator)))
          throw new CommandError(errorSentences['reconciliation/running']);
        const { customers, mended: corrected, abandoned, failed, totals } = await reconcile(parts);
        for (const { customerId, reason } of failed) context.note(`${customerId}: ${reason}`);
        const differences = differencesOf(totals);
        for (const total of differences) context.note(totalText(total));
        context.print(
          `${countOf(customers, 'customer')} asked about: ${corrected} mended, ${abandoned} given up, ${failed.length} failed.`,
        );
        return failed.length === 0 && differences.length === 0 ? 0 : 1;
      });
    }
    const which = chosen(rest);
    return withMembership(context, async (parts) => {
      if (typeof which === 'object' && 'eventId' in which) {
        const outcome = await replayPaymentEvent(parts, operator, which.eventId);
        if (!outcome.ok) throw new CommandError(`There is no event ${JSON.stringify(which.eventId)}`);
        const { status } = outcome.event;
        context.print(`1 event settled again; it is ${status}.`);
        return status === 'failed' ? 1 : 0;
      }
      const { replayed, failed } = await replayPaymentEvents(parts, operator, which);
      for (const { eventId, reason } of failed) context.note(`${eventId}: ${reason}`);
      context.print(`${countOf(replayed, 'event')} settled again, ${failed.length} failed.`);
      return failed.length === 0 ? 0 : 1;
    });
  },
};
