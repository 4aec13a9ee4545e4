import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Count, formatCapped } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from './search-field.tsx';
import { StateChips } from './state-chips.tsx';
import { type Column, Table } from './table.tsx';
import { WorkshopHead } from '../workshop-head.tsx';
import { ListAge } from './list-age.tsx';
import { ListPager } from './list-pager.tsx';

type ListPageProps<Row> = {
  title: string;
  facts?: ReactNode;
  /** Actions beside the title; at most one is primary. */
  actions?: ReactNode;
  /** As `loadList` returns it. */
  list: {
    q?: string;
    state?: string | undefined;
    page: { items: Row[]; nextCursor?: string | undefined };
    /** Without the filters, when they leave none and that is known. */
    all?: Count | undefined;
  };
  search?: { label: string; placeholder: string };
  /** States to choose from, beside all; with their counts where these are not slow. */
  states?: {
    label: string;
    options: readonly (readonly [value: string, label: string, count?: Count | undefined])[];
    all?: Count | undefined;
  };
  /** Other filters of the list, with their values. */
  filters?: { fields: ReactNode; values: readonly unknown[] };
  empty: { title: string; text?: string; children?: ReactNode };
  /** In place of a link to the next page. */
  pager?: ReactNode;
  /** Below the list, and dialogs. */
  children?: ReactNode;
} & (
  | { columns: Column<Row>[]; keyOf(row: Row): string; sort?: string }
  /** In place of a table. */
  | { rows: ReactNode }
);

/**
 * A list of Studio or Admin: search while typing, filters in the address, pages, its age, and what is shown without rows. Works
 * without scripts.
 */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, facts, actions, list, search, states, filters, children } = props;
  const { q = '', state, page } = list;
  const count = page.items.length;
  const shown = plural(count, { one: '# shown', other: '# shown' });
  return (
    <>
      <WorkshopHead title={title} facts={facts}>
        {actions}
      </WorkshopHead>
      {states && (
        <StateChips
          label={states.label}
          value={state}
          options={[
            { value: undefined, label: t`All`, ...states.all },
            ...states.options.map(([value, label, count]) => ({ value, label, ...count })),
          ]}
        />
      )}
      {search && (
        <div className="filter-bar">
          <SearchField {...search} value={q} />
          {filters?.fields}
        </div>
      )}
      {page.items.length === 0 ? (
        <NoRows {...props} />
      ) : 'columns' in props ? (
        <Table caption={title} rows={page.items} columns={props.columns} keyOf={props.keyOf} sort={props.sort} />
      ) : (
        props.rows
      )}
      {props.pager ?? <ListPager shown={shown} nextCursor={page.nextCursor} />}
      {children}
      <ListAge />
    </>
  );
}

function NoRows<Row>({ list: { q, state, all }, filters, empty }: ListPageProps<Row>) {
  const count = [q, state, ...(filters?.values ?? [])].filter(Boolean).length;
  if (all === undefined ? count === 0 : all.count === 0) return <EmptyState {...empty} />;
  const rows = all && formatCapped(all);
  return (
    <div className="pane">
      <p className="font-semibold">
        <Trans>No results found</Trans>
      </p>
      {count > 0 && all !== undefined && (
        <p className="text-14 mt-1 text-muted">
          {plural(count, { one: `${rows} without this filter.`, other: `${rows} without these # filters.` })}
        </p>
      )}
      <Button className="mt-3.5" render={<Link to="?" />}>
        {t`Remove filters`}
      </Button>
    </div>
  );
}
