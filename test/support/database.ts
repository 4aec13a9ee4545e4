import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import type { Database } from '#db/database.ts';
import { openDatabase } from '#db/database.ts';

/** A migrated, empty database for this test file, gone when it ends. */
export async function createTestDatabase(): Promise<Database & { url: string }> {
  const server = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, `create database ${name} template sotto_template`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, poolSize: 4 });
  afterAll(async () => {
    await database.close();
    await asAdmin(server, `drop database ${name} with (force)`);
  });
  return { ...database, url: url.href };
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
