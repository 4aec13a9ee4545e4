import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { callLimits } from '#gateways/call-limits.ts';
import { outageOf } from '#domain/kernel/database/outages.ts';

/** Without trying the replica, so that an outage costs visitors no time. */
const pauseMs = 5000;

/**
 * SQLSTATEs of queries to repeat on the primary (PostgreSQL, appendix A): a write, a conflict with replication, and a
 * column, function or table of a migration that has not arrived.
 */
const onlyHere = new Set(['25006', '40001', '42703', '42883', '42P01']);

export function openReplica(options: {
  url: string;
  poolSize: number;
  onError: ((error: Error) => void) | undefined;
  Client: typeof pg.Client;
}) {
  const visitors = new AsyncLocalStorage<true>();
  const replica = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: 'sotto reads',
    keepAlive: true,
    Client: options.Client,
    // Without session limits, so that it may be PgBouncer too.
    connectionTimeoutMillis: callLimits.databaseReplica.connectMs,
    query_timeout: callLimits.databaseReplica.answerMs,
  });
  replica.on('error', (error) => options.onError?.(error));
  let pausedUntil = 0;

  return {
    /** Like `pool`; within `fromReplica`, the replica answers reads outside of transactions. */
    withReplica(pool: pg.Pool): pg.Pool {
      const askPrimary = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
      async function askReplica(...args: unknown[]): Promise<unknown> {
        try {
          return await (replica.query as (...args: unknown[]) => Promise<unknown>).apply(replica, args);
        } catch (error) {
          const isOnlyHere = onlyHere.has(String((error as { code?: unknown }).code));
          const outage = outageOf(error);
          const isDown = !isOnlyHere && outage !== undefined && outage !== 'too-slow';
          if (!isDown && !isOnlyHere) throw error;
          if (isDown) {
            pausedUntil = Date.now() + pauseMs;
            options.onError?.(error as Error);
          }
          return askPrimary(...args);
        }
      }
      const query = (...args: unknown[]) => {
        const isVisitors = visitors.getStore() === true && Date.now() >= pausedUntil;
        return isVisitors && onlyReads(args) ? askReplica(...args) : askPrimary(...args);
      };
      // Drizzle recognizes a pool by its class.
      return Object.assign(Object.create(pool) as pg.Pool, { query, connect: pool.connect.bind(pool) });
    },
    /** Reads of `work` may be answered by the replica, which may be some seconds behind. */
    fromReplica: <Result>(work: () => Result) => visitors.run(true, work),
    isFromReplica: () => visitors.getStore() === true,
    close: () => replica.end(),
  };
}

const reads = /^\s*(?:select|with)\b/i;
const writes =
  /\b(?:insert|update|delete|merge|for (?:no key )?update|for (?:key )?share|nextval|pg_notify|pg_advisory\w*)\b/i;

/**
 * Whether a call of `pool.query` with these arguments only reads. Calls with a callback count as writes; the site makes
 * none.
 */
export function onlyReads(args: unknown[]): boolean {
  if (typeof args.at(-1) === 'function') return false;
  const [query] = args;
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' && reads.test(text) && !writes.test(text);
}
