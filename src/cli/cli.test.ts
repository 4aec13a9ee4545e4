/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parseConfig } from '#config';
import { openForCommand } from '#db/command-database.ts';
import { englishErrors } from '#domain/kernel/errors.ts';
import { silentFlac, silentMp3, silentMp3WithCount, silentWav } from '#test/support/sound/sound-files.ts';
import { type CommandOutcome, runSotto } from '#test/support/processes/command-line.ts';
import { findFreePort } from '#test/support/servers/free-port.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const program = fileURLToPath(new URL('../cli.ts', import.meta.url));
const site = fileURLToPath(new URL('../main.ts', import.meta.url));
let scratch: string;
/** A folder of recordings: five good ones, two broken ones, and a text. */
let recordings: string;
/** A stopped site with all recordings imported. */
let stocked: string;
const sites: ChildProcess[] = [];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sotto-cli-'));
  chmodSync(scratch, 0o755);
  recordings = join(scratch, 'recordings');
  mkdirSync(join(recordings, 'part two'), { recursive: true });
  const put = (name: string, content: Buffer | string) => writeFileSync(join(recordings, name), content);
  put('1 - One.mp3', silentMp3(2, { TIT2: 'One', TPE1: 'Ana', TALB: 'Numbers', TRCK: '1', TCON: 'Sleep' }));
  put('2 - Two.mp3', silentMp3(2, { TIT2: 'Two', TPE1: 'Ana', TALB: 'Numbers', TRCK: '2', TCON: 'Sleep' }));
  put('nul.flac', silentFlac(1, { TITLE: 'N\0ul', ARTIST: 'Ana', DESCRIPTION: 'a\0b' }));
  put('part two/10.wav', silentWav(1, { INAM: 'Ten', IART: 'Bea' }));
  put('part two/9.mp3', silentMp3(1, { TIT2: 'Nine', TPE1: 'Bea' }));
  put('broken.mp3', 'not a sound at all, whatever its name says');
  put('empty.wav', silentWav(0));
  put('.hidden.mp3', 'left over');
  put('notes.txt', 'a text');
  stocked = join(scratch, 'stocked');
  const { code, stdout } = await sotto(stocked, ['import', recordings, '--publish', '--free']);
  expect([code, stdout]).toEqual([1, expect.stringContaining('5 added, 0 skipped, 2 failed, of 7 files.')]);
});

afterEach(async () => {
  for (const child of sites.splice(0)) await end(child);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

function processEnvironment(dataDir: string, settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: scratch, DATA_DIR: dataDir, DEMO: 'false', ...settings };
}

function sotto(dataDir: string, args: string[], settings: Record<string, string> = {}): Promise<CommandOutcome> {
  return runSotto(args, { environment: { DATA_DIR: dataDir, ...settings }, startFolder: scratch });
}

/** Runs the program as an operator does. */
async function sottoProcess(
  dataDir: string,
  args: string[],
  settings: Record<string, string> = {},
): Promise<CommandOutcome> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: scratch,
    env: processEnvironment(dataDir, settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** Runs commands on a stopped site while its database runs, which each of them would start and stop. */
function served(dataDir: () => string, work: () => Promise<void>): () => Promise<void> {
  return async () => {
    const config = parseConfig({ DATA_DIR: dataDir(), DEMO: 'false' });
    const held = await openForCommand(config, { create: false, schema: 'current', note: () => {} });
    await work().finally(held.close);
  };
}

/** Expects one line on stderr, without a stack. */
function expectOneLine({ stdout, stderr }: CommandOutcome): void {
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/^\s+at .*:\d+|Error:/m);
}

async function startSite(
  dataDir: string,
): Promise<{ url: string; settings: { PORT: string }; stop: () => Promise<string> }> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [site], {
    cwd: scratch,
    env: processEnvironment(dataDir, { PORT: String(port), LOG_LEVEL: 'error' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  sites.push(child);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Sotto is ready at')) resolve();
    });
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('exit', () => reject(new Error(`The site ended: ${output}`)));
  });
  const stop = async () => {
    await end(child);
    return output;
  };
  return { url: `http://127.0.0.1:${port}`, settings: { PORT: String(port) }, stop };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await gone;
}

