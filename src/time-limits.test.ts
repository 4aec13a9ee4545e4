import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callLimits } from '#gateways/call-limits.ts';
import { browserLimits } from '#player/browser-limits.ts';
import { ANSWER_LIMIT_MS } from '#player/failure.ts';
import { STALLED_AFTER_MS } from '#player/stall-watch.ts';

/** Tables of docs/time-limits.md, as the descriptions of the limits give them. */
const browserRows: Record<keyof typeof browserLimits | 'stall' | 'answer', [what: string, ms: number, then: string]> = {
  call: [
    'a call of the API, of the built-in identity provider or Firebase, the data of a page; 1 s more for each 20 KB sent',
    browserLimits.call,
    'counts as no connection: a notice, or the form keeps what was typed; reports of listening, the queue and events wait and are repeated; a page stays on screen',
  ],
  file: [
    'export, invoice, figures, changes of all audios of a creator, category or tag',
    browserLimits.file,
    'a notice',
  ],
  logOut: ['a log-out', browserLimits.logOut, 'this device is logged out, and its next page ends the session'],
  storedPage: [
    'a page or an audio’s data, while downloads have a stored one',
    browserLimits.storedPage,
    'the stored page',
  ],
  document: ['a page without a stored one', browserLimits.document, 'the offline page'],
  asset: [
    'built files, pictures, the beginning of a sound, the payment script, turning push on',
    browserLimits.asset,
    'tried again with the next use',
  ],
  silence: ['silence within a download', browserLimits.silence, 'the download is repeated from there'],
  upload: ['silence within an upload', browserLimits.upload, 'the upload is repeated from there'],
  stall: [
    'sound: no byte while it should play',
    STALLED_AFTER_MS,
    '“Reconnecting”, the file is loaded again, or its copy on the device plays',
  ],
  answer: ['sound: the site’s answer why a file does not play', ANSWER_LIMIT_MS, 'counts as no connection'],
};

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
    ...tableOf(Object.values(browserRows).map(([what, ms, then]) => [what, timeOf(ms), then])),
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
    'src',
  ])
    for (const entry of await readdir(folder, { recursive: folder !== 'src', withFileTypes: true }))
      if (entry.isFile() && /(?<!\.test|fixtures|-site)\.ts$/.test(entry.name))
        files.push(join(entry.parentPath, entry.name));
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
