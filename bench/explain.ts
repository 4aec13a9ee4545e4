import { openDatabase } from '#db/database.ts';
import type { Db } from '#domain/kernel/db.ts';

type Statement = { text: string; values: unknown[] | undefined };

/** `EXPLAIN (ANALYZE, BUFFERS)` of the queries of a read, with their parameters. */
export async function explain(url: string, read: (db: Db) => Promise<unknown>): Promise<string[]> {
  const { db, pool, close } = openDatabase({ url, poolSize: 1 });
  const statements: Statement[] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parts: unknown[]) => unknown;
    client.query = ((...parts: [Statement | string, unknown[]?]) => {
      const [asked, values] = parts;
      if (typeof asked === 'object' && /^\s*(?:select|with|\()/i.test(asked.text))
        statements.push({ text: asked.text, values: Array.isArray(values) ? values : asked.values });
      return query(...parts);
    }) as typeof client.query;
  });
  try {
    await read(db);
    const plans: string[] = [];
    for (const { text, values } of statements) {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, values);
      plans.push([text, ...rows.map((row) => row['QUERY PLAN'])].join('\n'));
    }
    return plans;
  } finally {
    await close();
  }
}
