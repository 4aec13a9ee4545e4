import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { addToMonth } from '#domain/admin/rules.ts';
import type { PayoutShare, Payouts } from '#domain/admin/money/payouts.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatMonthName } from '#formats/moments.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { deltaOf, hoursText } from '#web/workshop/charts/figure-text.ts';
import { Change } from '#web/workshop/charts/stat-tiles.tsx';
import { type Column, RowName, Table } from '#web/workshop/lists/table.tsx';

const secondsText = (milliseconds: number) => formatCount(Math.round(milliseconds / 1000));

/** Creators of a month, most heard first, and the total. */
export function PayoutTable({ payouts }: { payouts: Payouts }) {
  const { month, shares, milliseconds: all, pool, currency } = payouts;
  if (shares.length === 0)
    return (
      <EmptyState
        title={t`Nothing was heard`}
        text={t`Creators whose audios subscribers hear this month are listed here.`}
      />
    );
  const further = payouts.further.filter((one) => one.pool !== null);
  const max = Math.max(...shares.map((share) => share.milliseconds));
  return (
    <div className="pane pane--flush mt-5">
      <Table
        caption={t`Seconds heard per creator`}
        rows={shares}
        keyOf={({ voice }) => voice.id}
        columns={[
          {
            head: t`Creator`,
            isBare: true,
            isWide: true,
            cell: ({ voice }) => (
              <RowName picture={<Cover imageUrl={voice.imageUrl} shape="circle" size={36} />} name={voice.name} />
            ),
            foot: t`Total`,
          },
          {
            head: t`Audios`,
            kind: 'number',
            className: 'wide-only',
            cell: ({ audios }) => formatCount(audios),
            foot: formatCount(shares.reduce((sum, { audios }) => sum + audios, 0)),
          },
          {
            head: t`Seconds heard`,
            cardHead: t`Seconds`,
            kind: 'number',
            cell: ({ milliseconds }) => secondsText(milliseconds),
            foot: secondsText(all),
          },
          {
            head: t`Hours`,
            kind: 'number',
            cell: ({ milliseconds }) => hoursText(milliseconds),
            foot: hoursText(all),
          },
          {
            head: t({ message: 'Share', context: 'of a total' }),
            isBare: true,
            isWide: true,
            headClass: 'w-1/4',
            cell: ({ milliseconds }) => (
              <span className="grid w-full grid-cols-[minmax(0,1fr)_60px] items-center gap-3.5">
                <span className="mini" aria-hidden="true">
                  <i style={{ width: `${(100 * milliseconds) / max}%` }} />
                </span>
                <span className="number">{formatPercent((100 * milliseconds) / all, 2)}</span>
              </span>
            ),
            foot: formatPercent(100, 2),
            footClass: 'number wide-only',
          },
          {
            head: further.length === 0 ? t`Amount` : t`Amount in ${{ currency: currency.toUpperCase() }}`,
            kind: 'number',
            cell: ({ amount }) => (amount === null ? '–' : formatMoney(amount, currency)),
            foot: pool === null ? t`No pool yet` : formatMoney(pool, currency),
          },
          ...further.map((one): Column<PayoutShare> => ({
            head: t`Amount in ${{ currency: one.currency.toUpperCase() }}`,
            kind: 'number',
            cell: ({ amounts }) => formatMoney(amounts[one.currency] ?? 0, one.currency),
            foot: formatMoney(one.pool ?? 0, one.currency),
          })),
          {
            head: t`From ${{ month: formatMonthName(addToMonth(month, -1)) }}`,
            kind: 'number',
            className: 'wide-only',
            cell: ({ milliseconds, before }) => {
              const change = deltaOf(milliseconds, before);
              return change === undefined ? (
                <span className="text-muted">
                  <Trans>Not heard that month</Trans>
                </span>
              ) : (
                <Change of={change} />
              );
            },
          },
        ]}
      />
    </div>
  );
}
