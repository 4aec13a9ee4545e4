import type { Actor } from '../../kernel/actor.ts';
import { toDecimalText } from '#formats/currency-decimals.ts';
import { csvLine } from '../../kernel/csv.ts';
import type { Db } from '../../kernel/db.ts';
import { findPayouts } from './payouts.ts';

/** One line per voice and a total, for each currency with a pool. @returns undefined for an invalid or future month */
export async function exportPayouts(db: Db, actor: Actor, month: string): Promise<string | undefined> {
  const payouts = await findPayouts(db, actor, month);
  if (payouts === undefined) return undefined;
  const { shares, milliseconds: all, locked, checksum } = payouts;
  const state = locked === null ? 'Open' : `Locked ${locked.at.toISOString()} ${checksum}`;
  const head = ['Month', 'Creator', 'Address', 'Id', 'Audios', 'Seconds', 'Share (%)', 'Amount', 'Currency', 'State'];
  const further = payouts.further.filter(({ pool }) => pool !== null);
  const linesIn = ({ currency, pool }: { currency: string; pool: number | null }) => {
    const money = (amount: number | null) => (amount === null ? null : toDecimalText(amount, currency));
    return [
      ...shares.map(({ voice, audios, milliseconds, amount, amounts }) => [
        month,
        voice.name,
        voice.slug,
        voice.id,
        audios,
        Math.round(milliseconds / 1000),
        ((100 * milliseconds) / all).toFixed(4),
        money(currency === payouts.currency ? amount : (amounts[currency] ?? 0)),
        currency.toUpperCase(),
        state,
      ]),
      [
        month,
        'Together',
        null,
        null,
        shares.reduce((sum, { audios }) => sum + audios, 0),
        Math.round(all / 1000),
        shares.length === 0 ? null : '100.0000',
        money(shares.length === 0 ? 0 : pool),
        currency.toUpperCase(),
        state,
      ],
    ];
  };
  return [head, ...[payouts, ...further].flatMap(linesIn)].map(csvLine).join('');
}
