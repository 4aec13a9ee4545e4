import { desc, isNotNull } from 'drizzle-orm';
import { errorSentences } from '#domain/kernel/errors.ts';
import { createGiftCard, findGiftCard, refundGiftCard, resendGiftCard } from '#domain/admin/money/gift-cards.ts';
import { operator } from '#domain/kernel/actor.ts';
import { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { presentGiftCard } from '#domain/membership/gift-cards/gift-cards.ts';
import { giftCardMonths } from '#domain/membership/rules.ts';
import { formatMoney } from '#formats/numbers.ts';
import { giftCards } from '#domain/membership/tables.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, countOf, parseCommandLine, UsageError } from './command.ts';
import { withMembership } from './open/with-membership.ts';

export const giftCardCommand: Command = {
  help: `gift-card list | create <months> <email> | refund <id> | resend <id>

Gift cards, newest first. A new one (months: ${giftCardMonths.join(', ')}) costs nothing; its code is mailed. An unredeemed one
can be refunded, or get a new code by mail; its earlier code then stops working.

  --from <name>      create: the sender's name, instead of the site's
  --message <text>   create: stands in the mail
  --even-redeemed    refund: also a redeemed one, whose months stay`,
  async run(args, context) {
    const [act, ...rest] = args;
    if (act === 'create') return create(rest, context);
    if (act !== 'list' && act !== 'refund' && act !== 'resend')
      throw new UsageError(
        act === undefined ? 'list, create, refund or resend is missing' : `"${act}" is not known here`,
      );
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
      const outcome = await (act === 'refund'
        ? refundGiftCard(parts, operator, id, how)
        : resendGiftCard(parts, operator, id));
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

async function create(args: string[], context: CommandContext): Promise<number> {
  const options = { from: { type: 'string' }, message: { type: 'string' } } as const;
  const { values, positionals } = parseCommandLine(args, options, ['<months>', '<email>']);
  const [months, recipientEmail] = positionals;
  const { from: senderName, message } = values;
  const form = MadeGiftCardForm.safeParse({ months: Number(months), recipientEmail, senderName, message });
  if (!form.success) throw new UsageError(form.error.issues[0]?.message ?? '');
  return withMembership(context, async (parts) => {
    const { id } = await createGiftCard(parts, operator, form.data);
    context.print(`${id} goes out with the next round of mails of the running site.`);
    return 0;
  });
}
