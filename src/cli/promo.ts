import type { PromoCodeForm } from '#domain/admin/forms.ts';
import { promoLimits } from '#domain/admin/forms.ts';
import { createPromoCode, endPromoCode, replacePromoCode } from '#domain/admin/money/promo-codes.ts';
import { operator } from '#domain/kernel/actor.ts';
import { errorSentences } from '#domain/kernel/errors.ts';
import type { PromoCode } from '#domain/membership/payment-provider.ts';
import { formatMoney } from '#formats/numbers.ts';
import type { Command } from './command.ts';
import { CommandError, countOf, parseCommandLine, UsageError } from './command.ts';
import { withMembership } from './open/with-membership.ts';

const options = {
  percent: { type: 'string' },
  amount: { type: 'string' },
  months: { type: 'string' },
  forever: { type: 'boolean', default: false },
  times: { type: 'string' },
  until: { type: 'string' },
  'first-time': { type: 'boolean', default: false },
} as const;

function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}`);
  return value;
}

function lastDayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const day = new Date(`${text}T23:59:59Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new UsageError(`"${text}" is not a day such as 2027-12-31`);
  if (day < new Date()) throw new UsageError(`${text} has already passed`);
  return text;
}

function newPromoCode(args: string[]): PromoCodeForm {
  const { values, positionals } = parseCommandLine(args, options, ['<code>']);
  const [code] = positionals;
  if (!/^[A-Za-z0-9]{3,50}$/.test(code)) throw new UsageError('a code has 3 to 50 letters and digits');
  const percentOff = wholeNumber('percent', values.percent, 100);
  const amountOff = wholeNumber('amount', values.amount, promoLimits.cents);
  if ((percentOff === undefined) === (amountOff === undefined))
    throw new UsageError('it needs --percent or --amount, one of the two');
  const months = wholeNumber('months', values.months, promoLimits.months);
  if (months !== undefined && values.forever) throw new UsageError('--months and --forever exclude each other');
  return {
    code,
    percentOff,
    amountOff,
    duration: values.forever ? 'forever' : months === undefined ? 'once' : 'months',
    months,
    lastDay: lastDayOf(values.until),
    maxRedemptions: wholeNumber('times', values.times, promoLimits.times),
    isFirstTimeOnly: values['first-time'],
  };
}

function describe(promo: PromoCode): string {
  const { percentOff, amountOff, duration } = promo.discount;
  const off = percentOff === null ? formatMoney(amountOff ?? 0, promo.currency ?? 'usd') : `${percentOff} %`;
  const long = duration === 'months' ? `for ${countOf(promo.months ?? 1, 'month')}` : duration;
  const used =
    promo.maxRedemptions === undefined
      ? `${promo.redemptions} used`
      : `${promo.redemptions} of ${promo.maxRedemptions} used`;
  const state = promo.isActive ? 'active' : 'off';
  const until = promo.expiresAt === undefined ? '' : `, until ${promo.expiresAt.toISOString().slice(0, 10)}`;
  return `${promo.code.padEnd(16)}  ${off} off ${long}, ${used}, ${state}${until}${promo.isFirstTimeOnly ? ', first payment only' : ''}`;
}

export const promoCommand: Command = {
  help: `promo list | create <code> | change <code> | disable <code>

Promo codes of the payment provider. A discount is for the first payment, unless --months or --forever is given.
change ends a code and creates it again with the given rules; its uses start at 0.

  --percent <1-100>  discount in percent, or
  --amount <cents>   in the currency of the plans
  --months <n>       off each payment for this many months
  --forever          off every payment
  --times <n>        how often the code can be used in total
  --until <day>      the last day, such as 2027-12-31
  --first-time       only for accounts that never paid`,
  async run(args, context) {
    const [act, ...rest] = args;
    if (act !== 'list' && act !== 'create' && act !== 'change' && act !== 'disable')
      throw new UsageError(
        act === undefined ? 'Name an act: list, create, change, disable' : `"${act}" is not known here`,
      );
    // Report usage errors before opening the database.
    if (act === 'create' || act === 'change') newPromoCode(rest);
    else parseCommandLine(rest, {}, act === 'disable' ? ['<code>'] : []);
    return withMembership(context, async (parts) => {
      const { payments } = parts;
      if (act === 'list') {
        const all = await payments.listPromoCodes();
        for (const promo of all) context.print(describe(promo));
        context.note(`${countOf(all.length, 'promo code')}.`);
        return 0;
      }
      if (act === 'create') {
        const made = await createPromoCode(parts, operator, newPromoCode(rest));
        if (!made.ok) throw new CommandError(`An active code ${rest[0]} already exists`);
        context.print(describe(made.promoCode));
        return 0;
      }
      const [code = ''] = rest;
      const known = await payments.findPromoCode(code);
      if (known === undefined) throw new CommandError(`There is no promo code ${JSON.stringify(code)}`);
      if (act === 'change') {
        const made = await replacePromoCode(parts, operator, known.id, newPromoCode(rest));
        if (!made.ok) throw new CommandError(errorSentences[made.reason]);
        context.print(describe(made.promoCode));
        return 0;
      }
      // A disabled code stays disabled.
      if (known.isActive) await endPromoCode(parts, operator, known.id);
      context.print(`${known.code} can no longer be used; existing discounts stay.`);
      return 0;
    });
  },
};