const heard = async (url: string) =>
  (await (await fetch(`${url}/v1/api/audios?limit=100`)).json()) as {
    items: { id: string; slug: string; audioFileUrl: string; numberDuration: number }[];
  };

test('wrong use is one line and exit code 2', async () => {
  for (const args of [
    ['publissh', 'x'],
    ['audios', 'publish'],
    ['audios', 'unpublish', 'a', 'b'],
    ['audios', 'save', 'a', '--commenters', 'maybe'],
    ['audios', 'publish', 'a', '--at', 'tomorrow'],
    ['audios', 'publish', 'a', '--at', '2026-02-31T00:00:00Z'],
    ['audios', '--all'],
    ['import', '--free'],
    ['backup', ''],
    ['restore', '--rehearse'],
    ['promo-codes', 'burn'],
    ['promo-codes', 'create', '--code', 'CANDLE', '--duration', 'once'],
    ['promo-codes', 'create', '--code', 'CANDLE', '--duration', 'once', '--percent-off', '20', '--amount-off', '300'],
    ['promo-codes', 'create', '--code', 'no spaces', '--duration', 'once', '--percent-off', '20'],
    ['promo-codes', 'create', '--code', 'CANDLE', '--duration', 'once', '--percent-off', '101'],
    ['promo-codes', 'create', '--code', 'X1Y', '--duration', 'once', '--percent-off', '2', '--last-day', '2001-01-01'],
    ['gift-cards', 'refund'],
    ['gift-cards', 'list', 'all'],
    ['payments', 'replay', '--since', 'yesterday'],
    ['payments', 'again'],
    ['subscriptions', 'show'],
    ['subscriptions', 'advance', 'listener', '--days', '-1'],
  ]) {
    const outcome = await sotto(join(scratch, 'never'), args);
    expect([args, outcome.code]).toEqual([args, 2]);
    expectOneLine(outcome);
  }
  expect(existsSync(join(scratch, 'never'))).toBe(false);
});

