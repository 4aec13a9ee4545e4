import type { Actor } from '../../kernel/actor.ts';
import { toDecimalText } from '#formats/currency-decimals.ts';
import { csvLine } from '../../kernel/csv.ts';
import type { Db } from '../../kernel/db.ts';
import { findPayouts } from './payouts.ts';

/** One line per voice, and a total. @returns undefined for an invalid or future month */
export async function exportPayouts(db: Db, actor: Actor, month: string): Promise<string | undefined> {
  const payouts = await findPayouts(db, actor, month);
  if (payouts === undefined) return undefined;
  const { shares, milliseconds: all, currency, locked, pool, checksum } = payouts;
  const state = locked === null ? 'Open' : `Locked ${locked.at.toISOString()} ${checksum}`;
  const money = (amount: number | null) => (amount === null ? null : toDecimalText(amount, currency));
  const head = ['Month', 'Creator', 'Address', 'Id', 'Audios', 'Seconds', 'Share (%)', 'Amount', 'Currency', 'State'];
  return [
    head,
    ...shares.map(({ voice, audios, milliseconds, amount }) => [
      month,
      voice.name,
      voice.slug,
      voice.id,
      audios,
      Math.round(milliseconds / 1000),
      ((100 * milliseconds) / all).toFixed(4),
      money(amount),
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
  ]
    .map(csvLine)
    .join('');
}
