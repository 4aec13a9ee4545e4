import type { Logger } from 'pino';
import { bulkActJob } from '#domain/admin/content/bulk-acts.ts';
import { processUploadJob } from '#domain/studio/uploads/finish-uploads.ts';
import type { Site } from '#domain/site.ts';
import type { Gateways } from '#start/open-gateways.ts';
import type { Job, Jobs, QueuedJob, ScheduledJob } from './open-jobs.ts';

export type SiteJobsOptions = {
  site: Pick<
    Site,
    | 'admin'
    | 'analytics'
    | 'files'
    | 'feeds'
    | 'identity'
    | 'look'
    | 'listening'
    | 'library'
    | 'search'
    | 'catalogue'
    | 'membership'
    | 'notifications'
    | 'studio'
  >;
  gateways: Pick<Gateways, 'blobs' | 'incoming' | 'identity' | 'payments' | 'sound'>;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Makes the backup with that id; undefined: BACKUP_DIR is not set. */
  makeBackup?: ((id: string) => Promise<void>) | undefined;
  /** Hours of sound of one creator within 24 hours, unless an operator chose another number. */
  uploadHoursPerDay?: number | undefined;
};

const everyMinute = { schedule: '* * * * *', retries: 2, retryDelay: 15, maxMinutes: 15, keptDays: 1 };
const nightly = { retries: 8, retryDelay: 30, maxMinutes: 6 * 60, keptDays: 30 };

/** Spread over the hour, so that they do not compete with each other. */
const hourly = (minute: number) => ({
  schedule: `${minute} * * * *`,
  retries: 5,
  retryDelay: 30,
  maxMinutes: 60,
  keptDays: 7,
});

