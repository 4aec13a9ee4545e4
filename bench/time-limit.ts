import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

/**
 * Gives up work that takes too long, and kills the programs that it started, so that they do not slow what is measured
 * next.
 */
export async function withinLimit<Result>(
  milliseconds: number,
  work: (givenUp: AbortSignal) => Promise<Result>,
): Promise<{ isOver: true } | { isOver: false; result: Result }> {
  const before = new Set((await listProcesses()).filter(isChild).map(({ id }) => id));
  const timer = new AbortController();
  const givenUp = new AbortController();
  const limit = wait(milliseconds, { isOver: true } as const, { signal: timer.signal });
  try {
    const outcome = await Promise.race([
      work(givenUp.signal).then((result) => ({ isOver: false, result }) as const),
      limit,
    ]);
    if (outcome.isOver) {
      givenUp.abort();
      await killAllBut(before);
    }
    return outcome;
  } finally {
    timer.abort();
    await limit.catch(() => undefined);
  }
}

type Process = { id: number; parent: number };

const isChild = ({ parent }: Process) => parent === process.pid;

async function listProcesses(): Promise<Process[]> {
  const { stdout } = await runProgram('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([id = 0, parent = 0]) => ({ id, parent }));
}

/** @param kept children, which keep what they start later */
async function killAllBut(kept: Set<number>): Promise<void> {
  const all = await listProcesses();
  const ended = all.filter((one) => isChild(one) && !kept.has(one.id));
  for (const { id } of ended) ended.push(...all.filter(({ parent }) => parent === id));
  for (const { id } of ended)
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
}
