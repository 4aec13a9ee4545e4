/** @module-tag slow */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { dropDatabase } from '#test/support/servers/drop-database.ts';
import { findFreePort } from '#test/support/servers/free-port.ts';
import { openSilentPeer } from '#test/support/servers/silent-peer.ts';
import { refusedStart, startProcess } from '#test/support/processes/start-process.ts';
import { readLine, stopProcess } from '../../bench/site-process.ts';

vi.setConfig({ testTimeout: 120_000 });

const scratch = mkdtempSync(join(tmpdir(), 'sotto-starts-'));
const server = new pg.Client({ connectionString: inject('databaseUrl') });
await server.connect();
const databases: string[] = [];
const children: ChildProcess[] = [];

afterAll(async () => {
  await Promise.all(children.map((child) => stopProcess(child)));
  for (const name of databases) await dropDatabase(server, name);
  await server.end();
  rmSync(scratch, { recursive: true, force: true });
});

const newFolder = () => join(scratch, randomBytes(6).toString('hex'));

async function createEmptyDatabase(): Promise<string> {
  const name = `start_${randomBytes(6).toString('hex')}`;
  await server.query(`create database ${name} template template0`);
  databases.push(name);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
}

const contentOf = async (url: string) =>
  ask(
    url,
    `select nspname, relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );

const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** One line of the log. */
const oneLine = (reason: string) =>
  expect.stringMatching(new RegExp(`^[^\\n]*Sotto cannot start: ${reason}[^\\n]*\\n$`));

test.each(['a database of its own', 'the included database'])(
  'a start refused by the settings of payments writes nothing, with %s',
  async (place) => {
    const url = place === 'the included database' ? undefined : await createEmptyDatabase();
    const dataDir = newFolder();
    const outcome = await refusedStart({
      SITE_URL: 'https://sotto.example',
      OPERATOR_NAME: 'Sotto',
      OPERATOR_ADDRESS: 'Here',
      OPERATOR_EMAIL: 'us@sotto.example',
      DATA_DIR: dataDir,
      ...(url && { DATABASE_URL: url }),
    });
    expect(outcome).toEqual({ code: 1, output: oneLine('anyone could subscribe at https://sotto.example') });
    expect(filesIn(dataDir)).toEqual([]);
    if (url !== undefined) expect(await contentOf(url)).toEqual([]);
  },
);

test('a start refused by a taken port writes nothing', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  const [url, dataDir] = [await createEmptyDatabase(), newFolder()];
  const outcome = await refusedStart({ PORT: String(port), DATABASE_URL: url, DATA_DIR: dataDir });
  taken.close();
  expect(outcome).toEqual({ code: 1, output: oneLine(`nothing can listen on 127.0.0.1:${port}`) });
  expect([await contentOf(url), filesIn(dataDir)]).toEqual([[], []]);
});

test.each(['away', 'silent'])('a storage that is %s is one line, and nothing is written', async (state) => {
  const silent = state === 'silent' ? await openSilentPeer() : undefined;
  const port = silent?.port ?? (await findFreePort());
  const [url, dataDir] = [await createEmptyDatabase(), newFolder()];
  const outcome = await refusedStart({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    S3_BUCKET: 'sotto',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
  });
  await silent?.close();
  expect(outcome).toEqual({
    code: 1,
    output: oneLine(`the storage at http://127.0.0.1:${port} cannot be reached \\(\\w+\\); is S3_ENDPOINT right\\?`),
  });
  expect([await contentOf(url), filesIn(dataDir)]).toEqual([[], []]);
});

test('two sites started at once on an empty database both start, with one demo', async () => {
  const [url, dataDir] = [await createEmptyDatabase(), newFolder()];
  const started = [1, 2].map(() => startProcess({ DATABASE_URL: url, DATA_DIR: dataDir, DEMO: 'true' }));
  children.push(...started);
  const errors: string[] = [];
  for (const child of started) child.stderr?.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  const addresses = await Promise.all(started.map((child) => readLine(child, /Sotto is ready at (\S+)/)));
  for (const address of addresses) expect((await fetch(`${address}/readyz`)).status).toBe(200);
  const [counts] = await ask(
    url,
    `select (select count(*)::int from audios where published_at <= now()) as audios, count(*)::int as accounts from users
     where email like '%@sotto.example'`,
  );
  expect(counts).toEqual({ audios: 88, accounts: 4 });
  expect(errors).toEqual([]);
});

test('of two sites started at once in one empty folder, one starts and the other names it', async () => {
  const dataDir = newFolder();
  const settings = { DATA_DIR: dataDir, DEMO: 'false' };
  const [one, other] = [startProcess(settings), startProcess(settings)];
  children.push(one, other);
  const outputs = ['', ''];
  [one, other].forEach((child, index) =>
    child.stderr?.on('data', (chunk: Buffer) => (outputs[index] += String(chunk))),
  );
  const outcomes = await Promise.allSettled([one, other].map((child) => readLine(child, /Sotto is ready at (\S+)/)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = outputs[outcomes.findIndex(({ status }) => status === 'rejected')];
  expect(refused).toEqual(oneLine(`another Sotto \\(process \\d+\\) is already using ${dataDir}`));
});
