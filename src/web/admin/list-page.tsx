import type { ReactNode } from 'react';
import type { Count } from '#formats/numbers.ts';
import { countOf } from '#formats/numbers.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { SearchField } from '../workshop/lists/search-field.tsx';
import type { Column } from '../workshop/lists/table.tsx';
import { Table } from '../workshop/lists/table.tsx';
import { AdminHead } from './admin-head.tsx';
import { FilterChips } from './filter-chips.tsx';
import { ListPager } from './list-pager.tsx';
import { NoMatches } from './no-matches.tsx';

type ListPageProps<Row> = {
  title: string;
  facts?: ReactNode;
  /** Actions beside the title; at most one is primary. */
  actions?: ReactNode;
  /** As `loadList` returns it. */
  list: {
    q: string;
    state: string | undefined;
    page: { items: Row[]; nextCursor: string | undefined };
    /** Without the filters, when they leave none. */
    all: Count | undefined;
  };
  one: string;
  many?: string;
  search: { label: string; placeholder: string };
  /** States to choose from, beside all. */
  states?: { label: string; options: readonly (readonly [value: string, label: string])[] };
  /** Other filters of the list, with their values. */
  filters?: { fields: ReactNode; values: readonly unknown[] };
  empty: { title: string; text?: string };
  columns: Column<Row>[];
  keyOf(row: Row): string;
  sort?: string;
  /** Below the list, and dialogs. */
  children?: ReactNode;
};

/** A list of Admin: search while typing, filters in the address, pages by cursor. Works without scripts. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, facts, actions, list, one, many, search, states, filters, empty, children } = props;
  const { q, state, page, all } = list;
  return (
    <>
      <AdminHead title={title} facts={facts}>
        {actions}
      </AdminHead>
      {states && (
        <FilterChips
          label={states.label}
          value={state}
          options={[{ value: undefined, label: 'All' }, ...states.options.map(([value, label]) => ({ value, label }))]}
        />
      )}
      <div className="filter-bar">
        <SearchField {...search} value={q} />
        {filters?.fields}
      </div>
      {all === undefined ? (
        <Table caption={title} rows={page.items} columns={props.columns} keyOf={props.keyOf} sort={props.sort} />
      ) : (
        <NoMatches all={all} filters={[q, state, ...(filters?.values ?? [])]} one={one} many={many}>
          <EmptyState {...empty} />
        </NoMatches>
      )}
      <ListPager shown={`${countOf(page.items.length, one, many)} shown`} nextCursor={page.nextCursor} />
      {children}
    </>
  );
}
