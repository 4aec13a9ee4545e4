import type pg from 'pg';
import { missing } from '../http/failure.ts';
import { dueAt } from '../clocks/due.ts';
import type { Document, DocumentOf, HiddenOf, Kind } from './documents.ts';

export type Row<K extends Kind> = {
  position: string;
  deleted: boolean;
  document: DocumentOf<K>;
  hidden: HiddenOf<K>;
};

export type Paging = { limit: number; startingAfter?: string; endingBefore?: string };

export type Condition =
  | { path: string; is: string | boolean }
  | { path: string; among: string[] }
  | { path: string; atLeast?: number; above?: number; atMost?: number; below?: number }
  | { path: string; isUpper: string };

export type Page<K extends Kind> = { documents: DocumentOf<K>[]; hasMore: boolean };

/** Access to the stored objects, optionally inside a transaction. */
export type Store = {
  find<K extends Kind>(kind: K, id: string): Promise<Row<K> | undefined>;
  /** @throws Failure 404 for an unknown id, with the name of its parameter */
  row<K extends Kind>(kind: K, id: string, parameter?: string): Promise<Row<K>>;
  get<K extends Kind>(kind: K, id: string, parameter?: string): Promise<DocumentOf<K>>;
  insert<K extends Kind>(document: DocumentOf<K>, hidden?: HiddenOf<K>): Promise<void>;
  /** @param hidden unchanged if undefined */
  save<K extends Kind>(document: DocumentOf<K>, hidden?: HiddenOf<K>): Promise<void>;
  /** @param remains returned for the id from now on; not found if undefined */
  remove(kind: Kind, id: string, remains?: { id: string; object: string; deleted: true }): Promise<void>;
  /** Newest first. */
  page<K extends Kind>(kind: K, where: Condition[], paging: Paging): Promise<Page<K>>;
  /** Oldest first, at most 1,000. */
  all<K extends Kind>(kind: K, where: Condition[]): Promise<DocumentOf<K>[]>;
  client: pg.Pool | pg.PoolClient;
  /** Clears the read cache after a partial rollback. */
  forget(): void;
};

const columns = 'position, deleted, document, hidden';

/** @param isAlone no concurrent writes, so reads are cached */
export function openStore(client: pg.Pool | pg.PoolClient, { isAlone }: { isAlone: boolean }): Store {
  const known = new Map<string, unknown>();

  async function find<K extends Kind>(kind: K, id: string): Promise<Row<K> | undefined> {
    const key = `${kind} ${id}`;
    const before = known.get(key) as Row<K> | undefined;
    if (before !== undefined) return before;
    const { rows } = await client.query<Row<K>>({
      name: 'sandbox-find',
      text: `select ${columns} from stripe_sandbox.objects where kind = $1 and id = $2`,
      values: [kind, id],
    });
    if (rows[0] !== undefined && isAlone) known.set(key, rows[0]);
    return rows[0];
  }

  async function row<K extends Kind>(kind: K, id: string, parameter = 'id'): Promise<Row<K>> {
    const found = await find(kind, id);
    if (found === undefined || found.deleted) throw missing(kind, id, parameter);
    return found;
  }

  async function select<K extends Kind>(kind: K, where: Condition[], order: string, limit: number, extra?: Condition) {
    const values: unknown[] = [];
    const tests = [...where, ...(extra === undefined ? [] : [extra])].map((condition) => sql(condition, values));
    const { rows } = await client.query<Row<K>>(
      `select ${columns} from stripe_sandbox.objects
       where kind = '${kind}' and not deleted ${tests.map((test) => `and ${test}`).join(' ')}
       order by position ${order} limit ${limit}`,
      values,
    );
    return rows;
  }

  return {
    client,
    forget: () => known.clear(),
    find,
    row,
    get: async (kind, id, parameter) => (await row(kind, id, parameter)).document,
    async insert(document, hidden) {
      await client.query({
        name: 'sandbox-insert',
        text: `insert into stripe_sandbox.objects (id, kind, clock, created, due_at, document, hidden)
               values ($1, $2, $3, $4, $5, $6, $7)`,
        values: [
          document.id,
          document.object,
          clockOf(document),
          'created' in document ? document.created : 'date' in document ? document.date : 0,
          dueAt(document, hidden ?? {}),
          JSON.stringify(document),
          JSON.stringify(hidden ?? {}),
        ],
      });
    },
    async save<K extends Kind>(document: DocumentOf<K>, hidden?: HiddenOf<K>) {
      const before = await row(document.object as K, document.id);
      const kept = hidden ?? before.hidden;
      if (isAlone) known.set(`${document.object} ${document.id}`, { ...before, document, hidden: kept });
      await client.query({
        name: 'sandbox-save',
        text: 'update stripe_sandbox.objects set document = $3, hidden = $4, due_at = $5 where kind = $1 and id = $2',
        values: [document.object, document.id, JSON.stringify(document), JSON.stringify(kept), dueAt(document, kept)],
      });
    },
    async remove(kind, id, remains) {
      known.delete(`${kind} ${id}`);
      await client.query(
        `update stripe_sandbox.objects set deleted = true, due_at = null, document = coalesce($3, document)
         where kind = $1 and id = $2`,
        [kind, id, remains === undefined ? null : JSON.stringify(remains)],
      );
    },
    async page(kind, where, { limit, startingAfter, endingBefore }) {
      const cursor = startingAfter ?? endingBefore;
      const position =
        cursor === undefined
          ? undefined
          : (await row(kind, cursor, startingAfter === undefined ? 'ending_before' : 'starting_after')).position;
      const forward = endingBefore === undefined || startingAfter !== undefined;
      const beyond: Condition | undefined =
        position === undefined ? undefined : { path: 'position', [forward ? 'below' : 'above']: Number(position) };
      const rows = await select(kind, where, forward ? 'desc' : 'asc', limit + 1, beyond);
      const documents = rows.slice(0, limit).map(({ document }) => document);
      return { documents: forward ? documents : documents.toReversed(), hasMore: rows.length > limit };
    },
    all: async (kind, where) => (await select(kind, where, 'asc', 1000)).map(({ document }) => document),
  };
}

function clockOf(document: Document): string | null {
  if (!('test_clock' in document)) return null;
  const clock = document.test_clock;
  return typeof clock === 'string' ? clock : (clock?.id ?? null);
}

/** Kinds, paths and operators are constants of this code; callers' input is passed as values. */
function sql(condition: Condition, values: unknown[]): string {
  const { path } = condition;
  const text = `document #>> '{${path.replaceAll('.', ',')}}'`;
  if ('is' in condition) return `${text} = $${values.push(String(condition.is))}`;
  if ('isUpper' in condition) return `upper(${text}) = $${values.push(condition.isUpper.toUpperCase())}`;
  if ('among' in condition) return `${text} = any($${values.push(condition.among)})`;
  const number = path === 'position' || path === 'created' ? path : `(${text})::bigint`;
  const bounds: [string, number | undefined][] = [
    ['>=', condition.atLeast],
    ['>', condition.above],
    ['<=', condition.atMost],
    ['<', condition.below],
  ];
  const tests = bounds.flatMap(([operator, bound]) =>
    bound === undefined ? [] : [`${number} ${operator} $${values.push(bound)}`],
  );
  return tests.length === 0 ? 'true' : tests.join(' and ');
}
