import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Calendar from 'lucide-react/icons/calendar';
import { Link } from 'react-router';
import type { Period } from '#domain/studio/figures/figure-periods.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { QueryForm } from '../../workshop/lists/query-form.tsx';

type PeriodLinksProps = {
  period: Period;
  /** Slug of the current audio, kept in each link. */
  audio: string | undefined;
};

const daysText = (days: number) => plural({ count: days }, { one: '# day', other: '# days' });
const offered = [
  [7, daysText],
  [28, daysText],
  [90, daysText],
  [365, () => t`12 months`],
] as const;

/** Links to the offered periods, and a form for other dates. */
export function PeriodLinks({ period, audio }: PeriodLinksProps) {
  const to = (query: Record<string, string>) => `?${new URLSearchParams({ ...query, ...(audio && { audio }) })}`;
  return (
    <nav className="segments" aria-label={t`Period`}>
      {offered.map(([days, label]) => (
        <Link
          key={days}
          to={to({ days: String(days) })}
          aria-current={period.offered === days || undefined}
          preventScrollReset
        >
          {label(days)}
        </Link>
      ))}
      <Link
        to={to({ from: period.from, to: period.to })}
        aria-current={period.offered === undefined || undefined}
        preventScrollReset
      >
        <Icon of={Calendar} size={16} />
        <Trans>Choose</Trans>
      </Link>
    </nav>
  );
}

/** A form for chosen dates; works without script. */
export function PeriodForm({ period, audio }: PeriodLinksProps) {
  return (
    <QueryForm className="pick mb-5" label={t`Chosen days`}>
      <label>
        <Trans context="date">From</Trans>
        <input className="input input--dense" type="date" name="from" defaultValue={period.from} required />
      </label>
      <label>
        <Trans>To (days in UTC)</Trans>
        <input className="input input--dense" type="date" name="to" defaultValue={period.to} required />
      </label>
      {audio !== undefined && <input type="hidden" name="audio" value={audio} />}
      <Button type="submit">{t`Show`}</Button>
    </QueryForm>
  );
}
