import type { Overview } from '#domain/admin/site/overview.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { formatShortDate } from '#formats/times.ts';
import { DataTable } from '#web/workshop/lists/data-table.tsx';
import { LineChart } from '#web/workshop/charts/line-chart.tsx';

/** Subscribers at the end of each of twelve weeks. */
export function SubscribersChart({ weeks }: Pick<Overview, 'weeks'>) {
  const values = weeks.map(({ subscribers }) => subscribers);
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <LineChart
      title="Subscribers"
      keys={{ now: '12 weeks' }}
      values={values}
      marks={weeks.filter((_, index) => index % 3 === 0).map(({ day }) => formatShortDate(day))}
      summary={`Subscribers over twelve weeks, from ${formatCount(first?.subscribers ?? 0)} to ${formatCount(last?.subscribers ?? 0)}`}
      describe={(index) => {
        const { day, subscribers } = weeks[index] ?? { day: '', subscribers: 0 };
        return { figure: countOf(subscribers, 'subscriber'), when: day === '' ? '' : formatShortDate(day) };
      }}
    >
      <DataTable
        caption="Subscribers at the end of each week"
        heads={['Day', 'Subscribers']}
        rows={weeks.map(({ day, subscribers }) => [formatShortDate(day), formatCount(subscribers)])}
      />
    </LineChart>
  );
}
