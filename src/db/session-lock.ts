import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { newCommandClient } from './command-client.ts';
import { StartError } from './embedded/start-error.ts';

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

const startLock = 7_150_689;

/**
 * Lets one process at a time check, migrate and fill a database. The lock belongs to a session, so that no transaction
 * is open meanwhile, and ends with it.
 * @param onWait called when another process is starting
 */
export async function lockStart(directUrl: string, onWait: () => void): Promise<{ release(): Promise<void> }> {
  const client = newCommandClient(directUrl, 'start');
  try {
    await client.connect();
    await holdSessionLock(client, startLock, { onWait });
  } catch (error) {
    await client.end().catch(() => undefined);
    const { message, code = '' } = error as NodeJS.ErrnoException;
    throw new StartError(`the database cannot be reached at its direct address: ${message || code}`);
  }
  return { release: () => client.end().catch(() => undefined) };
}
