import pg from 'pg';
import { callLimits } from '#gateways/call-limits.ts';

/** A connection of its own, for commands and migrations: without the site's limits of time. Not connected yet. */
export function newCommandClient(connectionString: string, name: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: `sotto ${name}`,
    keepAlive: true,
    connectionTimeoutMillis: callLimits.databaseCommand.connectMs,
  });
  client.on('error', () => undefined); // A broken connection also fails its query.
  return client;
}

export async function openCommandClient(connectionString: string, name: string): Promise<pg.Client> {
  const client = newCommandClient(connectionString, name);
  await client.connect();
  return client;
}
