import { i18n } from '#i18n';
import type { Actor } from '../kernel/actor.ts';
import { canDeleteIn } from '../studio/rules.ts';

/** Owners and operators see what a creator earns; editors do not. */
export const maySeeEarnings: (actor: Actor, voiceId: string) => boolean = canDeleteIn;

/** `locked`: the amount is fixed, and waits for its payment. */
export const earningStates = ['open', 'locked', 'paid'] as const;
export type EarningState = (typeof earningStates)[number];

/** `ST-2026-10-0031`: the month, and a number that counts the statements of its year. */
export function statementNumber(month: string, number: number): string {
  return `ST-${month}-${String(number).padStart(4, '0')}`;
}

/** Months that the list of earnings shows, the newest first. */
export const maxEarningMonths = 120;

/** In the smallest unit. */
export type Amounts = Record<string, number>;

export function addAmounts(one: Amounts, other: Amounts): Amounts {
  const sum = { ...one };
  for (const [currency, amount] of Object.entries(other)) sum[currency] = (sum[currency] ?? 0) + amount;
  return sum;
}

/** By code. Without a pool: nothing. */
export function moneysOf(amounts: Amounts): { amount: number; currency: string }[] {
  return Object.entries(amounts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount]) => ({ currency, amount }));
}

/** `3 tips` */
export function tipsText(count: number, isBack: boolean): string {
  return isBack
    ? i18n._(
        /*i18n*/ {
          id: 'statement.tips-back',
          message: '{count, plural, one {# tip, paid back} other {# tips, paid back}}',
          values: { count },
        },
      )
    : i18n._(
        /*i18n*/ { id: 'statement.tips', message: '{count, plural, one {# tip} other {# tips}}', values: { count } },
      );
}
