// Checks of the project, without the tests that are tagged `slow` (test/support/tags.ts). `--fast`: types, lint, texts and
// the tests without a database or a browser. `--all`: all tests, with the slow ones.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findBrowser, findOtherBrowsers, prepareBrowsers } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';
import { missingServers, prepareServers } from './test-servers.mjs';
import { ExpectedError, findNode, root, run, runScript, toolPath } from './run.mjs';

const fast = process.argv.includes('--fast');
const whole = process.argv.includes('--all');
/** Caches results: without changes a fifth of the work. */
const typesFile = 'node_modules/.cache/sotto-test/types.tsbuildinfo';
/** Added to the niceness: all processors stay busy, and sound that waits for one stutters. */
const behindSound = 5;
/** Their tests are all slow, so they are not even loaded. */
const slowFiles = whole ? [] : ['src', 'packages', 'test'].flatMap(testFilesIn).filter(isSlow);
/** A busy machine may exceed a time limit: each second try is named as flaky, and `--all` makes none. */
const selection = whole ? [] : ['--tags-filter=!slow', '--retry=1', ...slowFiles.map((file) => `--exclude=${file}`)];
/** Counts and names of all phases, in the shape of test/support/outcome.ts. */
const sum = { passed: 0, left: 0, skipped: 0, failed: [], flaky: [], files: [] };
const reports = mkdtempSync(join(tmpdir(), 'sotto-test-'));
const memoryFolder = makeMemoryFolder();
process.once('exit', () => {
  for (const folder of [reports, memoryFolder])
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

await runScript(async () => {
  try {
    // Debian's packages and npm's at once: one unpacks while the other waits for the network.
    const prepared = fast ? undefined : prepareSystem();
    await ensureInstalled();
    await runPhases(prepared);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    fail('Packages', error.message);
  }
  if (sum.files.length > 0) process.stdout.write(`Slowest files:\n${slowest(10)}\n`);
  // Last, because logs are often cut at their beginning.
  printTests('Flaky, passed at another try', sum.flaky);
  if (sum.flaky.length === 0) process.stdout.write('No test needed a second try\n');
  printTests('Failed', sum.failed);
  if (fast) process.stdout.write('Left to npm test: the tests with a database or a browser\n');
  if (sum.left > 0)
    process.stdout.write(`Left to npm run test:all: ${slowFiles.length} files, and ${sum.left} tests of others\n`);
  if (sum.skipped > 0) process.stdout.write(`${sum.skipped} skipped\n`);
  process.stdout.write(`${sum.passed} passed, ${sum.failed.length} failed\n`);
  process.exitCode = sum.failed.length === 0 ? 0 : 1;
});

/** One after the other, as apt allows. */
async function prepareSystem() {
  if (whole) await prepareServers();
  await prepareBrowsers();
}

/** @param prepared settles when Debian's packages are there */
async function runPhases(prepared) {
  // Before the tests: some of them start the whole site.
  const building = fast ? {} : settle(ensureBuilt());
  // Before the linter, which also reads these files: some are missing while they are regenerated.
  await check('Types of routes', [['react-router', 'typegen']]);
  await checkTexts();
  const types = check('Types', [
    ['tsc', '--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', typesFile],
  ]);
  const [built] = await Promise.all([
    building,
    check('Lint', [['oxlint']]),
    check('Format', [['oxfmt', '--check']]),
    check('Unused code', [['knip']]),
    fast && runTests('Tests', 'vitest.unit.config.ts', { show: false }),
  ]);
  if (built.error) fail('Build', built.error.message);
  if (fast) return types;
  await prepared;
  if (whole)
    for (const name of missingServers()) process.stdout.write(`${name} is not installed: its tests are skipped.\n`);
  // The types take longest, on one processor: the tests have the other one until sound begins.
  // Those without the slow ones mostly wait; among the slow ones are some that measure (decision 044).
  const workers = whole ? [] : ['--maxWorkers=3'];
  const tests = runTests('Tests', 'vitest.config.ts', { priority: behindSound, options: workers });
  await types;
  if (built.error) return tests;
  const found = await settle(findBrowser());
  if (found.error) {
    await tests;
    return fail('Browser tests', found.error.message);
  }
  const settings = { CHROMIUM_PATH: found.value };
  for (const [name, programs] of Object.entries(findOtherBrowsers()))
    if (!programs) process.stdout.write(`${name} is not installed: its tests are skipped.\n`);
  // Sound tests mostly wait, because sound plays in real time, so they run beside all others, which have lower
  // priority.
  const sound = runTests('Browser tests with sound', 'vitest.sound.config.ts', { settings, show: false });
  const options = whole ? [] : ['--project=chromium'];
  const others = sound.then(() =>
    runTests('Components', 'vitest.components.config.ts', { settings, show: false, priority: behindSound, options }),
  );
  await tests;
  await runTests('Browser tests', 'vitest.e2e.config.ts', { settings, priority: behindSound });
  await others;
}

function testFilesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => /\.(test|e2e)\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file));
}

