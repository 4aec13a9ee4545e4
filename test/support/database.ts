import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type Database, openDatabase } from '#db/database.ts';
import { dropDatabase } from './servers/drop-database.ts';
import { databaseTimeZone } from './time-zones.ts';

/** A migrated, empty database for this test file, deleted at its end. */
export async function createTestDatabase(): Promise<Database & { url: string }> {
  const server = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, async (client) => {
    await client.query(`create database ${name} template sotto_template strategy file_copy`);
    await client.query(`alter database ${name} set timezone = '${databaseTimeZone}'`);
  });
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, poolSize: 4 });
  afterAll(async () => {
    await database.close();
    await asAdmin(server, (client) => dropDatabase(client, name));
  });
  return { ...database, url: url.href };
}

async function asAdmin(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
