import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Download from 'lucide-react/icons/download';
import { Link, useLocation } from 'react-router';
import type { LogEntry, LogFilters } from '#domain/admin/site/log.ts';
import type { LogAuthor } from '#domain/admin/rules.ts';
import { logPeriods } from '#domain/admin/rules.ts';
import type { Count } from '#formats/numbers.ts';
import { countOf } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { withParameters } from '../../workshop/lists/list-address.ts';
import { SearchField } from '../../workshop/lists/search-field.tsx';
import { areaName } from './act-words.ts';
import type { FilterToken } from '../filter-menu.tsx';
import { FilterMenu, FilterSelect, FilterText, FilterTokens } from '../filter-menu.tsx';
import { LogEntries } from './log-entries.tsx';
import { NoMatches } from '../no-matches.tsx';

type LogPageProps = {
  filters: Pick<LogFilters, 'area' | 'who' | 'by' | 'voice' | 'days' | 'q'>;
  areas: string[];
  page: { items: LogEntry[]; nextCursor: string | undefined };
  /** Without the filters, when they leave none. */
  all: Count | undefined;
  isFirst: boolean;
  now: Date;
};

function periodName(days: number): string {
  return `last ${days === 1 ? '24 hours' : countOf(days, 'day')}`;
}

const authorTexts: Record<LogAuthor, string> = { people: 'anyone but the command line', operator: 'command line' };

function tokensOf({ who, by, voice, area, days }: LogPageProps['filters']): FilterToken[] {
  return [
    by === undefined ? [] : { name: 'by', label: 'Who', text: authorTexts[by] },
    who === undefined ? [] : { name: 'who', label: 'Username', text: who },
    area === undefined ? [] : { name: 'area', label: 'Area', text: areaName(area) },
    days === undefined ? [] : { name: 'days', label: 'When', text: periodName(days) },
    voice === undefined ? [] : { name: 'voice', label: 'Creator', text: voice },
  ].flat();
}

/** Changes by creators and operators, newest first. */
export function LogPage({ filters, areas, page: { items, nextCursor }, all, isFirst, now }: LogPageProps) {
  const { search } = useLocation();
  const whole = withParameters(search, {});
  return (
    <>
      <div className="page-head">
        <div className="page-head__title">
          <h1>Log</h1>
          <p className="page-head__facts">
            What creators and operators changed, here and on the command line. Entries cannot be changed or deleted.
          </p>
        </div>
        <div className="page-head__acts">
          <Button render={<Link to={`/admin/log.csv${whole === '?' ? '' : whole}`} reloadDocument download />}>
            <Icon of={Download} size={18} />
            CSV
          </Button>
        </div>
      </div>
      <div className="filter-bar">
        <SearchField label="Search the log" placeholder="User, audio, action" value={filters.q ?? ''} />
        <FilterTokens tokens={tokensOf(filters)} />
        <FilterMenu submit="Show entries">
          {filters.voice !== undefined && <input type="hidden" name="voice" value={filters.voice} />}
          <FilterSelect label="Who" name="by" value={filters.by} choices={Object.entries(authorTexts)} />
          <FilterText label="Username" name="who" value={filters.who} maxLength={60} placeholder="The whole name" />
          <FilterSelect
            label="Area"
            name="area"
            value={filters.area}
            choices={areas.map((area) => [area, areaName(area)])}
          />
          <FilterSelect
            label="When"
            name="days"
            value={filters.days?.toString()}
            choices={logPeriods.map((days) => [String(days), periodName(days)])}
          />
        </FilterMenu>
      </div>
      {all !== undefined ? (
        <NoMatches all={all} filters={Object.values(filters)} one="entry" many="entries">
          <div className="pane">
            <p className="font-semibold">No entries yet</p>
            <p className="text-14 mt-1 mb-3.5 text-muted">Every change by a creator or an operator is listed here.</p>
          </div>
        </NoMatches>
      ) : (
        <LogEntries entries={items} now={now} />
      )}
      {(!isFirst || nextCursor !== undefined) && (
        <div className="pager">
          <span className="tabular-nums">{countOf(items.length, 'entry', 'entries')} shown</span>
          <nav aria-label="Pages">
            {!isFirst && (
              <Button render={<Link to={whole} />}>
                <Icon of={ChevronLeft} size={18} />
                Newest
              </Button>
            )}
            {nextCursor !== undefined && (
              <Button render={<Link to={withParameters(search, { after: nextCursor })} />}>
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
