import type { Logger } from 'pino';
import { bulkActJob } from '#domain/admin/content/bulk-acts.ts';
import { makeClipJob } from '#domain/listening/clips/clips.ts';
import { settleEach } from '#domain/kernel/settle-each.ts';
import { memberImportJob } from '#domain/membership/importing/run-import.ts';
import { moveJob } from '#domain/membership/moving/run-move.ts';
import { reconcileJob } from '#domain/membership/sync/reconcile.ts';
import { importFeedJob } from '#domain/studio/feed-imports/imports.ts';
import { timeScriptJob } from '#domain/studio/timing/timings.ts';
import { processUploadJob } from '#domain/studio/uploads/finish-uploads.ts';
import type { Site } from '#domain/site.ts';
import type { Gateways } from '#start/open-gateways.ts';
import type { Job, Jobs, QueuedJob, ScheduledJob } from './open-jobs.ts';

export type SiteJobsOptions = {
  site: Site;
  gateways: Pick<
    Gateways,
    'blobs' | 'incoming' | 'identity' | 'payments' | 'sound' | 'feedHub' | 'speech' | 'web' | 'readFeed' | 'openArchive'
  >;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Makes the backup with that id; undefined: BACKUP_DIR is not set. */
  makeBackup?: ((id: string) => Promise<void>) | undefined;
  /** Limits of one creator within 24 hours, unless an operator chose other numbers. */
  uploads?: { hoursPerDay: number; bytesPerDay: number } | undefined;
};

type Timing = Omit<ScheduledJob, 'name' | 'run'>;

const everyMinute: Timing = { schedule: '* * * * *', retries: 2, retryDelay: 15, maxMinutes: 15, keptDays: 1 };
const nightly = { retries: 8, retryDelay: 30, maxMinutes: 6 * 60, keptDays: 30 };
const seldom = { retries: 5, retryDelay: 30, maxMinutes: 60, keptDays: 7 };

/** Spread over the hour, so that they do not compete with each other. */
const hourly = (minute: number): Timing => ({ schedule: `${minute} * * * *`, ...seldom });

/** For jobs that other code adds. */
const once = { batch: 1, retries: 10, retryDelay: 5, maxMinutes: 60, keptDays: 7 };

