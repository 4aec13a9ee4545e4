import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { parseConfig } from '#config';
import { lockDataDir } from '#db/embedded-lock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { connectDatabase } from './connect-database.ts';
import { createLog } from './log.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sotto-connect-'));
const name = `connect_${randomBytes(6).toString('hex')}`;
const server = new pg.Client({ connectionString: inject('databaseUrl') });
await server.connect();
afterAll(async () => {
  await server.query(`drop database ${name} with (force)`);
  await server.end();
  rmSync(dataDir, { recursive: true, force: true });
});

async function connect(settings: Record<string, string>): Promise<() => Promise<void>> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one();
  };
  const shutdown = {
    closeAtEnd: (_name: string, one: () => Promise<void>) => void closers.push(one),
    isClosing: false,
    isDraining: false,
    allow: () => {},
    drain: async () => {},
    stop: async () => {},
  };
  const config = parseConfig({ DATA_DIR: dataDir, SECRET: 's'.repeat(32), ...settings });
  try {
    await connectDatabase({ config, log: createLog('silent'), shutdown });
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

test('a role that may not make tables is told who has to own the database', async () => {
  await server.query(`create database ${name} template template0`);
  await server.query(`revoke create on database ${name} from public, current_user`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const closers: (() => Promise<void>)[] = [];
  const connecting = connectDatabase({
    config: parseConfig({ DATABASE_URL: url.href, DATA_DIR: dataDir, SECRET: 'x'.repeat(32) }),
    log: createLog('silent'),
    shutdown: {
      closeAtEnd: (_name, close) => void closers.push(close),
      isClosing: false,
      isDraining: false,
      allow: () => {},
      drain: async () => {},
      stop: async () => {},
    },
  });
  await expect(connecting).rejects.toThrow(/may not make tables .* alter database connect_\w+ owner to \w+;/);
  for (const close of closers.toReversed()) await close();
});
