import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Download from 'lucide-react/icons/download';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { href, Link } from 'react-router';
import type { LogEntry, LogFilters } from '#domain/admin/log.ts';
import { logPeriods } from '#domain/admin/rules.ts';
import { countOf } from '#domain/kernel/rules.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AddressForm } from '../workshop/address-form.tsx';
import { areaName } from './act-words.ts';
import { LogEntries } from './log-entries.tsx';

type LogPageProps = {
  filters: Pick<LogFilters, 'area' | 'who' | 'voice' | 'days'>;
  areas: string[];
  page: { items: LogEntry[]; nextCursor: string | undefined };
  isFirst: boolean;
  now: Date;
};

const periodName = (days: number) => {
  if (days === 1) return 'Last 24 hours';
  return `Last ${countOf(days, 'day')}`;
};

/** Changes by creators and operators, newest first. */
export function LogPage({ filters, areas, page: { items, nextCursor }, isFirst, now }: LogPageProps) {
  const search = (change: Record<string, string | undefined>) => {
    const of = { ...filters, ...change };
    const text = new URLSearchParams(
      Object.entries(of).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    );
    return text.size === 0 ? '' : `?${text}`;
  };
  const tokens: [string, string, string][] = [
    ...(filters.who === undefined
      ? []
      : [['who', 'Who', filters.who === 'operator' ? 'Command line' : filters.who] as [string, string, string]]),
    ...(filters.voice === undefined ? [] : [['voice', 'Creator', filters.voice] as [string, string, string]]),
  ];
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <div className="ph">
        <div className="ph__t">
          <h1>Log</h1>
          <p className="ph__s">
            What creators and operators changed, here and on the command line. Entries cannot be changed or deleted.
          </p>
        </div>
        <div className="ph__a">
          <Button render={<Link to={`/admin/log.csv${search({})}`} reloadDocument download />}>
            <Icon of={Download} size={18} />
            CSV
          </Button>
        </div>
      </div>
      <search aria-label="Log">
        <AddressForm
          className="fbar"
          action={href('/admin/log')}
          onChange={(event) => event.currentTarget.requestSubmit()}
        >
          <WhoField who={filters.who} />
          <select
            className="in in--d w-auto"
            name="area"
            aria-label="Area"
            defaultValue={filters.area ?? ''}
            key={`a ${filters.area}`}
          >
            <option value="">All areas</option>
            {areas.map((area) => (
              <option key={area} value={area}>
                {areaName(area)}
              </option>
            ))}
          </select>
          <select
            className="in in--d w-auto"
            name="days"
            aria-label="Period"
            defaultValue={filters.days ?? ''}
            key={`d ${filters.days}`}
          >
            <option value="">Any time</option>
            {logPeriods.map((days) => (
              <option key={days} value={days}>
                {periodName(days)}
              </option>
            ))}
          </select>
          {filters.voice !== undefined && <input type="hidden" name="voice" value={filters.voice} />}
          {tokens.map(([key, label, value]) => (
            <span key={key} className="ftok">
              <span>{label}:</span> {value}
              <Link
                to={`${href('/admin/log')}${search({ [key]: undefined })}`}
                aria-label={`Remove the filter ${label}`}
              >
                <Icon of={X} size={16} />
              </Link>
            </span>
          ))}
        </AddressForm>
      </search>
      {items.length === 0 ? (
        <div className="pn">
          <p className="b6">{isFiltered ? 'No entries found' : 'No entries yet'}</p>
          <p className="t14 mt-1 mb-3.5 text-muted">
            {isFiltered
              ? 'Nothing was changed under these filters.'
              : 'Each change by a creator or an operator is written here.'}
          </p>
          {isFiltered && <Button render={<Link to={href('/admin/log')} />}>Remove filters</Button>}
        </div>
      ) : (
        <LogEntries entries={items} now={now} />
      )}
      {(!isFirst || nextCursor !== undefined) && (
        <div className="pager">
          <span className="tabular-nums">{countOf(items.length, 'entry', 'entries')} shown</span>
          <nav aria-label="Pages">
            {!isFirst && (
              <Button render={<Link to={`${href('/admin/log')}${search({})}`} />}>
                <Icon of={ChevronLeft} size={18} />
                Newest
              </Button>
            )}
            {nextCursor !== undefined && (
              <Button render={<Link to={`${href('/admin/log')}${search({ cursor: nextCursor })}`} />}>
                Older
                <Icon of={ChevronRight} size={18} />
              </Button>
            )}
          </nav>
        </div>
      )}
    </>
  );
}

/** Sent by Enter: a part of a name finds nobody. */
function WhoField({ who }: { who: string | undefined }) {
  return (
    <div className="fbar__s" onChange={(event) => event.stopPropagation()}>
      <Icon of={Search} size={18} />
      <input
        key={who}
        className="in"
        name="who"
        aria-label="Username, or operator for the command line"
        placeholder="Username, or operator"
        defaultValue={who}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
      />
    </div>
  );
}
