import type { Logger } from 'pino';
import type { Site } from '#domain/site.ts';
import type { Gateways } from './open-gateways.ts';
import type { Payments } from './open-payments.ts';

type Options = { site: Site; gateways: Pick<Gateways, 'blobs' | 'identity' | 'payments'>; log: Logger };

/** Starts the periodic work of this process; several processes can share it. */
export function startJobs({ site, gateways, log }: Options): { close(): Promise<void> } {
  const { blobs, identity, payments } = gateways;
  const purge = () =>
    Promise.all([
      site.analytics.purgeOldEvents(),
      site.identity.purgeEndedSessions(),
      site.identity.purgeOldAttempts(),
      site.listening.purgeOldMarks(),
      site.library.purgePlaylistPlayMarks(),
      site.library.purgeDeletedUserPlaylists(),
      site.search.purgeOldChanges(),
      site.search.purgeOldGlimpses(),
      site.catalogue.purgeDeletedAudios(blobs),
      identity.purgeExpired(),
    ]).catch((error: unknown) =>
      log.warn(
        { err: error },
        'Old events, sessions, tries, marks, lists, links and deleted audios could not be forgotten',
      ),
    );
  void purge();
  setInterval(purge, 60 * 60 * 1000).unref();
  void site.search.prepare();
  // Catches changes without a notification, and scheduled publications.
  setInterval(() => void site.search.catchUp(), 10_000).unref();
  return doDueWorkEachMinute({ site, payments, log });
}

/** Sends mails and due gift cards, and reconciles nightly. */
function doDueWorkEachMinute(options: { site: Site; payments: Payments; log: Logger }): { close(): Promise<void> } {
  const { site, payments, log } = options;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    try {
      await payments.sandbox?.tick();
      const { reconciliation } = await site.membership.doDueWork();
      if (reconciliation === undefined) return;
      const { failed, ...counts } = reconciliation;
      const say = failed.length > 0 ? log.warn.bind(log) : log.info.bind(log);
      say({ ...counts, failed: failed.length, first: failed[0]?.reason }, 'Subscriptions are as the provider has them');
    } catch (error) {
      log.warn({ err: error }, 'Due mails and charges could not be worked through');
    }
  }

  const timer = setInterval(() => {
    running ??= work().finally(() => (running = undefined));
  }, 60_000).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
