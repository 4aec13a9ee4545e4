import type pg from 'pg';
import type { JobCounts, JobFigures, JobRecord, JobSummary } from '#domain/admin/operations.ts';
import { jobsSchema } from './open-jobs.ts';

type Pool = Pick<pg.Pool, 'query'>;

/** The states for which pg-boss has a partial index with these columns, so that finished jobs cost nothing. */
const counted = `j.state in ('created', 'retry', 'active', 'failed')`;
const isWaiting = `j.state in ('created', 'retry') and j.start_after <= now()`;
/** Queues of pg-boss itself. */
const isOurs = `q.name not like '\\_\\_pgboss%'`;

/** One cheap query. @returns an empty list before the first start */
export async function readJobFigures(pool: Pool): Promise<JobFigures[]> {
  if (!(await areInstalled(pool))) return [];
  const { rows } = await pool.query<JobFigures>(`
    select q.name, count(*) filter (where ${isWaiting})::int as waiting,
      count(*) filter (where j.state = 'active')::int as running,
      count(*) filter (where j.state = 'failed')::int as failed,
      coalesce(extract(epoch from now() - min(j.start_after) filter (where ${isWaiting})), 0)::float8 as "lagSeconds"
    from ${jobsSchema}.queue q left join ${jobsSchema}.job j on j.name = q.name and ${counted}
    where ${isOurs} group by q.name order by q.name`);
  return rows;
}

export function sumJobs(figures: JobFigures[]): JobCounts {
  const sumOf = (key: 'running' | 'waiting' | 'failed') => figures.reduce((sum, one) => sum + one[key], 0);
  return {
    running: sumOf('running'),
    waiting: sumOf('waiting'),
    failed: sumOf('failed'),
    failedNames: figures.flatMap(({ name, failed }) => (failed > 0 ? [name] : [])),
    lagSeconds: Math.max(0, ...figures.map(({ lagSeconds }) => lagSeconds)),
  };
}

export async function listJobs(pool: Pool): Promise<JobSummary[]> {
  const figures = await readJobFigures(pool);
  if (figures.length === 0) return [];
  const { rows } = await pool.query<{ name: string; schedule: string | null; doneAt: Date | null }>(`
    select q.name, s.cron as schedule, (
      select max(j.completed_on) from ${jobsSchema}.job j where j.name = q.name and j.state = 'completed'
    ) as "doneAt"
    from ${jobsSchema}.queue q left join ${jobsSchema}.schedule s on s.name = q.name`);
  const about = new Map(rows.map((row) => [row.name, row]));
  return figures.map((one) => ({
    ...one,
    schedule: about.get(one.name)?.schedule ?? undefined,
    doneAt: about.get(one.name)?.doneAt ?? undefined,
  }));
}

const record = `id, name, state, created_on as "createdAt",
  retry_count + (started_on is not null)::int as tries,
  coalesce(output->>'message', output->'value'->>'message', output::text) as outcome`;

/** The latest jobs of that name: first those that need attention, then the newest. */
export async function listJobsOf(pool: Pool, name: string): Promise<JobRecord[]> {
  if (!(await areInstalled(pool))) return [];
  const { rows } = await pool.query<JobRecord>(
    `select ${record} from ${jobsSchema}.job where name = $1
     order by state in ('completed', 'cancelled'), created_on desc, id limit 50`,
    [name],
  );
  return rows.map(({ outcome, ...row }) => ({ ...row, outcome: outcome ?? undefined }));
}

/** Jobs of every kind that are not done: failed ones first, then running and waiting ones. */
export async function listUnfinishedJobs(pool: Pool): Promise<JobRecord[]> {
  if (!(await areInstalled(pool))) return [];
  const { rows } = await pool.query<JobRecord>(
    `select ${record} from ${jobsSchema}.job j where ${counted} and name not like '\\_\\_pgboss%'
       and (state in ('failed', 'active', 'retry') or start_after <= now())
     order by array_position(array['failed', 'active', 'retry', 'created'], state::text), created_on desc, id limit 100`,
  );
  return rows.map(({ outcome, ...row }) => ({ ...row, outcome: outcome ?? undefined }));
}

export async function findJob(pool: Pool, id: string): Promise<JobRecord | undefined> {
  if (!(await areInstalled(pool))) return undefined;
  const { rows } = await pool.query<JobRecord>(`select ${record} from ${jobsSchema}.job where id = $1`, [id]);
  return rows[0];
}

/** Retries a failed job, or cancels an unfinished one. @returns false when its state does not allow that */
export async function changeJob(
  connectionString: string,
  { name, id, state }: JobRecord,
  change: 'retry' | 'cancel',
): Promise<boolean> {
  const isFinished = state === 'completed' || state === 'cancelled' || state === 'failed';
  if (change === 'retry' ? state !== 'failed' : isFinished) return false;
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    connectionString,
    schema: jobsSchema,
    max: 1,
    application_name: 'sotto command',
    migrate: false,
    supervise: false,
    schedule: false,
    registerInstance: false,
  });
  boss.on('error', () => undefined); // A broken connection also fails its query.
  await boss.start();
  try {
    await (change === 'retry' ? boss.retry(name, id) : boss.cancel(name, id));
    return true;
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function areInstalled(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ there: boolean }>(
    `select to_regclass('${jobsSchema}.job') is not null and to_regclass('${jobsSchema}.queue') is not null as there`,
  );
  return rows[0]?.there === true;
}
