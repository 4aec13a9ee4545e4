import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';

/** Hiding a creator of 20,000 audios takes half a minute: waiting for that would keep a database connection from others. */
const lockTimeout = '3s';

/**
 * Locks the voices of these audios until the transaction ends, so that none is hidden meanwhile. Call it before the audios
 * are locked: hiding a voice locks the voice, then its audios. Not a shared lock: with one, hiding would wait for as long
 * as audios are published one after the other.
 * @throws DomainError `server/busy` while all audios of such a voice are being changed
 */
export async function holdVoicesOf(tx: Db, isAudio: SQL | undefined): Promise<void> {
  if (isAudio === undefined) return;
  const { rows } = await tx.execute<{ former: string }>(
    sql`select current_setting('lock_timeout') as former, set_config('lock_timeout', ${lockTimeout}, true)`,
  );
  try {
    await tx.execute(
      sql`select from voices where id in (select voice_id from audios where ${isAudio}) order by id for no key update`,
    );
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    if ((cause as { code?: unknown }).code === '55P03')
      throw new DomainError('server/busy', undefined, { cause: error });
    throw error;
  }
  await tx.execute(sql`select set_config('lock_timeout', ${rows[0]?.former ?? '0'}, true)`);
}
