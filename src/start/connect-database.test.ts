import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { parseConfig } from '#config';
import { lockDataDir } from '#db/embedded/lock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { dropDatabase } from '#test/support/servers/drop-database.ts';
import { connectDatabase } from './connect-database.ts';
import { createLog } from './log.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sotto-connect-'));
const name = `connect_${randomBytes(6).toString('hex')}`;
const server = new pg.Client({ connectionString: inject('databaseUrl') });
await server.connect();
afterAll(async () => {
  await dropDatabase(server, name);
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
    reason: undefined,
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

test('a role without the right to create tables gets an error that names the required owner', async () => {
  await server.query(`create database ${name} template template0`);
  await server.query(`revoke create on database ${name} from public, current_user`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  await expect(connect({ DATABASE_URL: url.href })).rejects.toThrow(
    /may not make tables .* alter database connect_\w+ owner to \w+;/,
  );
});

test('a folder of another site is refused before an empty database gets its tables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-connect-other-'));
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ siteId: 'another', database: 'elsewhere/sotto' }));
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}_empty`;
  await server.query(`create database ${name}_empty template template0`);
  await expect(connect({ DATABASE_URL: url.href, DATA_DIR: folder })).rejects.toThrow('belongs to the site with');
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(
    `select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')`,
  );
  await client.end();
  await dropDatabase(server, `${name}_empty`);
  expect([rows, readdirSync(folder)]).toEqual([[], ['site.json']]);
  rmSync(folder, { recursive: true });
});

test('a site with DATABASE_URL holds its data folder, and is not started without it', async () => {
  const { url } = await createTestDatabase();
  const close = await connect({ DATABASE_URL: url });
  await expect(lockDataDir(dataDir)).rejects.toThrow('is already using');
  await close();
  (await lockDataDir(dataDir)).release();
  await expect(connect({})).rejects.toThrow(/has its database at .*, and DATABASE_URL is not set/);
  const { url: another } = await createTestDatabase();
  await expect(connect({ DATABASE_URL: another })).rejects.toThrow(/belongs to the site with the database at/);
});

test('a start reads the id of its storage once', async () => {
  const asked: string[] = [];
  // As a bucket answers that has only this object.
  const storage = createServer(({ method, url }, answer) => {
    asked.push(`${method} ${url?.split('?')[0]}`);
    const id = 'id of the bucket';
    answer.writeHead(200, { 'content-length': id.length, 'last-modified': new Date(0).toUTCString(), etag: '"1"' });
    answer.end(method === 'HEAD' ? undefined : id);
  });
  const s3 = await listen(storage);
  const { url } = await createTestDatabase();
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'sotto-connect-s3-')),
    S3_BUCKET: 'sotto',
    S3_ENDPOINT: s3,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  // The first start records it.
  await (
    await connect(settings)
  )();
  asked.length = 0;
  await (
    await connect(settings)
  )();
  expect(asked).toEqual(['HEAD /sotto/storage-id', 'GET /sotto/storage-id']);
  storage.close();
  rmSync(settings.DATA_DIR, { recursive: true });
});

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
