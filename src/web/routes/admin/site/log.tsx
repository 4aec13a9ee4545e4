import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import { Link, useLocation } from 'react-router';
import type { z } from 'zod';
import { type LogAuthor, logPeriods } from '#domain/admin/rules.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import {
  type FilterToken,
  FilterMenu,
  FilterSelect,
  FilterText,
  FilterTokens,
} from '#web/workshop/lists/filter-menu.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { areaName } from '#web/admin/site/act-words.tsx';
import { LogEntries } from '#web/admin/site/log-entries.tsx';
import { LogQuery } from '#web/admin/site/log-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { withParameters } from '#web/workshop/lists/list-address.ts';
import type { Route } from './+types/log';

export async function loader(args: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(args.context, 'log');
  const [list, areas] = await Promise.all([
    loadList(args, {
      name: 'log',
      part: 'log',
      filters: LogQuery,
      limit: 30,
      read: ({ admin }, actor, { q, state: _state, ...filters }, page) =>
        admin.site.listLogEntries(actor, { ...filters, q: q === '' ? undefined : q }, page),
    }),
    site.admin.site.listLogAreas(viewer),
  ]);
  return { list, areas, now: new Date() };
}

function periodName(days: number): string {
  return days === 1 ? t`last 24 hours` : plural(days, { one: 'last # day', other: 'last # days' });
}

const authorTexts = (): Record<LogAuthor, string> => ({
  people: t`anyone but the command line`,
  operator: t`command line`,
});

function tokensOf({ who, by, voice, area, days }: z.output<typeof LogQuery>): FilterToken[] {
  return [
    by === undefined ? [] : { name: 'by', label: t`Who`, text: authorTexts()[by] },
    who === undefined ? [] : { name: 'who', label: t`Username`, text: who },
    area === undefined ? [] : { name: 'area', label: t`Area`, text: areaName(area) },
    days === undefined ? [] : { name: 'days', label: t`When`, text: periodName(days) },
    voice === undefined ? [] : { name: 'voice', label: t`Creator`, text: voice },
  ].flat();
}

export default function AdminLog({ loaderData: { list, areas, now } }: Route.ComponentProps) {
  const whole = withParameters(useLocation().search, {});
  const { filters } = list;
  return (
    <ListPage
      title={t`Log`}
      facts={t`What creators and operators changed, here and on the command line. Entries cannot be changed or deleted.`}
      actions={
        <Button render={<Link to={`/admin/log.csv${whole === '?' ? '' : whole}`} reloadDocument download />}>
          <Icon of={Download} size={18} />
          <Trans>CSV</Trans>
        </Button>
      }
      list={list}
      search={{ label: t`Search the log`, placeholder: t`User, audio, action` }}
      filters={{
        values: Object.values(filters),
        fields: (
          <>
            <FilterTokens tokens={tokensOf(filters)} />
            <FilterMenu submit={t`Show entries`}>
              {filters.voice !== undefined && <input type="hidden" name="voice" value={filters.voice} />}
              <FilterSelect label={t`Who`} name="by" value={filters.by} choices={Object.entries(authorTexts())} />
              <FilterText
                label={t`Username`}
                name="who"
                value={filters.who}
                maxLength={60}
                placeholder={t`The whole name`}
              />
              <FilterSelect
                label={t`Area`}
                name="area"
                value={filters.area}
                choices={areas.map((area) => [area, areaName(area)])}
              />
              <FilterSelect
                label={t`When`}
                name="days"
                value={filters.days?.toString()}
                choices={logPeriods.map((days) => [String(days), periodName(days)])}
              />
            </FilterMenu>
          </>
        ),
      }}
      empty={{ title: t`No entries yet`, text: t`Every change by a creator or an operator is listed here.` }}
      rows={<LogEntries entries={list.page.items} now={now} />}
    />
  );
}
