/** @module-tag slow */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { englishErrors } from '#domain/kernel/errors.ts';
import { createMetrics } from '#http/metrics.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readJobFigures } from '../jobs/job-records.ts';
import { openJobs } from '../jobs/open-jobs.ts';

const { url, pool } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'sotto-cli-jobs-'));
const sotto = (...args: string[]) =>
  runSotto(args, { environment: { DATA_DIR: dataDir, DATABASE_URL: url }, startFolder: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function failures(): Promise<Map<string, number>> {
  const jobs = JSON.parse((await sotto('jobs', '--json')).stdout) as { name: string; failed: number }[];
  return new Map(jobs.map(({ name, failed }) => [name, failed]));
}

const metrics = createMetrics();
metrics.jobGauges(() => readJobFigures(pool));

test('jobs are listed, tried again and given up, and their figures are in the metrics', async () => {
  expect(await sotto('jobs')).toMatchObject({ code: 0, stdout: '' });
  expect(await metrics.text()).not.toMatch(/^sotto_jobs_waiting\{/m);

  const options = { retries: 0, retryDelay: 1, maxMinutes: 1, keptDays: 1 };
  let isAway = true;
  const { promise: forever, resolve: release } = Promise.withResolvers<void>();
  const jobs = openJobs({
    connectionString: url,
    log: pino({ level: 'silent' }),
    pace: { cron: 1, poll: 0.5, supervise: 1 },
    jobs: () => [
      { name: 'purge-marks', schedule: '0 3 * * *', ...options, run: async () => {} },
      {
        name: 'settle-event',
        ...options,
        batch: 5,
        async run(key) {
          if (key === 'slow') return forever;
          if (isAway) throw new Error('the provider is away');
        },
      },
    ],
  });
  await jobs.started;
  await jobs.add('settle-event', ['one']);
  await vi.waitFor(async () => expect((await failures()).get('settle-event')).toBe(1), { timeout: 8000 });
  expect((await sotto('jobs')).stdout).toMatch(/^purge-marks +0 3 \* \* \*/m);
  const [listed] = JSON.parse((await sotto('jobs', 'show', 'settle-event', '--json')).stdout) as { id: string }[];
  expect(listed).toMatchObject({ state: 'failed', tries: 1, outcome: 'the provider is away' });
  const id = listed?.id ?? '';
  // pg-boss writes this one itself, after a killed process; the job waits for its next try.
  await pool.query(
    `insert into jobs.job (name, state, started_on, start_after, output)
     values ('purge-marks', 'retry', now(), now() + interval '1 hour', '{"value": {"message": "job heartbeat timeout"}}')`,
  );
  expect((await sotto('jobs', 'show', 'purge-marks')).stdout).toMatch(/ retry .* 1 +job heartbeat timeout$/m);
  await pool.query(`delete from jobs.job where name = 'purge-marks'`);
  expect(await sotto('jobs', 'cancel', id)).toMatchObject({
    code: 1,
    stderr: `${englishErrors['system/job-state']}\n`,
  });
  isAway = false;
  expect(await sotto('jobs', 'retry', id)).toMatchObject({ code: 0, stdout: 'Done.\n' });
  await vi.waitFor(async () => expect((await sotto('jobs', 'show', 'settle-event')).stdout).toContain('completed'), {
    timeout: 8000,
  });
  expect(await sotto('jobs', 'retry', id)).toMatchObject({
    code: 1,
    stderr: `${englishErrors['system/job-state']}\n`,
  });

  await jobs.close();
  await pool.query(
    `insert into jobs.job (name, data, singleton_key, policy, start_after) values ('settle-event', '{"key": "x"}', 'x', 'exclusive', now() - interval '90 seconds')`,
  );
  const figures = await vi.waitFor(
    async () => {
      const text = await metrics.text();
      expect(text).toContain('sotto_jobs_waiting{job="settle-event"} 1');
      return text;
    },
    { timeout: 8000, interval: 300 },
  );
  expect(figures).toContain('sotto_jobs_failed{job="purge-marks"} 0');
  expect(figures).toMatch(/^sotto_jobs_lag_seconds\{job="settle-event"\} 9\d/m);
  const waiting = (await sotto('jobs', 'show', 'settle-event')).stdout.slice(0, 36);
  expect((await sotto('jobs', 'cancel', waiting)).code).toBe(0);
  expect((await sotto('jobs', 'show', 'settle-event')).stdout).toContain('cancelled');
  release();

  expect(await sotto('jobs', 'show', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no job "nothing"'),
  });
  expect(await sotto('jobs', 'retry', 'x')).toMatchObject({ code: 2 });
  expect(await sotto('jobs', 'cancel', '00000000-0000-7000-8000-000000000000')).toMatchObject({ code: 1 });
});
