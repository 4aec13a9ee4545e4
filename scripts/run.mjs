// Starts programs for the other scripts. Runs on Node 20, before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** An error that the person at the terminal must know or fix; shown as one line without a stack. */
export class ExpectedError extends Error {}

let asLog = false;

/** From now on `print` and `printError` write lines in the format of the site's log, for a start without a terminal. */
export function printAsLog() {
  asLog = true;
}

/** One line to stdout. */
export function print(line) {
  process.stdout.write(lineOf(30, line));
}

/** One line to stderr. */
export function printError(line) {
  process.stderr.write(lineOf(60, line));
}

function lineOf(level, msg) {
  return asLog ? `${JSON.stringify({ level, time: new Date().toISOString(), msg })}\n` : `${msg}\n`;
}

/** Runs a script's work; turns ExpectedError into one line and exit code 1. */
export async function runScript(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    printError(error.message);
    process.exit(1);
  }
}

const wantedMajor = 24;

export function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= wantedMajor;
}

/** The Node that runs the site: the installed package, otherwise the current one if new enough. @throws ExpectedError */
export function findNode() {
  const installed = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(installed)) return installed;
  if (isNewEnough()) return process.execPath;
  throw new ExpectedError(
    `Node ${wantedMajor} is missing: npm did not run the install script of the package "node". Allow install scripts (npm config get ignore-scripts) and run "npm ci", or use Node ${wantedMajor}.`,
  );
}

/** Path of a program from a package; run it by {@link findNode}. */
export function toolPath(name) {
  return join(root, 'node_modules', '.bin', name);
}

/** The environment in which `node` is the machine's own, as npm's install scripts expect. */
export function systemEnvironment() {
  const entries = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(entry));
  return { ...process.env, PATH: entries.join(delimiter) };
}

const signals = ['SIGINT', 'SIGTERM'];
const children = new Set();
let ending = false;

function endWith(signal) {
  ending = true;
  for (const child of children) child.kill(signal);
}

/**
 * Runs a program to its end and forwards signals to it. `show`: its output goes to the terminal at once, else it is
 * collected. Killed after `limit`, or after `silence` without output, in milliseconds. `priority`: added to its
 * niceness.
 * @returns {Promise<{ code: number, output: string }>} 127 when the program is missing, 124 when killed
 */
export function run(
  command,
  args,
  { cwd = root, env = process.env, show = false, limit = Infinity, silence = Infinity, priority = 0 } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    if (priority !== 0 && child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + priority));
    children.add(child);
    if (children.size === 1) for (const signal of signals) process.on(signal, endWith);
    let output = '';
    let givenUp = false;
    const giveUp = () => {
      givenUp = true;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    };
    const timer = Number.isFinite(limit) ? setTimeout(giveUp, limit) : undefined;
    let quiet = Number.isFinite(silence) ? setTimeout(giveUp, silence) : undefined;
    const collect = (chunk) => {
      output += chunk;
      quiet = quiet?.refresh();
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    const finish = (code) => {
      clearTimeout(timer);
      clearTimeout(quiet);
      if (children.delete(child) && children.size === 0) {
        // Code that runs afterwards, the site itself, has its own handlers.
        for (const signal of signals) process.off(signal, endWith);
        if (ending) process.exit(143);
      }
      resolve({ code: givenUp ? 124 : code, output });
    };
    child.once('error', () => finish(127));
    child.once('close', (code) => finish(code ?? 1));
  });
}

/** Replaces this process by a program: same terminal, signals passed on, and its exit code. */
export function replaceBy(command, args, env) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

/** Stops the site when npm was killed; otherwise the next start would find its folder locked. */
export function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}

/**
 * Prevents two scripts of one checkout from installing or building at once. The holder touches the file while it lives,
 * so that the lock of a killed script expires.
 */
export async function withLock(name, work) {
  const id = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const path = join(tmpdir(), `sotto-${name}-${process.getuid?.() ?? 0}-${id}.lock`);
  const lifetime = 10_000;
  for (let isPrinted = false; ; isPrinted = true) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') break; // Without a writable place, running without a lock is better than not at all.
    }
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > lifetime) rmSync(path, { force: true });
    else {
      if (!isPrinted) print(`Another process is doing the ${name}; waiting for it...`);
      await wait(200);
    }
  }
  const touch = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The temporary folder was cleaned; the work continues.
    }
  }, 1000);
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    process.off('exit', release);
    release();
  }
}
