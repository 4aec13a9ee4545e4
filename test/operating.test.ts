import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { settingNames } from '#config';
import { runSotto } from './support/processes/command-line.ts';
import { guide } from './support/guide.ts';

/** Checks `docs/operating/` against the site: its commands, settings, scripts, files and messages. */

const blocks = [...guide.matchAll(/^ *```.*\n([^]*?)^ *```$/gm)].map(([, code = '']) => code.replaceAll('\\\n', ' '));
const withoutBlocks = guide.replaceAll(/^ *```.*\n[^]*?^ *```$/gm, '');
const spans = [...withoutBlocks.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));
/** One command or other code span each. */
const code = [...blocks.flatMap((block) => block.split(/\n|&& |; | \|/)), ...spans];

/** The words after `sotto`, whichever way it is started. */
const commands = code.flatMap((line) => {
  const start =
    /(?:^|^.*(?:site-a|--|npm run|sudo|\d|bin\/|root) ?)\s*(?:SOTTO_RELEASE=\S+ )?sotto (?:-- )?([a-z].*)$/.exec(
      line
        .replace(/\s+#.*/, '')
        .replace('/usr/local/bin/sotto', 'sotto')
        .trim(),
    );
  return start === null ? [] : [(start[1] ?? '').trim().split(/\s+/)];
});

const help = async (name?: string) =>
  (await runSotto(name === undefined ? ['help'] : ['help', name], { environment: {} })).stdout;

test('every command that it names exists, with its options', async () => {
  const names = [...(await help()).matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name]) => name);
  const used = new Set(commands.map(([name]) => name));
  expect(used.size).toBeGreaterThan(25);
  expect([...used].filter((name) => name !== 'help' && !names.includes(name))).toEqual([]);
  const unknown: string[] = [];
  for (const [name = '', ...words] of commands) {
    if (name === 'help' && words.length > 0 && !names.includes(words[0])) unknown.push(`help ${words[0]}`);
    if (!names.includes(name)) continue;
    const explained = new Set((await help(name)).match(/--[a-z-]+|[a-z0-9-]+/g));
    // Options, and verbs such as `reports keep`; the others are names and files.
    for (const word of words)
      if (/^(--)?[a-z][a-z-]+$/.test(word) && !explained.has(word) && !isValue(words, word))
        unknown.push(`${name} ${word}`);
  }
  expect(unknown).toEqual([]);
});

/** Values of options are free text, not commands. */
function isValue(words: string[], word: string): boolean {
  return words[words.indexOf(word) - 1]?.startsWith('--') === true && !word.startsWith('--');
}

test('every setting that it names exists', () => {
  const ofContainers = ['deploy/compose/.env.example', 'deploy/Dockerfile', 'deploy/server/sotto'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:ARG )?([A-Z_]+)=|\$\{([A-Z_]+):-/gm)].map(
      ([, declared, read]) => declared ?? read ?? '',
    ),
  );
  const others = ['NODE_ENV', 'PATH', 'MAILTO', ...ofContainers];
  const named = new Set(
    code.flatMap((line) => [
      ...(line.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []),
      ...[...line.matchAll(/\b([A-Z][A-Z0-9_]+)=/g)].map(([, name = '']) => name),
    ]),
  );
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter((name) => !settingNames.includes(name) && !others.includes(name))).toEqual([]);
});

test('the webhook is set up with the events of disputes and refunds', () => {
  const events = /\/webhooks\/payments` with the events ([^]*?)\.\n/.exec(guide)?.[1];
  for (const event of ['customer.subscription.*', 'invoice.*', 'charge.refunded', 'charge.dispute.*'])
    expect(events).toContain(event);
});

test('every script and file that it names exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const run = code.flatMap((line) => [...line.matchAll(/npm run ([a-z-]+)/g)].map(([, name = '']) => name));
  expect(run.filter((name) => !(name in scripts))).toEqual([]);

  const files = code.flatMap((line) => line.match(/(?<![\w/.])(?:deploy|src|scripts|docs)\/[\w@./-]+/g) ?? []);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('the messages that it explains are those of the site', async () => {
  const table = guide.slice(guide.indexOf('| message | cause | remedy |'));
  const messages = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message);
  expect(messages.length).toBeGreaterThan(10);
  let sources = '';
  for await (const file of glob('src/{*,{start,cli,doctor,demo,db,gateways,http,settings,jobs}/**/*}.ts'))
    if (!file.endsWith('.test.ts')) sources += readFileSync(file, 'utf8');
  const parts = messages.flatMap((message) => message.split('…').map((part) => part.trim()));
  expect(parts.filter((part) => part.length > 5 && !sources.includes(part))).toEqual([]);
});
