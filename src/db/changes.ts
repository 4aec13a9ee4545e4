import pg from 'pg';

/**
 * Calls `onChange` when visible content has changed, in this process or another. Only a hint: notifications are lost
 * while the connection is down, so caches also need an expiry.
 */
export async function listenForChanges(options: {
  url: string;
  onChange: () => void;
  onError: (error: Error) => void;
}): Promise<{ close(): Promise<void> }> {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: 'sotto changes',
      keepAlive: true,
      connectionTimeoutMillis: 3000,
      query_timeout: 3000,
    });
    next.on('notification', options.onChange);
    next.on('error', (error) => {
      if (client === next) client = undefined;
      if (closed) return;
      options.onError(error);
      scheduleRetry();
    });
    try {
      await next.connect();
      await next.query('listen catalogue_changed');
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
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
