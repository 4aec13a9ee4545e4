import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callLimits } from '#gateways/call-limits.ts';
import { browserCalls } from '#test/support/browser-calls.ts';

/** Their limits, notes and outcomes as one type. */
const browserRows: { ms: number; calls: Record<string, string[]>; note?: string; outcome: string }[] =
  Object.values(browserCalls);

const timeOf = (ms: number) => (ms % 60_000 === 0 && ms > 120_000 ? `${ms / 60_000} min` : `${ms / 1000} s`);

type Figures = { connectMs?: number; answerMs?: number; silenceMs?: number; wholeMs?: number; attempts?: number };

function figuresOf({ connectMs, answerMs, silenceMs, wholeMs, attempts }: Figures): string {
  const parts = [
    connectMs && `${timeOf(connectMs)} to connect`,
    answerMs && `${timeOf(answerMs)} for an answer`,
    silenceMs && `${timeOf(silenceMs)} of silence`,
    wholeMs && `${timeOf(wholeMs)} in all`,
    attempts && `${attempts} attempts`,
  ];
  return parts.filter(Boolean).join(', ');
}

const tableOf = (rows: string[][]) =>
  [['what', 'after', 'then'], ['---', '---', '---'], ...rows].map((row) =>
    `| ${row.join(' | ')} |`.replaceAll(' --- ', '---'),
  );

test('docs/time-limits.md has every limit of the browser and the server', async () => {
  const lines = (await readFile('docs/time-limits.md', 'utf8')).split('\n').filter((line) => line.startsWith('|'));
  expect(lines).toEqual([
    ...tableOf(
      browserRows.map(({ ms, calls, note = '', outcome }) => [
        Object.keys(calls).join(', ') + note,
        timeOf(ms),
        outcome,
      ]),
    ),
    ...tableOf(Object.values(callLimits).map((limit) => [limit.what, figuresOf(limit), limit.outcome])),
  ]);
});

/** Calls and classes that open a connection to another machine. */
const opens =
  /\b(?:timedFetch|createTransport|algoliasearch|betterAuth|socialConfig|(?:tls|net)\.connect|https?\.(?:get|request))\(|new (?:Stripe|S3Client|Upload|S3UploadStore|Analytics|pg\.(?:Client|Pool)|SitePool|Boss)\(/;

/** These get their limits from another file. */
const limitedByCallers = new Set([
  'src/gateways/timed-fetch.ts',
  'src/gateways/built-in-identity/auth.ts',
  'src/gateways/s3-incoming-files.ts',
]);

async function filesIn(folder: string, name: RegExp, recursive = true): Promise<string[]> {
  const entries = await readdir(folder, { recursive, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

test('all code of the server that opens a connection takes its limits from callLimits', async () => {
  const files: string[] = [];
  for (const folder of [
    'src/gateways',
    'src/http',
    'src/cli',
    'src/db',
    'src/jobs',
    'src/domain',
    'src/settings',
    'src/start',
    'src/doctor',
    'src/demo',
    'src',
  ])
    files.push(...(await filesIn(folder, /(?<!\.test|fixtures|-site)\.ts$/, folder !== 'src')));
  const without: string[] = [];
  const used = new Set<string>();
  for (const file of files) {
    const source = await readFile(file, 'utf8');
    for (const [, name = ''] of source.matchAll(/\bcallLimits\.(\w+)/g)) used.add(name);
    if (opens.test(source) && !source.includes('callLimits.') && !limitedByCallers.has(file)) without.push(file);
  }
  expect(without).toEqual([]);
  expect([...used].toSorted()).toEqual(Object.keys(callLimits).toSorted());
});

/** Uses of a limit of the browser, but not the declarations of these limits. */
const limits = /\b(?:timedFetch|timedHead|inTime)\b|\blimited\(|\bbrowserLimits\.|\b(?:call|file|logOut)LimitMs\b/;
const declaresLimits = new Set(['src/player/timed-fetch.ts', 'src/player/browser-limits.ts']);

test('each call of the browser is in the table with the files that make it, and has a test with a silent peer', async () => {
  const users: string[] = [];
  for (const folder of ['src/embed', 'src/player', 'src/offline', 'src/service-worker', 'src/suggestions', 'src/web'])
    for (const file of await filesIn(folder, /(?<!\.test)\.tsx?$/))
      if (!declaresLimits.has(file) && limits.test(await readFile(file, 'utf8'))) users.push(file);
  const named = browserRows.flatMap(({ calls }) => Object.values(calls).flat());
  expect([...new Set(named)].toSorted()).toEqual(users.toSorted());

  const tested = new Set<string>();
  for (const folder of ['src', 'test'])
    for (const file of await filesIn(folder, /\.(?:test|e2e)\.tsx?$/))
      for (const [, call = ''] of (await readFile(file, 'utf8')).matchAll(/\bsilent\('([^']+)'\)/g)) tested.add(call);
  expect([...tested].toSorted()).toEqual(browserRows.flatMap(({ calls }) => Object.keys(calls)).toSorted());
});