test('the program ends with the code of its command, and leaves nothing of control in what it prints', async () => {
  expect(await sottoProcess(stocked, ['audios', 'publish', 'no\u001b[31m-such'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no audio "no\\u001b[31m-such"\n',
  });
  expect(await sottoProcess(stocked, ['import', '\u001b[2J'])).toMatchObject({
    code: 1,
    stderr: expect.not.stringContaining('\u001b'),
  });
  expect(await sottoProcess(stocked, ['audios', 'publish'])).toMatchObject({ code: 2 });
});

test('a start that is refused is one line of the log, without a stack', async () => {
  const child = spawn(process.execPath, [site], {
    cwd: scratch,
    env: processEnvironment(join(scratch, 'refused'), { SITE_ULR: 'https://sotto.example' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stdout).toBe('');
  expect(JSON.parse(stderr)).toEqual({
    level: 60,
    time: expect.any(String),
    msg: 'Sotto cannot start: the setting SITE_ULR is unknown: did you mean SITE_URL?',
  });
});

test('help tells of every command', async () => {
  const { code, stdout } = await sotto(scratch, ['help']);
  expect(code).toBe(0);
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => String(name));
  expect(names.length).toBeGreaterThan(35);
  for (const name of names) {
    const help = await sotto(scratch, ['help', name]);
    expect([name, help.code, help.stdout]).toEqual([name, 0, expect.stringContaining(`npm run sotto -- ${name}`)]);
  }
});

test('a folder without a site is named, and not changed', async () => {
  const dataDir = join(scratch, 'no-site');
  for (const args of [
    ['audios', 'publish', 'x'],
    ['audios'],
    ['backup', join(scratch, 'backup-of-nothing')],
    ['import', recordings, '--dry-run'],
  ]) {
    const outcome = await sotto(dataDir, args);
    expect([args, outcome.code, outcome.stderr]).toEqual([
      args,
      1,
      expect.stringContaining(`There is no site in ${dataDir} yet`),
    ]);
  }
  expect(existsSync(dataDir)).toBe(false);
  expect(existsSync(join(scratch, 'backup-of-nothing'))).toBe(false);
});

test('a database that does not answer, and a wrong setting, are one line', async () => {
  const settings: Record<string, string>[] = [
    { DATABASE_URL: 'postgres://sotto@127.0.0.1:1/sotto' },
    { DATABASE_URL: 'mysql://x' },
    { PORT: 'a lot' },
  ];
  for (const wrong of settings) {
    const outcome = await sotto(join(scratch, 'never'), ['audios', 'publish', 'x'], wrong);
    expect([wrong, outcome.code]).toEqual([wrong, 1]);
    expectOneLine(outcome);
  }
});

test(
  'importing again leaves everything out, and says what is broken each time',
  served(
    () => stocked,
    async () => {
      const before = await sotto(stocked, ['audios', '--json']);
      const { code, stdout } = await sotto(stocked, ['import', recordings, '--json']);
      expect(code).toBe(1);
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { file: string; outcome: string; reason: string });
      expect(lines.map(({ file, outcome, reason }) => [file, outcome, reason])).toEqual([
        ['1 - One.mp3', 'skipped', 'already-there'],
        ['2 - Two.mp3', 'skipped', 'already-there'],
        ['broken.mp3', 'failed', 'damaged'],
        ['empty.wav', 'failed', 'damaged'],
        ['nul.flac', 'skipped', 'already-there'],
        [join('part two', '9.mp3'), 'skipped', 'already-there'],
        [join('part two', '10.wav'), 'skipped', 'already-there'],
      ]);
      expect((await sotto(stocked, ['audios', '--json'])).stdout).toBe(before.stdout);
    },
  ),
);

test(
  'a dry run says what would be done, and does nothing',
  served(
    () => stocked,
    async () => {
      const folder = join(scratch, 'dry');
      mkdirSync(folder);
      for (const comment of ['a', 'b'])
        writeFileSync(join(folder, `${comment}.mp3`), silentMp3(1, { TIT2: 'Dry', TPE1: 'Dora', COMM: comment }));
      writeFileSync(join(folder, 'c.mp3'), silentMp3WithCount(8, { TIT2: 'Cut', TPE1: 'Dora' }).subarray(0, 16_000));
      const before = [await sotto(stocked, ['audios', '--json']), readdirSync(join(stocked, 'blobs', 'audio'))];
      const { code, stdout } = await sotto(stocked, ['import', folder, '--dry-run']);
      expect(code).toBe(0);
      expect(stdout).toContain('a.mp3: dry, "Dry" by Dora');
      expect(stdout).toContain('b.mp3: dry-2, "Dry" by Dora');
      expect(stdout).toMatch(
        /c\.mp3: cut, .*\n        This file ends in the middle of its sound\. Was it copied whole\?\n/,
      );
      expect(stdout).toContain('Nothing was changed. It would be: 3 added');
      expect([await sotto(stocked, ['audios', '--json']), readdirSync(join(stocked, 'blobs', 'audio'))]).toEqual(
        before,
      );
    },
  ),
);

test(
  'an impossible import fails with one line',
  served(
    () => stocked,
    async () => {
      const empty = join(scratch, 'empty');
      mkdirSync(empty);
      for (const [folder, reason] of [
        [empty, 'There are no sound files'],
        [join(scratch, 'nowhere'), 'There is no folder'],
        [program, 'is not a folder'],
      ] as const) {
        const outcome = await sotto(stocked, ['import', folder]);
        expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining(reason)]);
      }
      const outcome = await sotto(stocked, ['import', recordings, '--category', 'nothing-like-it']);
      expect([outcome.code, outcome.stderr]).toEqual([
        1,
        expect.stringContaining('There is no category "nothing-like-it"; there are: sleep'),
      ]);
    },
  ),
);

