import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { type Leases, type LeaseOptions, takeLease } from '../../kernel/leases.ts';

/**
 * Mutex per upload: two requests never write to one file. A waiter asks the holder to stop, because the holder's client
 * may have disconnected silently.
 */
export const uploadLeases: Leases = {
  table: sql`upload_locks`,
  key: sql`upload_id`,
  canBeWanted: true,
  seconds: 15,
  renewEveryMs: 1000,
  pollMs: 100,
};

export async function takeUploadLock(db: Db, uploadId: string, options?: LeaseOptions) {
  return takeLease(db, uploadLeases, uploadId, options);
}
