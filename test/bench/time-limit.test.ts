import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { withinLimit } from '../../bench/time-limit.ts';

const started: ChildProcess[] = [];
afterAll(() => {
  for (const { pid = 0 } of started)
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Killed by the test.
    }
});

/** A shell with a program below it, which holds its output open. */
function start(): ChildProcess {
  const child = spawn('sh', ['-c', 'sleep 60 & wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  return child;
}

test('a part of the benchmark that hangs is given up, with all programs that it started and no others', async () => {
  const other = start();
  const isOtherClosed = once(other, 'close').then(() => true);
  let closed: Promise<unknown> | undefined;
  const outcome = await withinLimit(300, async () => {
    const child = start();
    closed = once(child, 'close');
    await new Promise(() => undefined);
  });
  expect(outcome).toEqual({ isOver: true });
  await closed;
  expect(await Promise.race([isOtherClosed, false])).toBe(false);
});

test('a part that ends in time hands over its result, and its failure', async () => {
  expect(await withinLimit(60_000, async () => 7)).toEqual({ isOver: false, result: 7 });
  await expect(withinLimit(60_000, () => Promise.reject(new Error('no browser')))).rejects.toThrow('no browser');
});
