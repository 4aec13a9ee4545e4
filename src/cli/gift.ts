import { findAccount } from '#domain/identity/operators.ts';
import { formatDay } from '#formats/times.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { GivenTime } from '#domain/membership/gift-cards/operator-gifts.ts';
import type { Command } from './command.ts';
import { CommandError, countOf, parseCommandLine, UsageError } from './command.ts';
import { orRefuse, withAdmin } from './open/with-admin.ts';

const maxMonths = 36;

export const giftCommand: Command = {
  help: `gift <email or username> <months>
gift take-back <email or username>

Gives an account up to ${maxMonths} free months, after its existing gift time. Delays the next charge of a running
subscription. take-back takes the last gift back.`,
  async run(args, context) {
    const isTakenBack = args[0] === 'take-back';
    const { positionals } = parseCommandLine(
      isTakenBack ? args.slice(1) : args,
      {},
      isTakenBack ? ['<email or username>'] : ['<email or username>', '<months>'],
    );
    const [name = '', text = ''] = positionals as readonly string[];
    const months = Number(text);
    if (!isTakenBack && (!/^\d+$/.test(text) || months < 1 || months > maxMonths))
      throw new UsageError(`"${text}" is not a number of months from 1 to ${maxMonths}`);
    return withAdmin(context, async ({ db, users }) => {
      const account = await findAccount(db, name);
      if (account === undefined) throw new CommandError(`There is no account ${JSON.stringify(name)}`);
      const who = account.username ?? account.email ?? account.id;
      if (!isTakenBack) {
        const given = orRefuse(await users.giveMonths(operator, account.id, { months, reason: 'On the command line' }));
        context.print(`${who} ${stateOf(given)} (${countOf(months, 'month')} more).`);
        return 0;
      }
      const outcome = orRefuse(await users.takeMonthsBack(operator, account.id));
      context.print(`${who} ${stateOf(outcome)} (${countOf(outcome.months, 'month')} taken back).`);
      return 0;
    });
  },
};

function stateOf(time: GivenTime): string {
  return 'giftUntil' in time
    ? `can hear everything until ${time.giftUntil.toISOString()}`
    : `is charged next on ${formatDay(time.nextChargeAt)}`;
}
