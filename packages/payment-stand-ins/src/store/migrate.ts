import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

const folder = join(import.meta.dirname, 'migrations');
const migrationLock = 7_150_692;

/** Migrates the stand-ins' own schema; processes that start together wait for one another. */
export async function migrateStandIns(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query('create schema if not exists payment_stand_ins');
    await client.query(
      `create table if not exists payment_stand_ins.schema_steps
       (name text primary key, applied_at timestamptz(3) not null default now())`,
    );
    const { rows } = await client.query<{ name: string }>('select name from payment_stand_ins.schema_steps');
    const applied = new Set(rows.map(({ name }) => name));
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()) {
      if (applied.has(name)) continue;
      await client.query(await readFile(join(folder, name), 'utf8'));
      await client.query('insert into payment_stand_ins.schema_steps (name) values ($1)', [name]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