/** All background jobs of the site. Caches and the in-memory search index are per process, and not included. */
export function siteJobs(
  { site, gateways, log, makeBackup, uploadHoursPerDay }: SiteJobsOptions,
  add: Jobs['add'],
): Job[] {
  const { blobs, identity, payments, sound: engine } = gateways;
  const { sandbox } = payments;
  async function reconcilePayments(signal: AbortSignal) {
    const { failed, corrections, ...counts } = await site.membership.reconcile(signal);
    const outcome = { ...counts, corrected: corrections.length, failed: failed.length };
    const logOutcome = failed.length > 0 ? log.warn.bind(log) : log.info.bind(log);
    logOutcome({ ...outcome, first: failed[0]?.reason }, 'Subscriptions are as the provider has them');
    return outcome;
  }
  const uploadTools = { blobs, incoming: gateways.incoming, addJobs: add, log };
  const scheduled: ScheduledJob[] = [
    { name: 'do-due-memberships', ...everyMinute, run: (signal) => site.membership.doDueWork(signal) },
    {
      name: 'send-membership-mails',
      ...everyMinute,
      async run(signal) {
        const mails = await site.membership.sendDueMails(signal);
        await identity.mail.sendDue(signal);
        return { mails };
      },
    },
    {
      name: 'find-waiting-payment-events',
      ...everyMinute,
      async run() {
        const waiting = await site.membership.findWaitingEvents();
        await add('settle-payment-event', waiting);
        return { waiting: waiting.length };
      },
    },
    {
      name: 'find-waiting-uploads',
      ...everyMinute,
      async run() {
        const waiting = await site.studio.findWaitingUploads(engine);
        for (const [turn, { id, voiceId }] of waiting.entries())
          await add(processUploadJob, [id], { turn, group: voiceId });
        return { waiting: waiting.length };
      },
    },
    {
      name: 'find-waiting-bulk-acts',
      ...everyMinute,
      async run() {
        const waiting = await site.admin.content.findWaitingBulkActs();
        await add(bulkActJob, waiting);
        return { waiting: waiting.length };
      },
    },
    {
      name: 'find-waiting-news',
      ...everyMinute,
      async run(signal) {
        const waiting = await site.notifications.findDueBatches();
        await add('tell-followers', waiting);
        return { waiting: waiting.length, planned: await site.notifications.planNews(signal) };
      },
    },
    { name: 'send-news-mails', ...everyMinute, run: (signal) => site.notifications.sendNewsMails(signal) },
    { name: 'send-pushes', ...everyMinute, run: (signal) => site.notifications.sendPushes(signal) },
    {
      name: 'purge-news',
      ...hourly(44),
      run: async (signal) => ({ deleted: await site.notifications.purgeOldNotifications(signal) }),
    },
    {
      name: 'measure-recordings',
      schedule: '*/10 * * * *',
      retries: 3,
      retryDelay: 60,
      maxMinutes: 6 * 60,
      keptDays: 7,
      run: (signal) => site.studio.measureRecordings({ blobs, engine }, signal),
    },
    { name: 'send-waiting-mails', ...everyMinute, run: (signal) => identity.mail.sendDue(signal) },
    {
      name: 'follow-up-reports',
      ...everyMinute,
      async run(signal) {
        const decisions = await site.admin.people.followUpDecisions(signal);
        return { decisions, told: await site.admin.people.notifyOfReports() };
      },
    },
    {
      name: 'add-up-figures',
      ...everyMinute,
      run: async (signal) => ({ added: await site.listening.addUpFigures(signal) }),
    },
    {
      name: 'add-up-catalogue',
      ...hourly(7),
      schedule: '*/15 * * * *',
      run: async () => ({ isLarge: await site.catalogue.addUpTotals() }),
    },
    {
      name: 'count-playlists',
      ...everyMinute,
      run: async (signal) => ({ counted: await site.library.recountPlaylists(signal) }),
    },
    {
      name: 'purge-events',
      ...hourly(4),
      run: (signal) => site.analytics.purgeOldEvents(signal),
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
        await site.listening.purgeOldFigures(signal);
        await site.library.purgePlaylistPlayMarks(signal);
        await site.library.purgeDeletedUserPlaylists(signal);
      },
    },
    {
      name: 'purge-search',
      ...hourly(19),
      async run(signal) {
        await site.search.purgeOldChanges(signal);
        await site.search.purgeOldExcerpts(signal);
      },
    },
    {
      name: 'purge-audios',
      ...hourly(24),
      async run(signal) {
        const deleted = await site.catalogue.purgeDeletedAudios(signal);
        return {
          deleted,
          ...(await site.admin.content.purgeDeletedGroups(signal)),
          series: await site.studio.purgeDeletedSeries(),
          playlists: await site.admin.content.purgeDeletedPlaylists(),
          articles: await site.admin.texts.purgeDeletedArticles(),
          lookFiles: await site.look.purgeLookFiles(),
          bulkActs: await site.admin.content.purgeBulkActs(),
        };
      },
    },
    {
      name: 'remove-unused-files',
      ...hourly(49),
      run: async (signal) => ({ removed: await site.files.removeUnused(signal) }),
    },
    {
      name: 'enter-unknown-files',
      ...nightly,
      schedule: '25 3 * * *',
      run: async (signal) => ({ entered: await site.files.enterUnknown(signal) }),
    },
    {
      name: 'purge-uploads',
      ...hourly(34),
      run: async (signal) => ({ deleted: await site.studio.purgeUploads(uploadTools, signal) }),
    },
    {
      name: 'finish-uploads',
      ...hourly(0),
      schedule: '*/10 * * * *',
      run: async (signal) => ({ finished: await site.studio.finishIdleUploads(uploadTools, signal) }),
    },
    {
      name: 'delete-due-accounts',
      ...hourly(39),
      run: async (signal) => ({ deleted: await site.admin.people.deleteDueAccounts(signal) }),
    },
    {
      name: 'keep-feeds',
      ...hourly(44),
      async run(signal) {
        const [notified, numbered] = [await site.feeds.notifyOfStopped(), await site.feeds.numberEpisodes()];
        return { told: notified, numbered, deleted: await site.feeds.purgeOldUses(signal) };
      },
    },
    { name: 'purge-payments', ...hourly(29), run: (signal) => site.membership.purgeOld(signal) },
    {
      name: 'reconcile-payments',
      schedule: '40 2 * * *',
      ...nightly,
      run: reconcilePayments,
    },
    {
      name: 'add-up-site',
      ...hourly(0),
      schedule: '*/5 * * * *',
      run: () => site.admin.site.addUpSite(),
    },
    { name: 'sum-ledger', ...everyMinute, run: (signal) => site.admin.money.sumLedger(signal) },
  ];
  const queued: QueuedJob[] = [
    {
      name: processUploadJob,
      // One file of each creator. Their programs share the cores in turns (decision 066).
      batch: 1,
      workers: 4,
      oneOfGroup: true,
      retries: 5,
      retryDelay: 10,
      maxMinutes: 5 * 60,
      keptDays: 7,
      run: (uploadId, signal) =>
        site.studio.processUpload({ blobs, engine, hoursPerDay: uploadHoursPerDay }, uploadId, signal),
    },
    {
      name: 'tell-followers',
      batch: 1,
      retries: 10,
      retryDelay: 5,
      maxMinutes: 60,
      keptDays: 7,
      run: async (audioId, signal) => void (await site.notifications.notifyFollowers(audioId, { signal })),
    },
    {
      name: bulkActJob,
      batch: 1,
      retries: 10,
      retryDelay: 5,
      maxMinutes: 5 * 60,
      keptDays: 7,
      run: (id, signal) => site.admin.content.runBulkAct(id, { signal }),
    },
    {
      name: 'settle-payment-event',
      batch: 5,
      retries: 10,
      retryDelay: 30,
      maxMinutes: 5,
      keptDays: 7,
      run: (eventId) => site.membership.settleEvent(eventId),
    },
    {
      name: 'reconcile-now',
      batch: 1,
      retries: 2,
      retryDelay: 60,
      maxMinutes: 6 * 60,
      keptDays: 7,
      run: async (_key, signal) => void (await reconcilePayments(signal)),
    },
  ];
  if (makeBackup !== undefined)
    queued.push({
      name: 'make-backup',
      batch: 1,
      retries: 1,
      retryDelay: 60,
      maxMinutes: 12 * 60,
      keptDays: 30,
      run: makeBackup,
    });
  if (sandbox !== undefined) scheduled.push({ name: 'charge-test-cards', ...everyMinute, run: () => sandbox.tick() });
  return [...queued, ...scheduled];
}
