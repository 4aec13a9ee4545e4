import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '#db/database.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { startEmbeddedServer } from '#db/embedded/server.ts';
import type { Figure } from './figures.ts';

export interface OwnDatabase {
  database: Database;
  url: string;
  /** A folder for other measurements; removed with the database. */
  dataDir: string;
}

/** Measures on a PostgreSQL that holds an empty site and nothing else. */
export async function measureOnOwnDatabase(measure: (own: OwnDatabase) => Promise<Figure[]>): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  const server = await startEmbeddedServer({ dataDir, log: { info: () => {}, warn: () => {} } });
  const database = openDatabase({ url: server.url, poolSize: 10 });
  try {
    await migrateDatabase(database);
    return await measure({ database, url: server.url, dataDir });
  } finally {
    await database.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
