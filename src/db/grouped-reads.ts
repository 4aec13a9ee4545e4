import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { onlyReads } from './read-replica.ts';

type Waiting = { args: unknown[]; resolve(result: unknown): void; reject(error: unknown): void };

/**
 * Sends a page's simultaneous reads over one connection in one write (PostgreSQL, "Pipelining"): a connection and a
 * round trip for each cost more than most of these reads. Writes are excluded, because they may wait for locks.
 */
export function groupReads(pool: pg.Pool) {
  const groups = new AsyncLocalStorage<Waiting[]>();
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;

  async function send(group: Waiting[]): Promise<void> {
    const reads = group.splice(0);
    const [only] = reads;
    if (reads.length === 1 && only !== undefined) return void ask(...only.args).then(only.resolve, only.reject);
    let client: PipeliningClient;
    try {
      client = (await pool.connect()) as PipeliningClient;
    } catch (error) {
      for (const { reject } of reads) reject(error);
      return;
    }
    client.pipeline = true;
    const { stream } = client.connection;
    stream.cork();
    const answers = reads.map(({ args }) => (client.query as (...args: unknown[]) => Promise<unknown>)(...args));
    stream.uncork();
    for (const [index, answer] of answers.entries()) answer.then(reads[index]?.resolve, reads[index]?.reject);
    const outcomes = await Promise.allSettled(answers);
    client.pipeline = false;
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // Like the pool itself after a failed query.
    client.release(failed !== undefined);
  }

  return {
    /** Sends reads that `work` starts in one turn of the event loop to the database together. */
    together: <Result>(work: () => Result) => groups.run([], work),
    /** `query` of the pool, grouped within `together`. */
    query(...args: unknown[]): Promise<unknown> {
      const group = groups.getStore();
      if (group === undefined || !onlyReads(args)) return ask(...args);
      return new Promise((resolve, reject) => {
        group.push({ args, resolve, reject });
        if (group.length === 1) setImmediate(() => void send(group));
      });
    },
  };
}

/** Members of pg's client that its types lack. */
type PipeliningClient = pg.PoolClient & {
  pipeline: boolean;
  connection: { stream: { cork(): void; uncork(): void } };
};
