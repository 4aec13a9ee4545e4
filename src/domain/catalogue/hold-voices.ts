import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';

/**
 * Locks the voices of these audios until the transaction ends, so that none is hidden meanwhile. Call it before the audios
 * are locked: hiding a voice locks the voice, then its audios. Not a shared lock: with one, hiding would wait for as long
 * as audios are published one after the other.
 */
export async function holdVoicesOf(tx: Db, isAudio: SQL | undefined): Promise<void> {
  if (isAudio === undefined) return;
  await tx.execute(
    sql`select from voices where id in (select voice_id from audios where ${isAudio}) order by id for no key update`,
  );
}
