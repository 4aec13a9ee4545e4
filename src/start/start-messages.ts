import { sql } from 'drizzle-orm';
import { type Logger, pino } from 'pino';
import { type Config, ConfigError, isLoopback } from '#config';
import type { Changes } from '#db/changes.ts';
import { StartError } from '#db/embedded/start-error.ts';
import type { Db } from '#domain/kernel/db.ts';
import type { Sentence } from '#domain/kernel/errors.ts';
import { createLog } from './log.ts';

export type Announce = {
  /** Writes one line to stdout. */
  info(line: string): void;
  /** Writes one line to stderr. */
  failure(line: string): void;
};

/** Reports start and stop at any `LOG_LEVEL`: as text on a terminal, otherwise as log lines. */
export function createAnnounce(): Announce {
  const { stdout, stderr } = process;
  if (stdout.isTTY)
    return {
      info: (line) => void stdout.write(`${line}\n`),
      failure: (line) => void stderr.write(`${line}\n`),
    };
  // Synchronous, so that nothing is lost when the process exits.
  const [out, err] = [1, 2].map((fd) => createLog('info', pino.destination({ fd, sync: true })));
  return { info: (line) => out?.info(line), failure: (line) => err?.fatal(line) };
}

/**
 * Names the operator's settings that a site for others lacks; undefined when it lacks none. On loopback nobody else reads
 * the pages and feeds that name the operator.
 */
export function describeMissingOperator({
  operator,
  siteUrl,
}: Pick<Config, 'operator' | 'siteUrl'>): Sentence | undefined {
  if (isLoopback(new URL(siteUrl).hostname)) return undefined;
  const { name, address, email } = operator;
  const settings = { OPERATOR_NAME: name, OPERATOR_ADDRESS: address, OPERATOR_EMAIL: email };
  const unset = Object.entries(settings).flatMap(([setting, value]) => (value === undefined ? [setting] : []));
  if (unset.length === 0) return undefined;
  const values = { unset: unset.join(', '), count: unset.length };
  return email === undefined
    ? /*i18n*/ {
        id: 'doctor.operator.no-email',
        message:
          '{count, plural, one {{unset} is not set} other {{unset} are not set}}: terms, privacy and feeds do not say whose site this is, and podcast directories refuse feeds without an owner’s email',
        values,
      }
    : /*i18n*/ {
        id: 'doctor.operator.unset',
        message:
          '{count, plural, one {{unset} is not set} other {{unset} are not set}}: terms, privacy and feeds do not say whose site this is',
        values,
      };
}

export function announceReady(announce: Announce, config: Config, siteUrl: string): void {
  if (config.mail.url === undefined)
    announce.info('Mails are not sent but kept: npm run sotto -- mails list shows them; MAIL_URL sends them');
  const { stripe, verotel, ccbill, btcpay, paymentStandIns } = config;
  if ([stripe, verotel, ccbill, btcpay].every((account) => account === undefined))
    announce.info(
      paymentStandIns.length > 0
        ? `Subscriptions move no money: ${paymentStandIns.join(', ')} is played by a stand-in`
        : 'Subscriptions are paid with test cards only; STRIPE_SECRET_KEY takes real ones',
    );
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
