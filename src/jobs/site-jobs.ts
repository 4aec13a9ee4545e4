import type { Logger } from 'pino';
import type { Site } from '#domain/site.ts';
import type { Gateways } from '../open-gateways.ts';
import type { Job, Jobs, QueuedJob, ScheduledJob } from './open-jobs.ts';

export type SiteJobsOptions = {
  site: Pick<
    Site,
    'analytics' | 'content' | 'identity' | 'listening' | 'library' | 'search' | 'catalogue' | 'membership'
  >;
  gateways: Pick<Gateways, 'blobs' | 'identity' | 'payments'>;
  log: Pick<Logger, 'info' | 'warn'>;
};

const everyMinute = { schedule: '* * * * *', retries: 2, retryDelay: 15, mostMinutes: 15, keptDays: 1 };
const nightly = { retries: 8, retryDelay: 30, mostMinutes: 6 * 60, keptDays: 30 };

/** Spread over the hour, so that they do not compete with each other. */
const hourly = (minute: number) => ({
  schedule: `${minute} * * * *`,
  retries: 5,
  retryDelay: 30,
  mostMinutes: 60,
  keptDays: 7,
});

/** Everything that the site does by itself. Caches and the search index in memory are per process, and not here. */
export function siteJobs({ site, gateways, log }: SiteJobsOptions, add: Jobs['add']): Job[] {
  const { blobs, identity, payments } = gateways;
  const { sandbox } = payments;
  const scheduled: ScheduledJob[] = [
    { name: 'do-due-memberships', ...everyMinute, run: () => site.membership.doDueWork() },
    {
      name: 'find-waiting-payment-events',
      ...everyMinute,
      async run() {
        const waiting = await site.membership.findWaitingEvents();
        await add('settle-payment-event', waiting);
        return { waiting: waiting.length };
      },
    },
    { name: 'send-waiting-mails', ...everyMinute, run: (signal) => identity.mail.sendDue(signal) },
    {
      name: 'follow-up-reports',
      ...everyMinute,
      async run(signal) {
        const decisions = await site.content.followUpDecisions(signal);
        return { decisions, told: await site.content.tellOfReports() };
      },
    },
    {
      name: 'purge-events',
      ...hourly(4),
      run: async (signal) => ({ deleted: await site.analytics.purgeOldEvents(signal) }),
    },
    {
      name: 'purge-accounts',
      ...hourly(9),
      async run(signal) {
        await site.identity.purgeEndedSessions(signal);
        await site.identity.purgeOldAttempts(signal);
        await identity.purgeExpired(signal);
        await identity.mail.purgeOld(signal);
      },
    },
    {
      name: 'purge-listening',
      ...hourly(14),
      async run(signal) {
        await site.listening.purgeOldMarks(signal);
        await site.library.purgePlaylistPlayMarks(signal);
        await site.library.purgeDeletedUserPlaylists(signal);
      },
    },
    {
      name: 'purge-search',
      ...hourly(19),
      async run(signal) {
        await site.search.purgeOldChanges(signal);
        await site.search.purgeOldGlimpses(signal);
      },
    },
    {
      name: 'purge-audios',
      ...hourly(24),
      run: async (signal) => ({
        deleted: await site.catalogue.purgeDeletedAudios(blobs, signal),
        playlists: await site.content.purgeDeletedPlaylists(),
      }),
    },
    { name: 'purge-payments', ...hourly(29), run: (signal) => site.membership.purgeOld(signal) },
    {
      name: 'reconcile-payments',
      schedule: '40 2 * * *',
      ...nightly,
      async run(signal) {
        const { failed, ...counts } = await site.membership.reconcile(signal);
        const say = failed.length > 0 ? log.warn.bind(log) : log.info.bind(log);
        say(
          { ...counts, failed: failed.length, first: failed[0]?.reason },
          'Subscriptions are as the provider has them',
        );
        return { ...counts, failed: failed.length };
      },
    },
  ];
  const queued: QueuedJob[] = [
    {
      name: 'settle-payment-event',
      batch: 5,
      retries: 10,
      retryDelay: 30,
      mostMinutes: 5,
      keptDays: 7,
      run: (eventId) => site.membership.settleEvent(eventId),
    },
  ];
  if (sandbox !== undefined) scheduled.push({ name: 'charge-test-cards', ...everyMinute, run: () => sandbox.tick() });
  return [...queued, ...scheduled];
}
