import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../kernel/db.ts';
import { type Cursor, decodeCursor, encodeCursor } from '../kernel/pages.ts';
import { Instant, PlainText } from '../kernel/forms.ts';
import type { ManagedSort, ManagedState } from './rules.ts';

export type ManagedPageQuery = {
  sort?: ManagedSort | undefined;
  /** Cursors: rows after `after`, or before `before`. */
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
};

/** The audios that a table lists. */
export type ManagedSelection = {
  /** Begins the cursors, which are refused in another table. */
  name: string;
  /** Conditions on `audios a`. */
  filter: { conditions: SQL[]; state: SQL };
  /** A select of the few ids to sort; without it, the index of the order is walked. */
  source?: SQL | undefined;
  /** The creator that the filter names, whose plays have an index. */
  voiceId?: string | undefined;
};

const isUnseen = sql`a.review_state is null and a.published_at is null and a.published_while_hidden is null and a.deleted_at is null`;

/** Conditions on `audios a` that exclude each other and have one index each; joined by `or` they are counted slowly. */
export const stateParts: Record<ManagedState, SQL[]> = {
  published: [sql`(a.published_at <= now())`, sql`(a.published_while_hidden <= now() and a.deleted_at is null)`],
  'in-review': [sql`(a.review_state = 'waiting')`],
  returned: [sql`(a.review_state = 'returned')`],
  scheduled: [sql`(a.published_at > now())`, sql`(a.published_while_hidden > now() and a.deleted_at is null)`],
  draft: [sql`(${isUnseen} and a.first_published_at is null)`],
  unpublished: [sql`(${isUnseen} and a.first_published_at is not null)`],
  deleted: [sql`(a.deleted_at is not null)`],
};

export const stateConditions = Object.fromEntries(
  Object.entries(stateParts).map(([state, parts]) => [state, sql`(${sql.join(parts, sql` or `)})`]),
) as Record<ManagedState, SQL>;

/**
 * A filter that matches at most this many audios is read completely and sorted. Other filters walk the index of the
 * order, which soon finds a page. Both are fast in a catalogue of any size.
 */
export const fewAudios = 2000;

const whole = z.number().int().min(0);

/** Each order ends with the id, so that it is total. */
const orders = {
  changed: { type: sql`timestamptz`, isDescending: true, value: Instant },
  plays: { type: sql`bigint`, isDescending: true, value: whole.max(Number.MAX_SAFE_INTEGER) },
  title: { type: sql`text`, isDescending: false, value: PlainText },
  longest: { type: sql`integer`, isDescending: true, value: whole.max(2_147_483_647) },
} as const;

type Row = { id: string; value: string };

/**
 * Ids of one page of the Studio's or Admin's table, in any order and either direction.
 * @throws DomainError `request/bad-cursor`
 */
export async function readManagedPage(
  db: Db,
  selection: ManagedSelection,
  { sort = 'changed', after, before, limit }: ManagedPageQuery,
): Promise<{ ids: string[]; newerCursor: string | undefined; olderCursor: string | undefined }> {
  const name = `${selection.name}-${sort}`;
  const cursor = decodeCursor(name, before ?? after, orders[sort].value);
  const isBackward = before !== undefined;
  const { rows } = await db.execute<Row>(selectPage(selection, { sort, cursor, isBackward, limit: limit + 1 }));
  const hasMore = rows.length > limit;
  const shown = isBackward ? rows.slice(0, limit).toReversed() : rows.slice(0, limit);
  const cursorOf = (row: Row | undefined) =>
    row &&
    encodeCursor(name, { value: sort === 'changed' || sort === 'title' ? row.value : Number(row.value), id: row.id });
  return {
    ids: shown.map(({ id }) => id),
    newerCursor: (isBackward ? hasMore : cursor !== undefined) ? cursorOf(shown[0]) : undefined,
    olderCursor: isBackward || hasMore ? cursorOf(shown.at(-1)) : undefined,
  };
}

type PageOrder = { sort: ManagedSort; cursor: Cursor | undefined; isBackward: boolean; limit: number };

function selectPage({ filter: { conditions, state }, source, voiceId }: ManagedSelection, order: PageOrder): SQL {
  const { sort, cursor, isBackward, limit } = order;
  const { type, isDescending } = orders[sort];
  const isDown = isDescending !== isBackward;
  const direction = isDown ? sql`desc` : sql`asc`;
  const where = sql.join([state, ...conditions], sql` and `);
  /** Rows beyond the cursor, as a row comparison, which an index supports. */
  const page = (value: SQL, id: SQL) => sql`
    ${cursor && sql`and (${value}, ${id}) ${isDown ? sql`<` : sql`>`} (${cursor.value}::${type}, ${cursor.id}::uuid)`}
    order by ${value} ${direction}, ${id} ${direction} limit ${limit}`;
  const withText = (
    rows: SQL,
  ) => sql`select id, ${sort === 'changed' ? sql`to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`value::text`} as value
    from (${rows}) page order by page.value ${direction}, page.id ${direction}`;
  if (source !== undefined) {
    const values = {
      changed: sql`greatest(a.updated_at, e.updated_at)`,
      plays: sql`c.plays`,
      title: sql`a.sort_title`,
      longest: sql`a.duration_ms`,
    };
    const joins = {
      changed: sql`left join audio_drafts e on e.audio_id = a.id`,
      plays: sql`join audio_counts c on c.audio_id = a.id`,
      title: sql``,
      longest: sql``,
    };
    return withText(sql`
      with few as materialized (select distinct one.id from (${source}) one)
      select a.id, ${values[sort]} as value from few join audios a on a.id = few.id
        ${joins[sort]}
      where ${where} ${page(values[sort], sql`a.id`)}`);
  }
  if (sort === 'plays')
    return withText(sql`
      select a.id, c.plays as value from audio_counts c join audios a on a.id = c.audio_id
      where ${where} ${voiceId && sql`and c.voice_id = ${voiceId}`} ${page(sql`c.plays`, sql`c.audio_id`)}`);
  if (sort === 'changed')
    // Merges two indexes: audios by their own change, and by newer draft edits.
    return withText(sql`
      select id, value from (
        (select a.id, a.updated_at as value from audios a
          where ${where} and not exists (
            select from audio_drafts e where e.audio_id = a.id and e.updated_at > a.updated_at)
          ${page(sql`a.updated_at`, sql`a.id`)})
        union all
        (select a.id, e.updated_at as value from audio_drafts e join audios a on a.id = e.audio_id
          where ${where} and e.updated_at > a.updated_at ${page(sql`e.updated_at`, sql`e.audio_id`)})
      ) both_orders order by value ${direction}, id ${direction} limit ${limit}`);
  const value = sort === 'title' ? sql`a.sort_title` : sql`a.duration_ms`;
  return withText(sql`select a.id, ${value} as value from audios a where ${where} ${page(value, sql`a.id`)}`);
}
