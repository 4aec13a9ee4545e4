import { createHash } from 'node:crypto';
import { addAbortListener } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { InSlot, LetOthers } from '#gateways/sound/sound-engine.ts';
import { openCommandClient } from './command-client.ts';

const slotLock = 7_150_691;
/** Held by those that wait for a slot. */
const waiting = -1;

/**
 * Programs that keep a core busy, such as encoders, share the slots of their machine among all processes of the site
 * (decision 066). A slot is an advisory lock of a connection of its own, and free again however its process ends.
 * @param directUrl PostgreSQL itself
 */
export function openMachineSlots({
  directUrl,
  max = Math.max(1, Math.floor(availableParallelism() / 2)),
  machine = machineId(),
  pauseMs = 1000,
}: {
  directUrl: string;
  max?: number;
  machine?: string;
  pauseMs?: number;
}): InSlot {
  /** One of them polls at a time, in the order of their calls, so that none is passed over. */
  let last: Promise<unknown> = Promise.resolve();
  /** The keys of locks are numbers of 32 bits: one space for each machine. */
  const space = createHash('sha256').update(`${slotLock} ${machine}`).digest().readInt32BE();
  return async (work, signal) => {
    const client = await openCommandClient(directUrl, 'slot');
    let held = 0;
    try {
      await inOrder(() => take(signal), signal);
      return await work(letOthers);
    } finally {
      await client.end().catch(() => undefined);
    }

    async function letOthers(turn: Parameters<LetOthers>[0]): Promise<void> {
      // Without the database, the program goes on.
      if (!(await isAnyoneWaiting().catch(() => false))) return;
      turn.pause();
      try {
        await client.query('select pg_advisory_unlock($1, $2)', [space, held]);
        // Longer than the pause of those that wait in another process.
        await wait(1.5 * pauseMs, undefined, { signal: turn.signal });
        await inOrder(() => take(turn.signal), turn.signal);
      } catch {
        turn.signal.throwIfAborted();
      }
      turn.resume();
    }

    async function isAnyoneWaiting(): Promise<boolean> {
      const { rowCount } = await client.query('select pg_advisory_unlock($1, $2) where pg_try_advisory_lock($1, $2)', [
        space,
        waiting,
      ]);
      return rowCount === 0;
    }

    /** While it waits it has a lock that those who work see. */
    async function take(stop: AbortSignal | undefined): Promise<void> {
      stop?.throwIfAborted();
      if (await takeOne()) return;
      await client.query('select pg_advisory_lock_shared($1, $2)', [space, waiting]);
      try {
        while (!(await takeOne())) await wait(pauseMs, undefined, { signal: stop });
      } finally {
        await client.query('select pg_advisory_unlock_shared($1, $2)', [space, waiting]).catch(() => undefined);
      }
    }

    async function takeOne(): Promise<boolean> {
      for (held = 0; held < max; held += 1) {
        const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
          space,
          held,
        ]);
        if (rows[0]?.held === true) return true;
      }
      return false;
    }
  };

  async function inOrder(act: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    using _ = signal && addAbortListener(signal, () => reject(signal.reason as Error));
    await Promise.race([mine, aborted]);
  }
}

/** The same in all containers of a machine, whose host names differ. Not on other systems than Linux. */
function machineId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
