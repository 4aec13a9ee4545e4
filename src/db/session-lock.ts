import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Takes an advisory lock for as long as the connection lives. It asks again and again: a statement that waits for a lock
 * holds a snapshot, for which `create index concurrently` of the lock's holder would wait in turn, forever.
 * @param onWait called once when another session has the lock
 */
export async function holdSessionLock(
  client: pg.Client,
  key: number,
  { onWait, pauseMs = 250 }: { onWait?: () => void; pauseMs?: number } = {},
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [key]);
    if (rows[0]?.held === true) return;
    if (tries === 1) onWait?.();
    await wait(pauseMs);
  }
}
