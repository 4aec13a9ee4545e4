import { formatPercent } from '#formats/decimals.ts';
import { formatMoneys } from '#formats/money-list.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatDay, formatMonth } from '#formats/times.ts';
import { i18n } from '#i18n';
import { nameOf } from '../age/places.ts';
import type { EarningsOfMonth } from './earnings.ts';
import { type Amounts, moneysOf, tipsText } from './rules.ts';
import type { StatementParties } from './statement-parties.ts';

/** All texts of a statement, for its PDF. */

type Fact = { label: string; lines: string[] };
type Line = { title: string; note: string | undefined; cells: string[] };

export type StatementText = {
  title: string;
  /** The seller and the creator, or who is paid. */
  parties: Fact[];
  facts: Fact[];
  /** Names the audio, then its cells. */
  heads: string[];
  lines: Line[];
  total: Line;
  notes: string[];
};

const money = (amounts: Amounts) => formatMoneys(moneysOf(amounts));

/** `344`, and seconds below an hour, so that nothing is rounded to 0. */
const secondsText = (milliseconds: number | null) =>
  milliseconds === null
    ? i18n._(/*i18n*/ { id: 'statement.under-ten', message: 'Under 10' })
    : formatCount(Math.round(milliseconds / 1000));

/** `Maren Holt 70%, Idris Vale 30%` */
const sharesText = (shares: { name: string; share: number }[]) =>
  shares.map(({ name, share }) => `${name} ${formatPercent(share)}`).join(', ') || undefined;

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

function payeeLines(payee: NonNullable<StatementParties['payee']>, voice: string): string[] {
  const { name, address, country, vatId, taxNumber } = payee;
  return [
    name,
    ...linesOf(address),
    nameOf(country),
    ...(vatId === ''
      ? []
      : [i18n._(/*i18n*/ { id: 'statement.vat-id', message: 'VAT ID {id}', values: { id: vatId } })]),
    ...(taxNumber === ''
      ? []
      : [i18n._(/*i18n*/ { id: 'statement.tax-number', message: 'Tax number {id}', values: { id: taxNumber } })]),
    ...(name === voice
      ? []
      : [i18n._(/*i18n*/ { id: 'statement.creator', message: 'Creator: {voice}', values: { voice } })]),
  ];
}

/** @param names of the creator and the site */
export function statementText(
  earnings: EarningsOfMonth,
  { voice, site }: { voice: string; site: string },
  { seller, payee }: StatementParties,
): StatementText {
  const { month, lockedAt, payment, own, others, corrections, amounts, root, number, dueOn } = earnings;
  const monthName = formatMonth(month);
  const deleted = () => i18n._(/*i18n*/ { id: 'statement.deleted-audio', message: 'A deleted audio' });
  return {
    title: i18n._(/*i18n*/ { id: 'statement.title', message: 'Statement, {month}', values: { month: monthName } }),
    parties: [
      {
        label: i18n._(/*i18n*/ { id: 'statement.from', message: 'From' }),
        lines: [seller.name || site, ...linesOf(seller.address)],
      },
      {
        label: i18n._(/*i18n*/ { id: 'statement.for', message: 'For' }),
        lines: payee === null ? [voice] : payeeLines(payee, voice),
      },
    ],
    facts: [
      ...(number === null
        ? []
        : [{ label: i18n._(/*i18n*/ { id: 'statement.number', message: 'Number' }), lines: [number] }]),
      ...(lockedAt === null
        ? []
        : [{ label: i18n._(/*i18n*/ { id: 'statement.locked', message: 'Locked' }), lines: [formatDay(lockedAt)] }]),
      ...(dueOn === null || payment !== null
        ? []
        : [{ label: i18n._(/*i18n*/ { id: 'statement.due', message: 'Due' }), lines: [formatDay(dueOn)] }]),
      ...(payment === null
        ? []
        : [
            {
              label: i18n._(/*i18n*/ { id: 'statement.paid', message: 'Paid' }),
              lines: [`${formatDay(payment.paidAt)}, ${payment.reference}`],
            },
          ]),
    ],
    heads: [
      i18n._(/*i18n*/ { id: 'statement.audio', message: 'Audio' }),
      i18n._(/*i18n*/ { id: 'statement.seconds', message: 'Seconds' }),
      i18n._(/*i18n*/ { id: 'statement.amount', message: 'Amount' }),
      i18n._(/*i18n*/ { id: 'statement.yours', message: 'Yours' }),
    ],
    lines: [
      ...own.map((line) => ({
        title: line.title ?? deleted(),
        note: sharesText(line.shares),
        cells: [secondsText(line.milliseconds), money(line.amounts), money(line.yours)],
      })),
      ...others.map((line) => ({
        title: i18n._(
          /*i18n*/ {
            id: 'statement.by',
            message: '{title}, by {creator}',
            values: { title: line.title ?? deleted(), creator: line.creator },
          },
        ),
        note: sharesText(line.shares),
        cells: [secondsText(line.milliseconds), money(line.amounts), money(line.yours)],
      })),
      ...corrections.map(({ currency, amount, reason, tips }) => ({
        title:
          tips === null
            ? i18n._(/*i18n*/ { id: 'statement.correction', message: 'Correction: {reason}', values: { reason } })
            : tipsText(tips, amount < 0),
        note: undefined,
        cells: ['', '', money({ [currency]: amount })],
      })),
    ],
    total: {
      title: i18n._(/*i18n*/ { id: 'statement.total', message: 'Total' }),
      note: undefined,
      cells: [secondsText(earnings.milliseconds), money(earnings.ownAmounts), money(amounts)],
    },
    notes: [
      ...(earnings.hasAudios
        ? []
        : [
            i18n._(
              /*i18n*/ {
                id: 'statement.former',
                message: 'This month was locked by an earlier version: its audios are not listed, and it has no proof.',
              },
            ),
          ]),
      ...(lockedAt === null
        ? [
            i18n._(
              /*i18n*/ {
                id: 'statement.estimate',
                message: 'This month is open. The amounts are an estimate, not a promise.',
              },
            ),
          ]
        : []),
      i18n._(
        /*i18n*/ {
          id: 'statement.pool',
          message:
            'Pool: {pool}. Paid for in this month: {all} seconds of all creators, {share} of them yours. The amounts are sums; no statement names a listener.',
          values: {
            pool: money(earnings.pools),
            all: formatCount(Math.round(earnings.all / 1000)),
            share: formatPercent(100 * earnings.share, 2),
          },
        },
      ),
      ...(root === null
        ? []
        : [
            i18n._(
              /*i18n*/ {
                id: 'statement.root',
                message:
                  'Root of the month: {root}. The statement as CSV has the proof that its seconds are part of it.',
                values: { root },
              },
            ),
          ]),
    ],
  };
}
