import { writeFile } from 'node:fs/promises';
import { lockPayouts, setCountsTrials, setPayoutPool } from '#domain/admin/money/payout-changes.ts';
import { exportPayouts } from '#domain/admin/money/payout-csv.ts';
import { findPayouts, listPayoutMonths, payoutSetting } from '#domain/admin/money/payouts.ts';
import { isMonth, lastPool } from '#domain/admin/rules.ts';
import { operator } from '#domain/kernel/actor.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { formatDay } from '#formats/times.ts';
import { findSetting } from '#domain/settings/change-setting.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, parseCommandLine, resolveFolder, UsageError } from './command.ts';
import { withDatabase } from './open/with-database.ts';

const acts = ['list', 'show', 'pool', 'lock', 'trials'] as const;

export const payoutsCommand: Command = {
  help: `payouts list | show <month> | pool <month> --cents <n> | lock <month> | trials [on|off]

Seconds heard per creator in a month such as 2026-10, and their shares of the pool. lock stores a month permanently;
it can be locked from the third day of the next month on. trials prints or sets whether listening in trials counts, in
months that are not locked.

  --cents <n>    the pool, in cents of the site's currency
  --csv <file>   show: also writes the month as CSV`,
  async run(args, context) {
    const [name, ...rest] = args;
    const act = acts.find((one) => one === name);
    if (act === undefined)
      throw new UsageError(name === undefined ? `${acts.join(', ')}: one is missing` : `"${name}" is not known here`);
    if (act === 'trials') return trials(rest, context);
    const { values, positionals } = parseCommandLine(
      rest,
      { cents: { type: 'string' }, csv: { type: 'string' } },
      act === 'list' ? [] : ['<month>'],
    );
    const [month = ''] = positionals as readonly string[];
    if (act !== 'list' && !isMonth(month)) throw new UsageError(`"${month}" is not a month such as 2026-10`);
    if ((act === 'pool') !== (values.cents !== undefined)) throw new UsageError('--cents belongs to pool');
    const pool = Number(values.cents ?? 0);
    if (!/^\d+$/.test(values.cents ?? '0') || pool > lastPool) throw new UsageError('--cents must be a whole number');
    return withDatabase(context, async (db) => {
      if (act === 'list') {
        for (const one of await listPayoutMonths(db, operator))
          context.print(`${one.month}  ${one.isLocked ? 'locked' : 'open'}`);
        return 0;
      }
      const before = await findPayouts(db, operator, month);
      if (before === undefined) throw new CommandError(`${month} has not begun yet`);
      if (act !== 'show') {
        const outcome =
          act === 'pool'
            ? await setPayoutPool(db, operator, month, { pool, revision: before.revision })
            : await lockPayouts(db, operator, month, before);
        if (!outcome.ok) throw new CommandError(errorSentences[outcome.reason]);
      }
      const payouts = (await findPayouts(db, operator, month)) ?? before;
      for (const { voice, milliseconds, amount } of payouts.shares)
        context.print(
          `${voice.name.padEnd(30)}  ${formatCount(Math.round(milliseconds / 1000)).padStart(12)} s  ${amount === null ? '' : formatMoney(amount, payouts.currency).padStart(12)}`,
        );
      const sum = payouts.pool === null ? 'no pool yet' : `pool ${formatMoney(payouts.pool, payouts.currency)}`;
      const state = payouts.locked === null ? 'open' : `locked on ${formatDay(payouts.locked.at)}`;
      context.print(`${formatCount(Math.round(payouts.milliseconds / 1000))} seconds in all, ${sum}, ${state}.`);
      if (values.csv !== undefined)
        await writeFile(resolveFolder(context, values.csv), (await exportPayouts(db, operator, month)) ?? '');
      return 0;
    });
  },
};

async function trials(args: string[], context: CommandContext): Promise<number> {
  const [choice] = args.length === 0 ? [] : parseCommandLine(args, {}, ['on or off']).positionals;
  if (choice !== undefined && choice !== 'on' && choice !== 'off')
    throw new UsageError(`"${choice}" is neither on nor off`);
  return withDatabase(context, async (db) => {
    const { value, revision } = await findSetting(db, payoutSetting);
    const countsTrials = choice === undefined ? value.countsTrials : choice === 'on';
    if (choice !== undefined) await setCountsTrials(db, operator, { countsTrials, revision });
    context.print(`Listening in trials ${countsTrials ? 'counts' : 'does not count'}.`);
    return 0;
  });
}
