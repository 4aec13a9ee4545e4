import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';

/** Clock ticks per second of `/proc`; 100 on every Linux that Node supports (proc(5)). */
const ticks = 100;

/**
 * CPU seconds that a process has used with all its threads, without its children. Other work on the machine does not
 * change it much, unlike wall time.
 * @returns undefined where there is no `/proc`
 */
export async function cpuSecondsOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program may contain spaces and parentheses; user and system time are fields 14 and 15.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / ticks;
}

/**
 * Requests that a process answers for each second of its CPU time: what it could answer alone on a processor, whatever
 * else the machine does.
 * @throws when an answer is not 2xx
 */
export async function requestsPerCpuSecond(
  pid: number,
  { url, amount, ...options }: autocannon.Options & { url: string; amount: number },
): Promise<number> {
  const before = (await cpuSecondsOf(pid)) ?? Number.NaN;
  const result = await autocannon({ url, amount, ...options });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return amount / (((await cpuSecondsOf(pid)) ?? Number.NaN) - before);
}
