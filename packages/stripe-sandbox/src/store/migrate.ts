import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

export type OwnSchema = {
  name: string;
  /** Its steps, as SQL files in the order of their names. */
  folder: string;
  /** Key of the advisory lock. */
  lock: number;
};

/** Migrates a schema of a package's own; processes that start together wait for one another. */
export async function migrateSchema(pool: pg.Pool, { name: schema, folder, lock }: OwnSchema): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    await client.query(`create schema if not exists ${schema}`);
    await client.query(
      `create table if not exists ${schema}.schema_steps
       (name text primary key, applied_at timestamptz(3) not null default now())`,
    );
    const { rows } = await client.query<{ name: string }>(`select name from ${schema}.schema_steps`);
    const applied = new Set(rows.map(({ name }) => name));
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()) {
      if (applied.has(name)) continue;
      await client.query(await readFile(join(folder, name), 'utf8'));
      await client.query(`insert into ${schema}.schema_steps (name) values ($1)`, [name]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