/** All background jobs of the site. Caches are per process, and not included. */
export function siteJobs({ site, gateways, log, makeBackup, uploads }: SiteJobsOptions, add: Jobs['add']): Job[] {
  const { blobs, identity, payments, sound: engine, feedHub, speech, web, readFeed, openArchive } = gateways;
  const uploadTools = { blobs, incoming: gateways.incoming };

  async function reconcilePayments(signal: AbortSignal) {
    const { failed, corrections, ...counts } = await site.membership.reconcile(signal);
    const outcome = { ...counts, corrected: corrections.length, failed: failed.length };
    const logOutcome = failed.length > 0 ? log.warn.bind(log) : log.info.bind(log);
    logOutcome({ ...outcome, first: failed[0]?.reason }, 'Subscriptions are as the provider has them');
    return outcome;
  }

  async function addWaiting(name: string, keys: string[]) {
    await add(name, keys);
    return { waiting: keys.length };
  }

  async function addWaitingUploads() {
    return addInTurns(processUploadJob, await site.studio.findWaitingUploads(engine));
  }

  /** Creators take turns. */
  async function addInTurns(name: string, waiting: { id: string; voiceId: string }[]) {
    for (const [turn, { id, voiceId }] of waiting.entries()) await add(name, [id], { turn, group: voiceId });
    return { waiting: waiting.length };
  }

  const scheduled: Record<string, [Timing, ScheduledJob['run']]> = {
    'do-due-memberships': [everyMinute, (signal) => site.membership.doDueWork(signal)],
    'send-membership-mails': [
      everyMinute,
      async (signal) => {
        const mails = await site.membership.sendDueMails(signal);
        await identity.mail.sendDue(signal);
        return { mails };
      },
    ],
    'keep-subscribers': [
      hourly(59),
      async (signal) => ({
        queued: await site.membership.planKeepingMails({ signal }),
        codes: await site.membership.winBack({ signal }),
      }),
    ],
    'find-waiting-payment-events': [
      everyMinute,
      async () => addWaiting('settle-payment-event', await site.membership.findWaitingEvents()),
    ],
    'find-running-moves': [everyMinute, async () => addWaiting(moveJob, await site.membership.findRunningMoves())],
    'find-running-imports': [
      everyMinute,
      async () => addWaiting(memberImportJob, await site.admin.people.findRunningImports()),
    ],
    'find-waiting-uploads': [everyMinute, addWaitingUploads],
    'find-waiting-imports': [
      everyMinute,
      async () => addWaiting(importFeedJob, await site.studio.findWaitingImports()),
    ],
    'find-waiting-timings': [
      everyMinute,
      async () => addInTurns(timeScriptJob, await site.studio.findWaitingTimings()),
    ],
    'find-waiting-clips': [everyMinute, async () => addWaiting(makeClipJob, await site.listening.findWaitingClips())],
    'find-waiting-bulk-acts': [
      everyMinute,
      async () => addWaiting(bulkActJob, await site.admin.content.findWaitingBulkActs()),
    ],
    'find-waiting-news': [
      everyMinute,
      async (signal) => ({
        ...(await addWaiting('tell-followers', await site.notifications.findDueBatches())),
        planned: await site.notifications.planNews(signal),
      }),
    ],
    'send-news-mails': [everyMinute, (signal) => site.notifications.sendNewsMails(signal)],
    'send-pushes': [everyMinute, (signal) => site.notifications.sendPushes(signal)],
    'tell-performers': [everyMinute, async () => ({ told: await site.verification.tellPublished() })],
    'remind-of-verifications': [hourly(54), async () => ({ reminded: await site.verification.remindOfEnds() })],
    'purge-news': [hourly(44), async (signal) => ({ deleted: await site.notifications.purgeOldNotifications(signal) })],
    'measure-recordings': [
      { ...seldom, schedule: '*/10 * * * *', retries: 3, retryDelay: 60, maxMinutes: 6 * 60 },
      (signal) => site.studio.measureRecordings({ blobs, engine }, signal),
    ],
    'retag-recordings': [
      { ...seldom, schedule: '27 * * * *', retries: 3, retryDelay: 60, maxMinutes: 6 * 60 },
      (signal) => site.studio.retagRecordings({ blobs, engine }, signal),
    ],
    'forget-age-proofs': [everyMinute, async () => ({ forgotten: await site.age.proofs.forgetOldProofs() })],
    'send-waiting-mails': [everyMinute, (signal) => identity.mail.sendDue(signal)],
    'follow-up-reports': [
      everyMinute,
      async (signal) => {
        const decisions = await site.admin.people.followUpDecisions(signal);
        return { decisions, told: await site.admin.people.notifyOfReports() };
      },
    ],
    'do-due-notices': [everyMinute, (signal) => site.notices.doDueNotices(signal)],
    'add-up-figures': [everyMinute, async (signal) => ({ added: await site.listening.addUpFigures(signal) })],
    'add-up-catalogue': [
      { ...seldom, schedule: '*/15 * * * *' },
      async () => ({ isLarge: await site.catalogue.addUpTotals() }),
    ],
    'count-playlists': [everyMinute, async (signal) => ({ counted: await site.library.recountPlaylists(signal) })],
    'purge-events': [hourly(4), (signal) => site.analytics.purgeOldEvents(signal)],
    'purge-accounts': [
      hourly(9),
      async (signal) => {
        await site.identity.purgeEndedSessions(signal);
        await site.identity.purgeOldAttempts(signal);
        await site.admin.people.purgeImports();
        await identity.purgeExpired(signal);
        await identity.mail.purgeOld(signal);
      },
    ],
    'purge-listening': [
      hourly(14),
      async (signal) => {
        await site.listening.purgeOldMarks(signal);
        await site.listening.purgeOldFigures(signal);
        await site.listening.purgeClips(signal);
        await site.library.purgePlaylistPlayMarks(signal);
        await site.library.purgeDeletedUserPlaylists(signal);
        await site.library.purgeDeletedMixes(signal);
      },
    ],
    'rebuild-search': [
      { ...everyMinute, maxMinutes: 6 * 60, keptDays: 7 },
      (signal) => site.search.rebuildIfAsked(signal),
    ],
    'refresh-search-plays': [{ ...seldom, schedule: '*/5 * * * *' }, () => site.search.refreshPlays()],
    'publish-neighbours': [hourly(49), async (signal) => ({ ...(await site.listening.publishNeighbours({ signal })) })],
    'purge-search': [
      hourly(19),
      async (signal) => {
        await site.search.purgeOldChanges(signal);
        await site.search.purgeOldExcerpts(signal);
      },
    ],
    'purge-audios': [
      hourly(24),
      async (signal) => ({
        deleted: await site.catalogue.purgeDeletedAudios(signal),
        ...(await site.admin.content.purgeDeletedGroups(signal)),
        series: await site.studio.purgeDeletedSeries(),
        articles: await site.admin.texts.purgeDeletedArticles(),
        lookFiles: await site.look.purgeLookFiles(),
        bulkActs: await site.admin.content.purgeBulkActs(),
        credits: await site.studio.purgeRemovedCredits(),
      }),
    ],
    'remove-unused-files': [hourly(49), async (signal) => ({ removed: await site.files.removeUnused(signal) })],
    'enter-unknown-files': [
      { ...nightly, schedule: '25 3 * * *' },
      async (signal) => ({ entered: await site.files.enterUnknown(signal) }),
    ],
    'settle-held-comments': [
      hourly(54),
      async (signal) => ({ settled: await site.community.settleHeldComments(signal) }),
    ],
    'forget-reporters': [hourly(54), async (signal) => ({ forgotten: await site.notices.forgetReporters(signal) })],
    'purge-uploads': [
      hourly(34),
      async (signal) => ({
        deleted: await site.studio.purgeUploads(uploadTools, signal),
        imports: await site.studio.purgeFeedImports(),
      }),
    ],
    'finish-uploads': [
      { ...seldom, schedule: '*/10 * * * *' },
      async (signal) => ({ finished: await site.studio.finishIdleUploads(uploadTools, signal) }),
    ],
    'delete-due-accounts': [
      hourly(39),
      async (signal) => ({ deleted: await site.admin.people.deleteDueAccounts(signal) }),
    ],
    'keep-feeds': [
      hourly(44),
      async (signal) => ({
        told: await site.feeds.notifyOfStopped(),
        numbered: await site.feeds.numberEpisodes(),
        deleted: await site.feeds.purgeOldUses(signal),
        forgotten: await site.feeds.purgeHubPings(signal),
      }),
    ],
    'purge-payments': [
      hourly(29),
      async (signal) => {
        await site.membership.purgeOld(signal);
        await site.earnings.purgePaidPayees(signal);
      },
    ],
    'reconcile-payments': [{ ...nightly, schedule: '40 2 * * *' }, reconcilePayments],
    'add-up-site': [{ ...seldom, schedule: '*/5 * * * *' }, () => site.admin.site.addUpSite()],
    'sum-ledger': [everyMinute, (signal) => site.admin.money.sumLedger(signal)],
  };
  if (feedHub !== undefined)
    scheduled['tell-hub'] = [
      everyMinute,
      async (signal) => ({ told: await site.feeds.tellHub(feedHub, site.facts, signal) }),
    ];
  if (payments.played.length > 0)
    scheduled['charge-test-cards'] = [everyMinute, () => settleEach(payments.played, ({ tick }) => tick())];
  const queued: QueuedJob[] = [
    {
      ...once,
      name: processUploadJob,
      // One file of each creator. Their programs share the cores in turns (decision 066).
      workers: 4,
      oneOfGroup: true,
      retries: 5,
      retryDelay: 10,
      maxMinutes: 5 * 60,
      run: (uploadId, signal) =>
        site.studio.processUpload({ blobs, engine, hoursPerDay: uploads?.hoursPerDay }, uploadId, signal),
    },
    {
      ...once,
      name: importFeedJob,
      workers: 2,
      retryDelay: 15,
      maxMinutes: 6 * 60,
      run: (id, signal) =>
        site.studio.importFeed({ web, readFeed, openArchive, bytesPerDay: uploads?.bytesPerDay }, id, signal),
    },
    {
      ...once,
      name: timeScriptJob,
      retries: 5,
      retryDelay: 10,
      maxMinutes: 2 * 60,
      run: (id, signal) => site.studio.timeScript({ blobs, engine, speech }, id, signal),
    },
    {
      ...once,
      name: makeClipJob,
      workers: 2,
      retries: 3,
      retryDelay: 5,
      maxMinutes: 30,
      run: (id, signal) => site.listening.makeClip({ blobs, engine }, id, signal),
    },
    {
      ...once,
      name: 'tell-followers',
      run: async (audioId, signal) => void (await site.notifications.notifyFollowers(audioId, { signal })),
    },
    {
      ...once,
      name: bulkActJob,
      maxMinutes: 5 * 60,
      run: (id, signal) => site.admin.content.runBulkAct(id, { signal }),
    },
    {
      ...once,
      name: 'settle-payment-event',
      batch: 5,
      retryDelay: 30,
      maxMinutes: 5,
      run: (eventId) => site.membership.settleEvent(eventId),
    },
    {
      ...once,
      name: moveJob,
      maxMinutes: 6 * 60,
      run: (id, signal) => site.membership.runMove(id, { signal }),
    },
    {
      ...once,
      name: memberImportJob,
      maxMinutes: 6 * 60,
      run: (id, signal) => site.admin.people.runImport(id, { signal }),
    },
    {
      ...once,
      name: reconcileJob,
      retries: 2,
      retryDelay: 60,
      maxMinutes: 6 * 60,
      run: async (_key, signal) => void (await reconcilePayments(signal)),
    },
  ];
  if (makeBackup !== undefined)
    queued.push({
      ...once,
      name: 'make-backup',
      retries: 1,
      retryDelay: 60,
      maxMinutes: 12 * 60,
      keptDays: 30,
      run: makeBackup,
    });
  return [...queued, ...Object.entries(scheduled).map(([name, [timing, run]]) => ({ name, ...timing, run }))];
}
