import type pg from 'pg';

export const writeLock = 7_150_691;

export type WriteQueue = {
  /** Runs alone among all writes of all processes, in a transaction that commits if `holds` is true. */
  write<Result>(work: (client: pg.PoolClient) => Promise<{ result: Result; holds: boolean }>): Promise<Result>;
};

/**
 * Serializes all writes; Stripe locks single objects instead. Writes wait here and not for connections, so that a burst
 * uses one connection.
 */
export function openWriteQueue(pool: pg.Pool): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();

  async function carryOut<Result>(
    work: (client: pg.PoolClient) => Promise<{ result: Result; holds: boolean }>,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [writeLock]);
      const { result, holds } = await work(client);
      await client.query(holds ? 'commit' : 'rollback');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    write(work) {
      const turn = last.then(() => carryOut(work));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
