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

const offered = [
  [7, '7 days'],
  [28, '28 days'],
  [90, '90 days'],
  [365, '12 months'],
] as const;

/** Links to the offered periods, and a form for other dates. */
export function PeriodLinks({ period, audio }: PeriodLinksProps) {
  const to = (query: Record<string, string>) => `?${new URLSearchParams({ ...query, ...(audio && { audio }) })}`;
  return (
    <nav className="segments" aria-label="Period">
      {offered.map(([days, label]) => (
        <Link
          key={days}
          to={to({ days: String(days) })}
          aria-current={period.offered === days || undefined}
          preventScrollReset
        >
          {label}
        </Link>
      ))}
      <Link
        to={to({ from: period.from, to: period.to })}
        aria-current={period.offered === undefined || undefined}
        preventScrollReset
      >
        <Icon of={Calendar} size={16} />
        Choose
      </Link>
    </nav>
  );
}

/** A form for chosen dates; works without script. */
export function PeriodForm({ period, audio }: PeriodLinksProps) {
  return (
    <QueryForm className="pick mb-5" label="Chosen days">
      <label>
        From
        <input className="input input--dense" type="date" name="from" defaultValue={period.from} required />
      </label>
      <label>
        To (days in UTC)
        <input className="input input--dense" type="date" name="to" defaultValue={period.to} required />
      </label>
      {audio !== undefined && <input type="hidden" name="audio" value={audio} />}
      <Button type="submit">Show</Button>
    </QueryForm>
  );
}
