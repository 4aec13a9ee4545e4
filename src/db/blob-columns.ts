import type pg from 'pg';
import { fileColumns } from '#domain/stored-files.ts';

export type BlobReference = { key: string; bytes: number | undefined; table: string };

/** The columns that this schema has, which may be an older one. */
async function findColumns(client: pg.ClientBase | pg.Pool): Promise<typeof fileColumns> {
  const { rows } = await client.query<{ column: string }>(
    `select table_name || '.' || column_name as column from information_schema.columns where table_schema = 'public'`,
  );
  const existing = new Set(rows.map(({ column }) => column));
  return fileColumns.filter(({ table, key }) => existing.has(`${table}.${key}`));
}

/** A query for the keys that rows name, once each, in the order of their characters. */
export async function namedKeysSql(client: pg.ClientBase): Promise<string> {
  const columns = await findColumns(client);
  const selects = columns.map(
    ({ table, key }) => `select ${key} collate "C" as key from ${table} where ${key} is not null`,
  );
  return selects.length === 0 ? `select '' where false` : `${selects.join(' union ')} order by key`;
}

/** The blobs that rows name, without duplicates. */
export async function readBlobReferences(client: pg.ClientBase | pg.Pool): Promise<BlobReference[]> {
  const references = new Map<string, BlobReference>();
  for (const { table, key, bytes } of await findColumns(client)) {
    const { rows } = await client.query<{ key: string; bytes: string | null }>(
      `select distinct ${key} as key, ${bytes ?? 'null'} as bytes from ${table} where ${key} is not null order by 1`,
    );
    for (const row of rows) {
      if (!references.has(row.key))
        references.set(row.key, { key: row.key, bytes: row.bytes === null ? undefined : Number(row.bytes), table });
    }
  }
  return [...references.values()];
}
