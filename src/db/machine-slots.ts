import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { InSlot } from '#gateways/sound/sound-engine.ts';
import { openCommandClient } from './command-client.ts';

const slotLock = 7_150_691;

/**
 * Programs that keep a core busy, such as encoders, share the slots of their machine among all processes of the site
 * (decision 066). A slot is an advisory lock of a connection of its own, and free again however its process ends.
 * @param directUrl PostgreSQL itself
 */
export function openMachineSlots({
  directUrl,
  most = Math.max(1, Math.floor(availableParallelism() / 2)),
  machine = machineId(),
  pauseMs = 1000,
}: {
  directUrl: string;
  most?: number;
  machine?: string;
  pauseMs?: number;
}): InSlot {
  /** The keys of locks are numbers of 32 bits: one space for each machine. */
  const space = createHash('sha256').update(`${slotLock} ${machine}`).digest().readInt32BE();
  return async (work, signal) => {
    const client = await openCommandClient(directUrl, 'slot');
    try {
      while (!(await takeOne())) await wait(pauseMs, undefined, { signal });
      return await work();
    } finally {
      await client.end().catch(() => undefined);
    }

    async function takeOne(): Promise<boolean> {
      signal?.throwIfAborted();
      for (let slot = 0; slot < most; slot += 1) {
        const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
          space,
          slot,
        ]);
        if (rows[0]?.held === true) return true;
      }
      return false;
    }
  };
}

/** The same in all containers of a machine, whose host names differ. Not on other systems than Linux. */
function machineId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
