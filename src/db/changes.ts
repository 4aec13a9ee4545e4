import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { callLimits } from '#gateways/call-limits.ts';

export type Changes = Awaited<ReturnType<typeof listenForChanges>>;

const changeChannel = 'catalogue_changed';
const trialChannel = 'sotto_hearing';
const trialMs = 2000;

/**
 * Calls `onChange` when visible content has changed, in this process or another. Only a hint: notifications are lost
 * while the connection is down, so caches also need an expiry.
 */
export async function listenForChanges(options: {
  /** PostgreSQL itself, never a pooler. */
  url: string;
  /** @param table undefined: anything may have changed */
  onChange: (table?: string) => void;
  onError: (error: Error) => void;
}) {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const trials = new Map<string, () => void>();

  function onNotification({ channel, payload }: pg.Notification): void {
    if (channel === trialChannel) trials.get(payload ?? '')?.();
    else options.onChange(payload || undefined);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: 'sotto changes',
      keepAlive: true,
      connectionTimeoutMillis: callLimits.databaseChanges.connectMs,
      query_timeout: callLimits.databaseChanges.answerMs,
    });
    next.on('notification', onNotification);
    next.on('error', (error) => {
      if (client === next) client = undefined;
      if (closed) return;
      options.onError(error);
      scheduleRetry();
    });
    try {
      await next.connect();
      await next.query(`listen ${changeChannel}`);
      await next.query(`listen ${trialChannel}`);
    } catch (error) {
      void next.end().catch(() => undefined);
      throw error;
    }
    client = next;
    // Changes while the connection was down are unknown.
    options.onChange();
  }

  function scheduleRetry(): void {
    clearTimeout(retry);
    retry = setTimeout(() => void connect().catch(scheduleRetry), 1000);
    retry.unref();
  }

  await connect();
  return {
    /**
     * Tests whether notifications arrive. PgBouncer in transaction mode drops them without an error.
     * @param notify sends one as the site does, through its pool
     */
    async receives(notify: (channel: string, payload: string) => Promise<unknown>): Promise<boolean> {
      const payload = randomUUID();
      let timer: NodeJS.Timeout | undefined;
      const received = Promise.withResolvers<boolean>();
      trials.set(payload, () => received.resolve(true));
      try {
        await notify(trialChannel, payload);
        // Only from here on, because a busy database may take long to send it.
        timer = setTimeout(() => received.resolve(false), trialMs);
        timer.unref();
        return await received.promise;
      } finally {
        clearTimeout(timer);
        trials.delete(payload);
      }
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
