import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { SortOption } from './sorting.tsx';
import { SortHead } from './sorting.tsx';
import { tableRoles } from './table-roles.ts';

export type Column<Row> = {
  head: string;
  /**
   * `name` names the row, and is the first line of its card on a phone; `number` is aligned at the end; `actions` has a
   * heading for screen readers only. Default: a text.
   */
  kind?: 'name' | 'number' | 'actions';
  /** On cards, the value stands without its heading. */
  isBare?: boolean;
  /** On cards, the value takes the whole width. */
  isWide?: boolean;
  sort?: SortOption<string>;
  className?: string;
  cell(row: Row): ReactNode;
};

type TableProps<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string;
  /** Value of the column by which the rows are sorted. */
  sort?: string;
};

/** A table whose rows become cards on a phone. */
export function Table<Row>({ caption, columns, rows, keyOf, sort = '' }: TableProps<Row>) {
  return (
    <table className="data-table data-table--cards" {...tableRoles.table}>
      <caption className="sr-only">{caption}</caption>
      <thead {...tableRoles.group}>
        <tr {...tableRoles.row}>
          {columns.map((column) =>
            column.sort === undefined ? (
              <th key={column.head} {...tableRoles.head} className={endClass(column)}>
                {column.kind === 'actions' ? <span className="sr-only">{column.head}</span> : column.head}
              </th>
            ) : (
              <SortHead key={column.head} option={column.sort} current={sort} className={endClass(column)}>
                {column.head}
              </SortHead>
            ),
          )}
        </tr>
      </thead>
      <tbody {...tableRoles.group}>
        {rows.map((row) => (
          <tr key={keyOf(row)} {...tableRoles.row}>
            {columns.map((column) => (
              <td
                key={column.head}
                {...tableRoles.cell}
                className={classNames(
                  column.kind === 'name' && 'main',
                  endClass(column),
                  column.isWide && 'whole-width',
                  column.kind !== 'name' && 'tabular-nums',
                  column.className,
                )}
                data-l={column.kind === 'name' || column.kind === 'actions' || column.isBare ? undefined : column.head}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function endClass({ kind }: { kind?: 'name' | 'number' | 'actions' }): string | undefined {
  return kind === 'number' ? 'number' : kind === 'actions' ? 'narrowest' : undefined;
}

type RowNameProps = {
  /** Picture in front of it. */
  picture?: ReactNode;
  /** Page of the row. */
  to?: string | null;
  name: ReactNode;
  note?: ReactNode;
  /** More lines below. */
  children?: ReactNode;
};

/** Name of a row, with notes below it. */
export function RowName({ picture, to, name, note, children }: RowNameProps) {
  return (
    <div className="cell">
      {picture}
      <div className="min-w-0">
        {to ? (
          <Link className="wrap-anywhere" to={to}>
            {name}
          </Link>
        ) : (
          <b className="wrap-anywhere">{name}</b>
        )}
        {note !== undefined && <small className="block">{note}</small>}
        {children}
      </div>
    </div>
  );
}

type RowActionsProps = {
  /** Name of the row, for screen readers. */
  of: string;
  actions: (readonly [label: string, act: () => void])[];
};

/** Buttons at the end of a row. */
export function RowActions({ of, actions }: RowActionsProps) {
  return (
    <span className="flex flex-wrap justify-end gap-1 md:flex-nowrap">
      {actions.map(([label, act]) => (
        <Button key={label} variant="ghost" size="sm" aria-label={`${label} ${of}`} onClick={act}>
          {label}
        </Button>
      ))}
    </span>
  );
}
