import { newCommandClient } from './command-client.ts';
import { StartError } from './embedded/start-error.ts';
import { holdSessionLock } from './session-lock.ts';

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
