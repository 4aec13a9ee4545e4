import { readdir, readFile } from 'node:fs/promises';
import type { Figure } from './figures.ts';
import { atMost, skipped } from './figures.ts';

/** The site and its database, idle: each shared page counted once (PSS). Linux only. */
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
  let kilobytes = 0;
  const pending = [pid];
  for (const one of pending) {
    pending.push(...(children.get(one) ?? []));
    const rollup = await readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return atMost(name, kilobytes / 1024, 250, 'MB');
}
