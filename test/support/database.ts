import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type Database, openDatabase } from '#db/database.ts';
import { databaseTimeZone } from './time-zones.ts';

/** A migrated, empty database for this test file, deleted at its end. */
export async function createTestDatabase(): Promise<Database & { url: string }> {
  const server = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, `create database ${name} template sotto_template strategy file_copy`);
  await asAdmin(server, `alter database ${name} set timezone = '${databaseTimeZone}'`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, poolSize: 4 });
  afterAll(async () => {
    await database.close();
    await dropDatabase(server, name);
  });
  return { ...database, url: url.href };
}

/** Retries, because PostgreSQL's own vacuum belongs to the superuser and cannot be ended here, but soon finishes. */
async function dropDatabase(server: string, name: string, tries = 20): Promise<void> {
  try {
    await asAdmin(server, `drop database ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501' || tries === 1) throw error;
    await setTimeout(250);
    await dropDatabase(server, name, tries - 1);
  }
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