function isSlow(file) {
  return readFileSync(join(root, file), 'utf8').startsWith('/** @module-tag slow');
}

async function settle(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return { error };
  }
}

/** Programs that only pass or fail; together they count as one test. */
async function check(name, commands) {
  const began = Date.now();
  for (const [tool, ...args] of commands) {
    const { code, output } = await runTool(tool, args);
    if (code === 0) continue;
    process.stdout.write(output);
    return fail(name, `${tool} ${code === 124 ? 'took too long' : 'found something'}`);
  }
  sum.passed += 1;
  process.stdout.write(`${name}: passed (${secondsSince(began)})\n`);
}

/** Collects the texts of the code: `locales/` must have had all of them. */
async function checkTexts() {
  const before = locales();
  await check('Texts', [['lingui', 'extract', '--clean', '--overwrite']]);
  if (locales() !== before) fail('Texts', 'locales/ was behind the code, and is not now: translate what is new');
}

function locales() {
  const folder = join(root, 'locales');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** `show`: while it runs; otherwise complete at its end, for programs that run beside another. */
async function runTests(name, config, { settings = {}, show = true, priority = 0, options = [] } = {}) {
  process.stdout.write(show ? `${name}:\n` : `${name} run beside the next ones.\n`);
  if (!existsSync(join(root, config))) return fail(name, `${config} is missing`);
  const file = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=./test/support/outcome.ts'];
  const args = ['run', '--config', config, ...reporters, ...selection, ...options];
  const { code, output } = await runTool('vitest', args, {
    show,
    settings: { ...settings, ...(memoryFolder && { TMPDIR: memoryFolder }), OUTCOME_FILE: file },
    limit: 40 * 60_000,
    priority,
  });
  if (!show) process.stdout.write(`${name}:\n${output}`);
  if (!existsSync(file)) return fail(name, 'did not run to their end');
  const { passed, left, skipped, failed, flaky, errors, files } = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += passed;
  sum.left += left;
  sum.skipped += skipped;
  sum.failed.push(...failed);
  sum.flaky.push(...flaky);
  sum.files.push(...files);
  for (const error of errors) sum.failed.push({ name: `${name}: outside of the tests`, error });
  if (passed + failed.length === 0) fail(name, 'none were found');
  else if (code !== 0 && failed.length + errors.length === 0) fail(name, `vitest ended with code ${code}`);
}

function slowest(count) {
  return sum.files
    .toSorted((a, b) => b.took - a.took)
    .slice(0, count)
    .map(({ name, took }) => `${(took / 1000).toFixed(1).padStart(8)} s  ${name}`)
    .join('\n');
}

function printTests(title, tests) {
  if (tests.length === 0) return;
  process.stdout.write(`${title}:\n`);
  for (const { name, error } of tests) process.stdout.write(`  ${name}\n    ${error}\n`);
}

function runTool(tool, args, { show = false, settings = {}, limit = 10 * 60_000, priority = 0 } = {}) {
  const { NODE_ENV: _, ...environment } = process.env;
  const PATH = [join(root, 'node_modules', '.bin'), environment.PATH].join(delimiter);
  // Sites and commands started by tests share compiled code: a third of their start.
  const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'sotto-test');
  const env = { ...environment, NODE_COMPILE_CACHE, ...settings, PATH };
  return run(findNode(), [toolPath(tool), ...args], { env, show, limit, priority });
}

function fail(name, error) {
  sum.failed.push({ name, error });
  process.stdout.write(`${name}: ${error}\n`);
}

function secondsSince(began) {
  return `${((Date.now() - began) / 1000).toFixed(1)} s`;
}
