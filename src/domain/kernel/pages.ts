import { type AnyColumn, type SQL, asc, desc, gt, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { DomainError } from './errors.ts';
import { Instant, PlainText } from './forms.ts';

/** One page of a list. `nextCursor` is absent on the last one. */
export type Page<Item> = { items: Item[]; nextCursor: string | undefined };

export type PageQuery = { cursor?: string | undefined; limit: number };

export const defaultPageSize = 24;
export const largestPageSize = 100;

export const Limit = z.coerce.number().int().min(1).max(largestPageSize).default(defaultPageSize);

const CursorContent = z.tuple([z.string().max(40), z.union([z.string().max(400), z.number()]), z.string().max(400)]);

/** Position in a list: the last row's sort value and id. */
export type Cursor = { value: string | number; id: string };

/** Not secret but opaque: clients must not build cursors. */
export function encodeCursor(order: string, cursor: Cursor): string {
  return Buffer.from(JSON.stringify([order, cursor.value, cursor.id])).toString('base64url');
}

/**
 * @param order the order the list is read in now; a cursor of another order is refused
 * @throws DomainError `request/bad-cursor`
 */
export function decodeCursor(
  order: string,
  text: string | undefined,
  value: z.ZodType<string | number>,
): Cursor | undefined {
  if (text === undefined) return undefined;
  const refuse = () => new DomainError('request/bad-cursor');
  if (text.length > 1200) throw refuse();
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw refuse();
  }
  const parsed = CursorContent.safeParse(content);
  if (!parsed.success || parsed.data[0] !== order) throw refuse();
  const checkedValue = value.safeParse(parsed.data[1]);
  const checkedId = z.uuid().safeParse(parsed.data[2]);
  if (!checkedValue.success || !checkedId.success) throw refuse();
  return { value: checkedValue.data, id: checkedId.data };
}

/**
 * SQL condition: rows that follow the cursor in a list ordered by a value and then by id, both in one direction. One
 * comparison of rows, which PostgreSQL uses as the bound of an index; `a < x or (a = x and id < y)` reads all rows before.
 */
export function isBeyond(
  direction: 'asc' | 'desc',
  [value, id]: [value: AnyColumn, id: AnyColumn],
  cursor: { value: string | number | Date; id: string },
): SQL {
  const isAfter = direction === 'desc' ? sql`<` : sql`>`;
  return sql`(${value}, ${id}) ${isAfter} (${sql.param(cursor.value, value)}, ${sql.param(cursor.id, id)})`;
}

/** Cuts the extra row that shows whether there is a next page. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  present: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(present),
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : undefined,
  };
}

/** Selected with each row of a page: where the next one begins. */
type Place = { cursorValue: string | number | Date; cursorId: string };

/**
 * The parts of a select that make it a page of a list, ordered by a column, if there is one, and then by an id. `of`
 * makes the page of its rows.
 * @param order names the list in its cursors
 */
export function pageIn(
  order: string,
  { cursor, limit }: PageQuery,
  { direction, by, id }: { direction: 'asc' | 'desc'; by?: AnyColumn; id: AnyColumn },
) {
  const after = decodeCursor(order, cursor, by === undefined ? z.literal('') : valuesOf(by));
  const value = after && by?.dataType === 'date' ? new Date(after.value) : after?.value;
  const sorted = direction === 'desc' ? desc : asc;
  return {
    columns: { cursorValue: by ?? sql`''`, cursorId: id } as unknown as { [Name in keyof Place]: SQL<Place[Name]> },
    after:
      after === undefined || value === undefined
        ? undefined
        : by === undefined
          ? (direction === 'desc' ? lt : gt)(id, after.id)
          : isBeyond(direction, [by, id], { value, id: after.id }),
    orderBy: by === undefined ? [sorted(id)] : [sorted(by), sorted(id)],
    limit: limit + 1,
    of<Row extends Place>(rows: Row[]): Page<Omit<Row, keyof Place>> {
      return toPage(
        rows,
        limit,
        ({ cursorValue: _value, cursorId: _id, ...row }) => row,
        ({ cursorValue, cursorId }) =>
          encodeCursor(order, {
            value: cursorValue instanceof Date ? cursorValue.toISOString() : cursorValue,
            id: cursorId,
          }),
      );
    },
  };
}

function valuesOf(column: AnyColumn): z.ZodType<string | number> {
  if (column.dataType === 'date') return Instant;
  if (column.dataType === 'number') return column.getSQLType() === 'integer' ? z.int32() : z.int();
  return PlainText;
}
