import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#db/database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { startEmbeddedServer } from '#db/embedded/server.ts';

/** One real PostgreSQL for the whole run; each test file gets its own database, copied from a migrated one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-test-'));
  const server = await startEmbeddedServer({ dataDir, log: { info: () => {}, warn: () => {} }, isDurable: false });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('create database sotto_template');
  await admin.end();
  const templateUrl = new URL(server.url);
  templateUrl.pathname = '/sotto_template';
  const template = openDatabase({ url: templateUrl.href, poolSize: 1 });
  await migrateDatabase(template);
  await template.close();
  project.provide('databaseUrl', server.url);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL that may create databases, holding `sotto_template`. */
    databaseUrl: string;
  }
}
