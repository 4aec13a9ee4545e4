import type pg from 'pg';
import { blobColumns } from '#domain/blob-columns.ts';

export type BlobReference = { key: string; bytes: number | undefined; table: string };

/** The blobs that rows name, without duplicates. Skips columns that this schema lacks. */
export async function readBlobReferences(client: pg.ClientBase | pg.Pool): Promise<BlobReference[]> {
  const references = new Map<string, BlobReference>();
  for (const { table, key, bytes } of blobColumns) {
    const { rows: there } = await client.query(
      `select from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = $2`,
      [table, key],
    );
    if (there.length === 0) continue;
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