test('a running site shows at once what commands do', async () => {
  const dataDir = join(scratch, 'running');
  const { url, settings, stop } = await startSite(dataDir);
  expect((await heard(url)).items).toEqual([]);

  const imported = await sotto(dataDir, ['import', join(recordings, 'part two')], settings);
  expect([imported.code, imported.stderr]).toEqual([0, '']);
  expect((await heard(url)).items).toEqual([]);
  expect(await sotto(dataDir, ['audios', 'publish', 'nine'], settings)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^slug +nine\nstate +published\npublishedAt +20/),
  });
  // The database's notification arrives a moment after the command has ended.
  await expect.poll(async () => (await heard(url)).items[0]?.slug, { timeout: 3000 }).toBe('nine');
  const [nine] = (await heard(url)).items;
  const file = `${url}${nine?.audioFileUrl}`;
  expect((await fetch(file)).status).toBe(401);
  expect(await sotto(dataDir, ['preview', 'choose', '--audio', 'nine'], settings)).toMatchObject({ code: 0 });
  const sound = await fetch(file);
  expect([sound.status, sound.headers.get('content-type')]).toEqual([200, 'audio/mp4']);
  // The listening file begins with its brand (ISO 14496-12); the original is stored separately.
  expect(
    Buffer.from(await sound.arrayBuffer())
      .subarray(4, 8)
      .toString(),
  ).toBe('ftyp');
  expect(await sotto(dataDir, ['preview', 'choose', '--audio', 'ten'], settings)).toMatchObject({
    code: 1,
    stderr: `${englishErrors['preview/not-published']}\n`,
  });

  const checked = await sotto(dataDir, ['doctor'], settings);
  expect(checked.stdout).toContain(`a Sotto answers on 127.0.0.1:${settings.PORT}`);
  expect(checked.stdout).toContain('of the running site');
  expect(checked.stdout).toContain(`Site: answers at ${url}`);
  expect(checked.stdout).not.toContain('FAIL');
  expect(checked.code).toBe(0);
  // Without the site's settings, commands find its address in its folder.
  expect((await sotto(dataDir, ['doctor'])).stdout).toMatch(
    new RegExp(`Addresses: ${url}, listening on 127.0.0.1:${settings.PORT},.*Port: a Sotto answers`, 's'),
  );
  const article = join(scratch, 'on-rain.md');
  writeFileSync(article, '---\ntitle: On rain\ndescription: Rain.\ntopic: culture\n---\n\nIt rains.\n');
  expect(await sotto(dataDir, ['articles', 'import', article])).toMatchObject({
    code: 0,
    stdout: `address  ${url}/blog/on-rain\n`,
  });
  // The commands used the site's running database and did not stop it.
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  // Refused before any change.
  expect(await sotto(dataDir, ['audios', 'unpublish', 'nine'], settings)).toMatchObject({
    code: 1,
    stderr: `${englishErrors['audio/is-preview']}\n`,
  });
  expect((await heard(url)).items).toHaveLength(1);
  expect(await sotto(dataDir, ['audios', 'unpublish', 'nine', '--even-preview'], settings)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is the preview'),
  });
  await expect.poll(async () => (await heard(url)).items, { timeout: 3000 }).toEqual([]);

  const lines = (await stop())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { time: string; msg: string });
  for (const line of lines) expect(line).toMatchObject({ level: 30, time: expect.stringMatching(/^20.*Z$/) as string });
  expect(lines.map(({ msg }) => msg).slice(-3)).toEqual([
    expect.stringMatching(/^Sotto is ready at http:\/\/127\.0\.0\.1:\d+ after /),
    'Sotto is stopping (SIGTERM)',
    'Sotto has stopped',
  ]);
});

