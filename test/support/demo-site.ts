import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startSite } from '../../bench/site-process.ts';
import { createTestDatabase } from './database.ts';
import { testSecret } from './identity.ts';

/** The built site with the demo catalogue, in a process and a database of its own, until the file's tests end. */
export async function startDemoSite(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-demo-'));
  const { url: databaseUrl, pool } = await createTestDatabase();
  const site = await startSite({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET: testSecret,
    DEMO: 'true',
    TRUST_PROXY: '1',
    ...settings,
  });
  afterAll(async () => {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { ...site, pool };
}
