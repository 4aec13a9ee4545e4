import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type SortOption, SortHead } from './sorting.tsx';

/** Browsers drop the roles where CSS turns rows into cards; explicit roles stay. */
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader', scope: 'col' },
  cell: { role: 'cell' },
} as const;

export type Column<Row> = {
  head: string;
  /** In place of `head`, above the column. */
  heading?: ReactNode;
  /** Heading on cards; default: `head`. */
  cardHead?: string;
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
  className?: string | undefined;
  headClass?: string;
  cell(row: Row): ReactNode;
  /** In the last row, which is set apart; in it a column without one is empty. */
  foot?: ReactNode;
  footClass?: string;
};

type TableProps<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string;
  isSelected?(row: Row): boolean;
  /** Value of the column by which the rows are sorted. */
  sort?: string;
  /** Default: the rows become cards on a phone. */
  look?: string;
};

/** A table with a row for each item. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, isSelected, sort = '', look = 'data-table--cards' } = props;
  return (
    <table className={`data-table ${look}`} {...roles.table}>
      <caption className="sr-only">{caption}</caption>
      <thead {...roles.group}>
        <tr {...roles.row}>
          {columns.map((column) =>
            column.sort === undefined ? (
              <th key={column.head} {...roles.head} className={classNames(endClass(column), column.headClass)}>
                {column.heading ??
                  (column.kind === 'actions' ? <span className="sr-only">{column.head}</span> : column.head)}
              </th>
            ) : (
              <SortHead key={column.head} option={column.sort} current={sort} className={endClass(column)}>
                {column.head}
              </SortHead>
            ),
          )}
        </tr>
      </thead>
      <tbody {...roles.group}>
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            {...roles.row}
            {...(isSelected?.(row) && { 'data-selected': '', 'aria-selected': true })}
          >
            {columns.map((column) => (
              <Cell key={column.head} column={column}>
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
      {columns.some(({ foot }) => foot !== undefined) && (
        <tfoot {...roles.group}>
          <tr {...roles.row}>
            {columns.map((column) => (
              <Cell key={column.head} column={{ ...column, className: column.footClass ?? column.className }}>
                {column.foot}
              </Cell>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

type CellProps<Row> = { column: Column<Row>; children: ReactNode };

function Cell<Row>({ column, children }: CellProps<Row>) {
  const { head, cardHead = head, kind, isBare, isWide, className } = column;
  return (
    <td
      {...roles.cell}
      className={classNames(
        kind === 'name' && 'main',
        endClass(column),
        isWide && 'whole-width',
        kind !== 'name' && 'tabular-nums',
        className,
      )}
      data-l={kind === 'name' || kind === 'actions' || isBare ? undefined : cardHead}
    >
      {children}
    </td>
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
