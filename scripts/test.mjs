// All checks of the project. `--fast`: types, lint and the tests without a browser.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { findNode, root, run, runScript, toolPath, Trouble } from './run.mjs';

const fast = process.argv.includes('--fast');
const sum = { passed: 0, failed: 0, skipped: 0 };
const reports = mkdtempSync(join(tmpdir(), 'sotto-test-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));

await runScript(async () => {
  try {
    await ensureInstalled();
    await runPhases();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    fail(error.message);
  }
  if (sum.skipped > 0) process.stdout.write(`${sum.skipped} skipped\n`);
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
  process.exitCode = sum.failed === 0 ? 0 : 1;
});

async function runPhases() {
  // Looked for, and if need be fetched, while the first phases run.
  const browser = fast ? undefined : settle(findBrowser());
  await check('Types', [
    ['react-router', 'typegen'],
    ['tsc', '--noEmit', '--checkers', '2'],
  ]);
  await check('Lint', [['oxlint']]);
  await check('Format', [['oxfmt', '--check']]);
  await check('Unused code', [['knip']]);
  // Before the tests: some of them start the whole site.
  const built = await settle(ensureBuilt());
  if (built.error) fail(`Build: ${built.error.message}`);
  await runTests('Tests', 'vitest.config.ts');
  if (browser === undefined || built.error) return;
  const found = await browser;
  if (found.error) return fail(`Browser tests: ${found.error.message}`);
  const settings = { CHROMIUM_PATH: found.value };
  await runTests('Browser tests', 'vitest.e2e.config.ts', settings);
  await runTests('Browser tests with sound', 'vitest.sound.config.ts', settings);
}

async function settle(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    return { error };
  }
}

/** Programs that say yes or no: together one test. */
async function check(name, commands) {
  const began = Date.now();
  for (const [tool, ...args] of commands) {
    const { code, output } = await runTool(tool, args);
    if (code === 0) continue;
    process.stdout.write(output);
    return fail(`${name}: ${tool} ${code === 124 ? 'took too long' : 'found something'}`);
  }
  sum.passed += 1;
  process.stdout.write(`${name}: passed (${secondsSince(began)})\n`);
}

async function runTests(name, config, settings = {}) {
  process.stdout.write(`${name}:\n`);
  if (!existsSync(join(root, config))) return fail(`${name}: ${config} is missing`);
  const report = join(reports, `${config}.json`);
  const args = ['run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runTool('vitest', args, { show: true, settings, limit: 40 * 60_000 });
  const counted = count(report);
  if (counted === undefined) return fail(`${name}: did not run to their end`);
  sum.passed += counted.passed;
  sum.failed += counted.failed;
  sum.skipped += counted.skipped;
  if (counted.passed + counted.failed === 0) fail(`${name}: none were found`);
  else if (code !== 0 && counted.failed === 0) fail(`${name}: an error outside of the tests; see above`);
}

/** A file that cannot be loaded has no tests to fail; it counts as one. */
function count(report) {
  try {
    const { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    const broken = testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    );
    return { passed: numPassedTests, failed: numFailedTests + broken.length, skipped: numPendingTests + numTodoTests };
  } catch {
    return undefined;
  }
}

function runTool(tool, args, { show = false, settings = {}, limit = 10 * 60_000 } = {}) {
  const { NODE_ENV: _, ...environment } = process.env;
  const PATH = [join(root, 'node_modules', '.bin'), environment.PATH].join(delimiter);
  return run(findNode(), [toolPath(tool), ...args], { env: { ...environment, ...settings, PATH }, show, limit });
}

function fail(line) {
  sum.failed += 1;
  process.stdout.write(`${line}\n`);
}

function secondsSince(began) {
  return `${((Date.now() - began) / 1000).toFixed(1)} s`;
}
