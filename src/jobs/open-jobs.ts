import { setTimeout as wait } from 'node:timers/promises';
import type { JobResult, PgBoss, QueueOptions } from 'pg-boss';
import type { Logger } from 'pino';
import type { AddJobs } from '#domain/gateways.ts';
import { callLimits } from '#gateways/call-limits.ts';
import { oncePer } from '#start/log.ts';

/** Schema of pg-boss's tables. It installs and migrates them itself; backups leave them out. */
export const jobsSchema = 'jobs';

/** Maximum connections of each process; usually none is open. */
const maxConnections = 3;
/** Time for running jobs at shutdown; unfinished ones are returned to the queue. */
const stopMs = 1000;
/** A process without a heartbeat for this long is dead, and another one takes its jobs. */
const heartbeatSeconds = 30;

type Declared = {
  /** Kebab case, a verb first. */
  name: string;
  retries: number;
  /** Seconds before the first retry; it doubles with each further one, up to an hour. */
  retryDelay: number;
  /** A job that runs longer is aborted by its signal, and retried by another process. */
  maxMinutes: number;
  /** For finished jobs, failed ones too. */
  keptDays: number;
};

/** Runs on a clock, once per site, whatever the number of processes. */
export type ScheduledJob = Declared & {
  /** Cron expression in UTC. */
  schedule: string;
  /** Must be idempotent: a process may die before its job is marked as done. @returns counts for the operator */
  run(signal: AbortSignal): Promise<object | void>;
};

/** Runs once for each key that was added; a key that waits or runs is not added a second time. */
export type QueuedJob = Declared & {
  schedule?: undefined;
  /** Keys processed at once in one process: by each of its workers, of which there is one by default. */
  batch: number;
  workers?: number;
  /** No job begins while another one of its group runs, in any process, unless both are taken at the same moment. */
  oneOfGroup?: boolean;
  /** Must be idempotent. */
  run(key: string, signal: AbortSignal): Promise<void>;
};

export type Job = ScheduledJob | QueuedJob;

/** For work that a scheduled job finds too: without a queue it is only late. */
export function addJobsOrWarn(add: AddJobs, log: Pick<Logger, 'warn'>): AddJobs {
  return async (name, ...rest) => {
    await add(name, ...rest).catch((error: unknown) => log.warn({ err: error, job: name }, 'A job is late'));
  };
}

export type Jobs = {
  /** @throws before `started` */
  add: AddJobs;
  /** Resolves when the tables exist and this process takes jobs. */
  started: Promise<void>;
  /** Running jobs are aborted by their signal; unfinished ones are returned for another process. */
  close(): Promise<void>;
};

export type OpenJobsOptions = {
  /** The database of the site. Transaction pooling is fine: neither LISTEN nor session state is used. */
  connectionString: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  jobs: (add: Jobs['add']) => Job[];
  /** Seconds between two polls of the tables; for tests. */
  pace?: { cron: number; poll: number; supervise: number };
};

/**
 * Starts processing the site's jobs in the background, and retries an unreachable database. Each process takes jobs
 * from the same tables, so each job runs in only one of them.
 */
