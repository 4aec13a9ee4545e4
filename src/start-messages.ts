import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { ConfigError } from '#config';
import type { Config } from '#config';
import type { Changes } from '#db/changes.ts';
import { StartError } from '#db/embedded-start-error.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { Announce } from './announce.ts';

export function announceReady(announce: Announce, config: Config, siteUrl: string): void {
  if (config.mail.url === undefined)
    announce.info(`Mails are not sent but kept in ${join(config.dataDir, 'outbox')}; MAIL_URL sends them`);
  if (config.stripe === undefined)
    announce.info('Subscriptions are paid with test cards only; STRIPE_SECRET_KEY takes real ones');
  announce.info(`Sotto is ready at ${siteUrl} after ${process.uptime().toFixed(1)} s`);
}

/** Behind PgBouncer's transaction pooling no notifications arrive, and nothing else reports it. */
export async function warnWithoutNotifications(
  changes: Changes,
  { db, log, isClosing }: { db: Db; log: Pick<Logger, 'warn'>; isClosing: () => boolean },
): Promise<void> {
  const isReceived = await changes
    .receives((channel, payload) => db.execute(sql`select pg_notify(${channel}, ${payload})`))
    .catch(() => true); // The database is unavailable, which is reported elsewhere.
  if (!isReceived && !isClosing())
    log.warn(
      'Changes are noticed up to 10 s late, because no notification of the database arrives: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, without PgBouncer',
    );
}

/** One line. Unexpected errors are also logged with their stack. */
export function describeStartFailure(error: unknown, log: Pick<Logger, 'fatal'>): string {
  const { cause } = error as { cause?: unknown };
  const reason = cause instanceof Error ? cause : error;
  const isExplained =
    reason instanceof ConfigError ||
    reason instanceof StartError ||
    typeof (reason as { code?: unknown }).code === 'string';
  if (!isExplained) log.fatal({ err: error }, 'The start failed');
  return (reason instanceof Error ? reason.message : String(reason)).replaceAll(/\s+/g, ' ').trim();
}
