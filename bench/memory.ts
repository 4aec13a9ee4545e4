import { readdir, readFile } from 'node:fs/promises';
import { type Figure, atMost, skipped } from './figures.ts';

/** MB of one process, with shared pages counted proportionally (PSS); 0 without /proc. */
export async function memoryOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** The site and its database, idle, with shared pages counted once (PSS). Linux only. */
export async function benchMemory(pid: number): Promise<Figure> {
  const name = 'Idle memory of the process with the demo catalogue and its database';
  if (process.platform !== 'linux') return skipped(name, 'needs /proc');
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = Number(/\) \S (\d+)/.exec(stat)?.[1]);
    if (parent > 0) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  let megabytes = 0;
  const pending = [pid];
  for (const one of pending) {
    pending.push(...(children.get(one) ?? []));
    megabytes += await memoryOf(one);
  }
  return atMost(name, megabytes, 250, 'MB');
}