export function openJobs({ connectionString, log, jobs: declare, pace }: OpenJobsOptions): Jobs {
  const stopping = new AbortController();
  let opened: PgBoss | undefined;
  let isReopening = false;

  const add: Jobs['add'] = async (name, keys, { turn = 0, group } = {}) => {
    if (opened === undefined) throw new Error('the jobs are not started yet');
    await opened.insert(
      name,
      keys.map((key) => ({
        singletonKey: key,
        data: { key },
        priority: -turn,
        ...(group !== undefined && { group: { id: group } }),
      })),
    );
  };

  /** Loaded here and not with this file, so that the site listens earlier. */
  async function open(): Promise<PgBoss> {
    const { PgBoss: Boss } = await import('pg-boss');
    // `query_timeout` is pg's, and unknown to the types of pg-boss.
    const { connectMs, answerMs } = callLimits.databaseJobs;
    const limits = { connectionTimeoutMillis: connectMs, query_timeout: answerMs };
    const boss = new Boss({
      connectionString,
      schema: jobsSchema,
      max: maxConnections,
      application_name: 'sotto jobs',
      ...limits,
      cronMonitorIntervalSeconds: pace?.cron ?? 20,
      cronWorkerIntervalSeconds: pace?.cron ?? 5,
      superviseIntervalSeconds: pace?.supervise ?? 30,
      monitorIntervalSeconds: pace?.supervise ?? 30,
      openTelemetry: { enabled: false },
    });
    boss.on('error', (error) => {
      if (stopping.signal.aborted) return;
      warn(error);
      if (isMissingTable(error)) reopen(boss);
    });
    boss.on('warning', ({ message }) => log.warn({ reason: message }, 'The jobs had a warning'));
    return boss;
  }

  const warn = oncePer(30_000, (error: Error) => log.warn({ err: error }, 'The jobs had an error'));

  /** The database was restored or replaced: the tables must be created again. */
  function reopen(former: PgBoss): void {
    if (former !== opened || isReopening) return;
    isReopening = true;
    void (async () => {
      await wait((pace?.supervise ?? 10) * 1000, undefined, { signal: stopping.signal, ref: false });
      await former.stop({ graceful: false }).catch(() => undefined);
      isReopening = false;
      await start();
    })().catch((error: unknown) => {
      isReopening = false;
      if (!stopping.signal.aborted) log.error({ err: error }, 'The jobs could not be started again');
    });
  }

  async function start(): Promise<void> {
    const boss = (opened = await open());
    if (stopping.signal.aborted) return;
    await boss.start({ attempts: Number.MAX_SAFE_INTEGER });
    const jobs = declare(add);
    await untilItWorks(() => declareQueues(boss, jobs));
    for (const job of jobs) {
      if (stopping.signal.aborted) return;
      await untilItWorks(() => (job.schedule === undefined ? workOnKeys(boss, job) : workOnSchedule(boss, job)));
    }
  }

  /** The database may be unavailable in between. */
  async function untilItWorks(act: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'The jobs could not be declared; they are tried again');
        await wait(10_000, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async function workOnSchedule(boss: PgBoss, job: ScheduledJob): Promise<void> {
    const pollingIntervalSeconds = pace?.poll ?? (job.schedule.startsWith('* ') ? 5 : 30);
    await boss.work(job.name, { pollingIntervalSeconds }, async ([one]) =>
      run(job, (signal) => job.run(signal), one?.signal),
    );
  }

  async function workOnKeys(boss: PgBoss, job: QueuedJob): Promise<void> {
    const options = {
      pollingIntervalSeconds: pace?.poll ?? 5,
      batchSize: job.batch,
      burstWhenBatchFull: true,
      perJobResults: true,
      localConcurrency: job.workers ?? 1,
      ...(job.oneOfGroup === true && { groupConcurrency: 1 }),
    } as const;
    await boss.work<{ key: string }, unknown, typeof options>(job.name, options, (batch) =>
      Promise.all(
        batch.map(async ({ id, data, signal }): Promise<JobResult> => {
          try {
            await run(job, (stop) => job.run(data.key, stop), signal);
            return { id, status: 'completed' };
          } catch (error) {
            return { id, status: 'failed', output: { message: messageOf(error) } };
          }
        }),
      ),
    );
  }

  async function run<Result>(
    { name }: Job,
    act: (signal: AbortSignal) => Promise<Result>,
    expired: AbortSignal = stopping.signal,
  ): Promise<Result> {
    try {
      return await act(AbortSignal.any([stopping.signal, expired]));
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ job: name, err: error }, 'A job failed');
      // Not the error itself, because its stack and query values would be stored with the job.
      throw new Error(messageOf(error));
    }
  }

  const started = start();
  started.catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'The jobs could not be started');
  });
  return {
    add,
    started,
    async close() {
      stopping.abort(new Error('the process stops'));
      await opened?.stop({ graceful: true, timeout: stopMs });
      await started.catch(() => undefined);
    },
  };
}

/** SQLSTATE of a missing table or schema (PostgreSQL, appendix A). */
function isMissingTable(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return code === '42P01' || code === '3F000';
}

/** Creates queues and updates their options; schedules of jobs that this version does not have are removed. */
async function declareQueues(boss: PgBoss, jobs: Job[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const job of jobs) {
    const options: QueueOptions = {
      retryLimit: job.retries,
      retryDelay: job.retryDelay,
      retryBackoff: true,
      retryDelayMax: 3600,
      heartbeatSeconds,
      expireInSeconds: job.maxMinutes * 60,
      deleteAfterSeconds: job.keptDays * 24 * 60 * 60,
    };
    // Exclusive: no second job with the same key while one waits or runs.
    if (known.has(job.name)) await boss.updateQueue(job.name, options);
    else await boss.createQueue(job.name, { ...options, policy: 'exclusive' });
    // A turn missed while no process ran is made up once.
    if (job.schedule !== undefined) await boss.schedule(job.name, job.schedule, null, { tz: 'UTC', missed: 'once' });
  }
  const scheduled = new Set(jobs.flatMap((job) => (job.schedule === undefined ? [] : [job.name])));
  for (const { name } of await boss.getSchedules()) if (!scheduled.has(name)) await boss.unschedule(name);
}

/** Database errors quote the query's values, so only their code is kept. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'not an error';
  const { code } = (error.cause ?? error) as { code?: unknown };
  return error.message.startsWith('Failed query') ? `a query failed (${String(code)})` : error.message.slice(0, 500);
}