test('a backup of a running site becomes a site of its own', async () => {
  const { url, settings } = await startSite(stocked);
  const folder = join(scratch, 'backups', 'first');
  const made = await sotto(stocked, ['backup', folder], settings);
  expect(made).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Backed up \d+ rows of \d+ tables and \d+ files.*\nLeft out: .* payment sandbox\n$/),
  });
  expect(statSync(folder).mode & 0o077).toBe(0);
  const before = await heard(url);
  expect(before.items).toHaveLength(5);

  const refused = await sotto(stocked, ['restore', folder], settings);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/Another Sotto \(process \d+\) is already using .*; stop it first\n$/),
  ]);
  await Promise.all(sites.splice(0).map(end));
  const occupied = await sotto(stocked, ['restore', folder]);
  expect([occupied.code, occupied.stderr]).toEqual([1, expect.stringContaining('There is a site already')]);

  const elsewhere = join(scratch, 'elsewhere');
  expect(await sotto(elsewhere, ['restore', folder])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored \d+ rows/),
  });
  expect(readFileSync(join(elsewhere, 'secret'), 'utf8')).toBe(readFileSync(join(stocked, 'secret'), 'utf8'));
  expect(statSync(join(elsewhere, 'secret')).mode & 0o077).toBe(0);
  const restored = await startSite(elsewhere);
  expect(await heard(restored.url)).toEqual(before);
  for (const { audioFileUrl } of before.items) expect((await fetch(`${restored.url}${audioFileUrl}`)).status).toBe(200);
});

