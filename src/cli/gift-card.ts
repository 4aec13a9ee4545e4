import { desc, isNotNull } from 'drizzle-orm';
import { errorSentences } from '#domain/kernel/errors.ts';
import { findGiftCard, refund, resend } from '#domain/admin/gift-cards.ts';
import { operator } from '#domain/kernel/actor.ts';
import { presentGiftCard } from '#domain/membership/gift-cards.ts';
import { formatMoney } from '#formats/numbers.ts';
import { giftCards } from '#domain/membership/tables.ts';
import type { Command } from './command.ts';
import { CommandError, countOf, parseCommandLine, UsageError } from './command.ts';
import { withMembership } from './with-membership.ts';

export const giftCardCommand: Command = {
  help: `gift-card list | refund <id> | resend <id>

Paid gift cards, newest first. An unredeemed one can be refunded, or get a new code by mail; its earlier code then stops
working.

  --even-redeemed  refund: also a redeemed one, whose months stay`,
  async run(args, context) {
    const [act, ...rest] = args;
    if (act !== 'list' && act !== 'refund' && act !== 'resend')
      throw new UsageError(act === undefined ? 'list, refund or resend is missing' : `"${act}" is not known here`);
    const { values, positionals } = parseCommandLine(
      rest,
      { 'even-redeemed': { type: 'boolean', default: false } },
      act === 'list' ? [] : ['<id>'],
    );
    const [id = ''] = positionals as readonly string[];
    const how = { evenRedeemed: values['even-redeemed'], reason: 'On the command line' };
    return withMembership(context, async (parts) => {
      if (act === 'list') {
        const rows = await parts.db
          .select()
          .from(giftCards)
          .where(isNotNull(giftCards.paidAt))
          .orderBy(desc(giftCards.createdAt), desc(giftCards.id))
          .limit(500);
        for (const row of rows) {
          const { months, amount, currency, state, deliverAt } = presentGiftCard(row);
          const shownState = row.paidBackAt === null ? state : 'paid back';
          context.print(
            `${row.id}  ${countOf(months, 'month').padEnd(9)}  ${formatMoney(amount, currency).padStart(8)}  ${shownState.padEnd(9)}  ${deliverAt.toISOString()}`,
          );
        }
        context.note(`${countOf(rows.length, 'gift card')}.`);
        return 0;
      }
      const outcome = await (act === 'refund' ? refund(parts, operator, id, how) : resend(parts, operator, id));
      if (!outcome.ok)
        throw new CommandError(
          outcome.reason === 'request/not-found'
            ? `There is no gift card ${JSON.stringify(id)} that was paid`
            : errorSentences[outcome.reason],
        );
      const card = await findGiftCard(parts.db, operator, id);
      context.print(
        act === 'refund' && card !== undefined
          ? `${formatMoney(card.amount, card.currency)} is on its way back.`
          : 'A new code goes out with the next round of mails of the running site.',
      );
      return 0;
    });
  },
};
