import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Db } from './db.ts';

/** At once in memory; a page is read, mapped and written within some milliseconds. */
const pageSize = 100;

/** A list of any length that is read when it is written, page by page. */
export class LazyRows<Row = unknown> {
  readonly #read: () => AsyncIterable<Row[]>;

  constructor(read: () => AsyncIterable<Row[]>) {
    this.#read = read;
  }

  pages(): AsyncIterable<Row[]> {
    return this.#read();
  }

  map<Changed>(change: (row: Row) => Changed): LazyRows<Changed> {
    const read = this.#read;
    return new LazyRows(async function* changed() {
      for await (const rows of read()) yield rows.map(change);
    });
  }
}

/** @param query builds one select on the handle that it gets */
export function lazyRows<Row>(db: Db, query: (on: Db) => PromiseLike<Row[]>): LazyRows<Row> {
  return new LazyRows(() => readPages(db, query));
}

/** By a cursor, in a transaction of its own that ends with the last page, or when the reader leaves. */
async function* readPages<Row>(db: Db, query: (on: Db) => PromiseLike<Row[]>): AsyncGenerator<Row[]> {
  const client = await (db as unknown as { $client: pg.Pool }).$client.connect();
  let isDeclared = false;
  /** Drizzle maps the columns of each page, as of any answer. */
  const asked = {
    async query(config: pg.QueryArrayConfig, params: unknown[]) {
      if (!isDeclared) await client.query(`declare pages no scroll cursor for ${config.text}`, params);
      isDeclared = true;
      return client.query({ ...config, text: `fetch ${pageSize} from pages` });
    },
  };
  const on = drizzle(asked as unknown as pg.Client, { casing: 'snake_case' });
  let isComplete = false;
  try {
    await client.query('begin read only');
    for (;;) {
      const rows = await query(on as unknown as Db);
      if (rows.length > 0) yield rows;
      if (rows.length < pageSize) break;
    }
    await client.query('commit');
    isComplete = true;
  } finally {
    // Otherwise the cursor and its transaction end with the connection.
    client.release(!isComplete);
  }
}