test('a rehearsal restores a backup beside it, checks the copy, uses nothing of the site, and removes it', async () => {
  const folder = join(scratch, 'rehearsed', 'latest');
  expect(await sotto(stocked, ['backup', folder])).toMatchObject({ code: 0 });
  const services = {
    DATABASE_URL: 'postgres://sotto@127.0.0.1:1/sotto',
    S3_BUCKET: 'away',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
    MAIL_URL: 'smtp://127.0.0.1:1',
  };
  const rehearsed = await sotto(join(scratch, 'never'), ['restore', '--rehearse', folder], services);
  expect([rehearsed.code, rehearsed.stdout]).toEqual([0, expect.not.stringContaining('FAIL')]);
  expect(rehearsed.stdout).toMatch(/^ok {4}Rows: all of \d+ tables\nok {4}Files: [1-9]\d* files /);
  expect(rehearsed.stdout).toMatch(/^ok {4}Files: [1-9]\d* files of the database, none missing/m);
  expect(rehearsed.stdout).toMatch(/This backup can be restored: \d+ rows .* The copy is removed\.\n$/);
  expect(existsSync(join(scratch, 'never'))).toBe(false);
  expect(readdirSync(join(scratch, 'rehearsed'))).toEqual(['latest']);

  const audio = join(folder, 'blobs', 'audio');
  rmSync(join(audio, readdirSync(audio)[0] ?? ''));
  expect(await sotto(stocked, ['restore', folder, '--rehearse'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The backup is damaged: blobs/audio/'),
  });
  expect(readdirSync(join(scratch, 'rehearsed'))).toEqual(['latest']);
});

test('a backup with a missing file exits 1 and names it', async () => {
  const dataDir = join(scratch, 'with-missing');
  expect(await sotto(dataDir, ['import', join(recordings, 'part two')])).toMatchObject({ code: 0 });
  const [name = ''] = readdirSync(join(dataDir, 'blobs', 'audio'));
  rmSync(join(dataDir, 'blobs', 'audio', name));
  expect(await sotto(dataDir, ['backup', join(scratch, 'backups', 'with-missing')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`in the backup: audio/${name}`),
    stdout: expect.stringContaining('Backed up'),
  });
  const rehearsed = await sotto(dataDir, ['restore', join(scratch, 'backups', 'with-missing'), '--rehearse']);
  expect([rehearsed.code, rehearsed.stdout]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^FAIL {2}Files: audio/${name} .*is missing`, 'm')),
  ]);
});

test('a damaged backup restores nothing', async () => {
  const folder = join(scratch, 'backups', 'damaged');
  expect(await sotto(stocked, ['backup', folder])).toMatchObject({ code: 0 });
  const audio = join(folder, 'blobs', 'audio');
  const path = join(audio, readdirSync(audio)[0] ?? '');
  const content = readFileSync(path);
  content.writeUInt8(content.readUInt8(50) ^ 0xff, 50);
  writeFileSync(path, content);
  const dataDir = join(scratch, 'from-damaged');
  const outcome = await sotto(dataDir, ['restore', folder]);
  expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining('The backup is damaged: blobs/audio/')]);
  expect(existsSync(dataDir)).toBe(false);
  expect(await sotto(dataDir, ['restore', recordings])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('holds no finished backup'),
  });
});

test('a backup into the site’s own folder is refused', async () => {
  for (const folder of [stocked, join(stocked, 'backups', 'today'), join(stocked, 'blobs')]) {
    expect(await sotto(stocked, ['backup', folder])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is in DATA_DIR'),
    });
  }
  expect(existsSync(join(stocked, 'backups'))).toBe(false);
});

test('commands that meet on a stopped site share its database, and leave none running', async () => {
  const commands = [
    ['audios'],
    ['backup', join(scratch, 'backups', 'meeting')],
    ['audios', 'save', 'one', '--commenters', 'nobody'],
    ['audios', '--json'],
  ];
  const outcomes = await Promise.all(commands.map((args) => sottoProcess(stocked, args)));
  expect(outcomes.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(
    [0, 0, 0, 0].map((code) => [code, '']),
  );
  expect(existsSync(join(stocked, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('doctor finds nothing wrong with a stopped site, and changes nothing', async () => {
  const before = readdirSync(stocked).toSorted();
  const { code, stdout } = await sotto(stocked, ['doctor'], { PORT: String(await findFreePort()) });
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('FAIL')]);
  for (const part of [
    'Node',
    'Settings',
    'Build',
    'Addresses',
    'DATA_DIR',
    'Password file',
    'Disk',
    'Port',
    'Mail',
    'Processes',
    'Sign-in',
    'Database',
    'Schema',
    'Clock',
    'Files',
    'Accounts',
    'Catalogue',
    'Preview',
  ])
    expect(stdout).toContain(`  ${part}: `);
  expect(readdirSync(stocked).toSorted()).toEqual(before);
});

test('doctor names every wrong setting, a taken port and a file that is missing, cut or open to others', async () => {
  const dataDir = join(scratch, 'ill');
  expect(await sotto(dataDir, ['import', join(recordings, 'part two')])).toMatchObject({ code: 0 });
  // Both are listening files: the doctor lists findings table by table.
  const [first = '', second = ''] = readdirSync(join(dataDir, 'blobs', 'audio')).filter((name) =>
    name.endsWith('.m4a'),
  );
  rmSync(join(dataDir, 'blobs', 'audio', first));
  writeFileSync(join(dataDir, 'blobs', 'audio', second), 'short');
  writeFileSync(join(dataDir, 'blobs', 'audio', 'orphan.mp3'), 'nobody names it');
  const config = parseConfig({ DATA_DIR: dataDir, DEMO: 'false' });
  const opened = await openForCommand(config, { create: false, schema: 'current', note: () => {} });
  await opened.database.pool.query('delete from stored_files where key = $1', [`audio/${first}`]);
  await opened.database.pool.query(
    `insert into stored_files (key, state, since) values ('audio/late.mp3', 'unused', now() - interval '5 days')`,
  );
  await opened.close();
  chmodSync(join(dataDir, 'postgres.password'), 0o644);
  const taken = createHttpServer((_request, response) => response.end('other')).listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;

  const { code, stdout } = await sotto(dataDir, ['doctor', '--json'], {
    PORT: String(port),
    TRUST_PROXY: 'many',
    LOG_LEVEL: 'loud',
    SITE_URL: 'ftp://x',
  });
  taken.closeAllConnections();
  await new Promise((resolve) => taken.close(resolve));
  expect(code).toBe(1);
  const findings = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; about: string; message: string });
  const failed = findings.filter(({ level }) => level === 'FAIL').map(({ about, message }) => `${about}: ${message}`);
  expect(failed).toEqual([
    expect.stringContaining('the setting SITE_URL is wrong'),
    expect.stringContaining('the setting TRUST_PROXY is wrong'),
    expect.stringContaining('the setting LOG_LEVEL is wrong'),
    expect.stringContaining('Password file: others on this machine may read'),
    expect.stringContaining('Port: something other than Sotto answers'),
    expect.stringMatching(new RegExp(`Files: audio/${first} .*is missing`)),
    expect.stringMatching(new RegExp(`Files: audio/${second} .*has 5 bytes`)),
  ]);
  expect(findings).toContainEqual({
    level: 'ok',
    about: 'Files',
    message: expect.stringContaining('1 file that nothing names'),
  });
  expect(findings).toContainEqual({
    level: 'warn',
    about: 'Files',
    message: expect.stringContaining(`${first} is named`),
  });
  expect(findings).toContainEqual({
    level: 'warn',
    about: 'Files',
    message: expect.stringContaining('1 file should have been removed'),
  });
});

test(
  'accounts: an admin is made, a password reset, an account suspended and given time, beside the mails',
  served(
    () => stocked,
    async () => {
      const made = await sotto(stocked, ['admin', 'Boss@Example.org', '--username', 'the-boss']);
      expect(made).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^the-boss is now an admin, with the password \S{23}$/m),
      });
      // The last admin stays one.
      await sotto(stocked, ['admin', 'second@example.org', '--username', 'the-second']);
      expect(await sotto(stocked, ['users', 'take-admin', 'boss@example.org'])).toMatchObject({ code: 0 });
      expect(await sotto(stocked, ['users', 'take-admin', 'the-second'])).toMatchObject({
        code: 1,
        stderr: `${englishErrors['admin/last-admin']}\n`,
      });
      expect(await sotto(stocked, ['users', 'make-moderator', 'boss@example.org'])).toMatchObject({ code: 0 });
      const { stdout: moderators } = await sotto(stocked, ['users', 'list', '--filter', 'moderators']);
      expect(moderators).toContain('the-boss');
      expect(await sotto(stocked, ['users', 'take-moderator', 'boss@example.org'])).toMatchObject({ code: 0 });
      expect(await sotto(stocked, ['admin', 'nobody@example.org'])).toMatchObject({ code: 2 });
      expect(await sotto(stocked, ['admin', 'nobody@example.org', '--username', 'THE-BOSS'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('This username is unavailable'),
      });

      const reset = await sotto(stocked, ['reset-password', 'BOSS@example.org']);
      expect(reset).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^The new password of the-boss is \S{23}$/m),
      });
      expect(reset.stdout.split(' ').at(-1)).not.toBe(made.stdout.split(' ').at(-1));
      expect(await sotto(stocked, ['reset-password', 'nobody'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no account "nobody"'),
      });

      expect(
        await sotto(stocked, ['users', 'suspend', 'The-Boss', '--reason', 'Spam', '--no-pays-back']),
      ).toMatchObject({ code: 0, stdout: 'renewal   none\nrefunded  0\n' });
      expect(await sotto(stocked, ['users', 'lift-suspension', 'the-boss'])).toMatchObject({ code: 0 });
      const give = ['users', 'give-months', 'the-boss', '--reason', 'Thanks', '--months'];
      expect(await sotto(stocked, [...give, '3'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^until +20/),
      });
      expect(await sotto(stocked, [...give, '-3'])).toMatchObject({ code: 2 });
      expect(await sotto(stocked, [...give, '1e9'])).toMatchObject({ code: 2 });
      expect((await sotto(stocked, ['mails'])).stdout).toMatch(/boss@example\.org/);
      expect(await sotto(stocked, ['demo', 'remove'])).toMatchObject({
        code: 1,
        stderr: 'The demo was never loaded into this site\n',
      });
      expect(await sotto(stocked, ['mails', 'send'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('MAIL_URL is not set'),
      });
    },
  ),
);
