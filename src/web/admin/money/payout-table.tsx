import { addToMonth } from '#domain/admin/rules.ts';
import type { Payouts, PayoutShare } from '#domain/admin/money/payouts.ts';
import { formatMonth } from '#formats/times.ts';
import { formatCount, formatMoney } from '#formats/numbers.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { deltaOf, hoursText } from '#web/workshop/charts/figure-text.ts';
import { Change } from '#web/workshop/charts/stat-tiles.tsx';
import { tableRoles } from '#web/workshop/lists/table-roles.ts';

/** Creators of a month, most heard first, and the total. */
export function PayoutTable({ payouts: { month, shares, milliseconds, pool, currency } }: { payouts: Payouts }) {
  if (shares.length === 0)
    return (
      <EmptyState title="Nothing was heard" text="Creators whose audios subscribers hear this month are listed here." />
    );
  const max = Math.max(...shares.map((share) => share.milliseconds));
  return (
    <div className="pane pane--flush mt-5">
      <table className="data-table data-table--cards" {...tableRoles.table}>
        <caption className="sr-only">Seconds heard per creator</caption>
        <thead {...tableRoles.group}>
          <tr {...tableRoles.row}>
            <th {...tableRoles.head}>Creator</th>
            <th {...tableRoles.head} className="number">
              Audios
            </th>
            <th {...tableRoles.head} className="number">
              Seconds heard
            </th>
            <th {...tableRoles.head} className="number">
              Hours
            </th>
            <th {...tableRoles.head} className="w-1/4">
              Share
            </th>
            <th {...tableRoles.head} className="number">
              Amount
            </th>
            <th {...tableRoles.head} className="number">
              From {formatMonth(addToMonth(month, -1)).split(' ')[0]}
            </th>
          </tr>
        </thead>
        <tbody {...tableRoles.group}>
          {shares.map((share) => (
            <Row key={share.voice.id} share={share} all={milliseconds} max={max} currency={currency} />
          ))}
        </tbody>
        <tfoot {...tableRoles.group}>
          <tr {...tableRoles.row}>
            <td {...tableRoles.cell} className="whole-width">
              Total
            </td>
            <td {...tableRoles.cell} className="number wide-only tabular-nums">
              {formatCount(shares.reduce((sum, { audios }) => sum + audios, 0))}
            </td>
            <td {...tableRoles.cell} className="number tabular-nums" data-l="Seconds">
              {formatCount(Math.round(milliseconds / 1000))}
            </td>
            <td {...tableRoles.cell} className="number tabular-nums" data-l="Hours">
              {hoursText(milliseconds)}
            </td>
            <td {...tableRoles.cell} className="number wide-only">
              100.00%
            </td>
            <td {...tableRoles.cell} className="number tabular-nums" data-l="Amount">
              {pool === null ? 'No pool yet' : formatMoney(pool, currency)}
            </td>
            <td {...tableRoles.cell} className="wide-only" />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Row(props: { share: PayoutShare; all: number; max: number; currency: string }) {
  const { share, all, max, currency } = props;
  const { voice, audios, milliseconds, amount, before } = share;
  const change = deltaOf(milliseconds, before);
  return (
    <tr {...tableRoles.row}>
      <td {...tableRoles.cell} className="whole-width">
        <div className="cell">
          <Cover imageUrl={voice.imageUrl} shape="circle" size={36} />
          <div>
            <b className="wrap-anywhere">{voice.name}</b>
          </div>
        </div>
      </td>
      <td {...tableRoles.cell} className="number wide-only tabular-nums">
        {formatCount(audios)}
      </td>
      <td {...tableRoles.cell} className="number tabular-nums" data-l="Seconds">
        {formatCount(Math.round(milliseconds / 1000))}
      </td>
      <td {...tableRoles.cell} className="number tabular-nums" data-l="Hours">
        {hoursText(milliseconds)}
      </td>
      <td {...tableRoles.cell} className="whole-width">
        <span className="grid w-full grid-cols-[minmax(0,1fr)_60px] items-center gap-3.5">
          <span className="mini" aria-hidden="true">
            <i style={{ width: `${(100 * milliseconds) / max}%` }} />
          </span>
          <span className="number tabular-nums">{((100 * milliseconds) / all).toFixed(2)}%</span>
        </span>
      </td>
      <td {...tableRoles.cell} className="number tabular-nums" data-l="Amount">
        {amount === null ? '–' : formatMoney(amount, currency)}
      </td>
      <td {...tableRoles.cell} className="number wide-only">
        {change === undefined ? <span className="text-muted">Not heard that month</span> : <Change of={change} />}
      </td>
    </tr>
  );
}
