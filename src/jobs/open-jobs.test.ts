/** @module-tag slow */
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { type Job, type Jobs, openJobs } from './open-jobs.ts';

const { url, pool } = await createTestDatabase();
const opened: Jobs[] = [];
const options = { retries: 3, retryDelay: 1, maxMinutes: 1, keptDays: 1 };
const lines: string[] = [];
const log = pino({}, { write: (line: string) => void lines.push(line) });

function open(jobs: Job[]): Jobs {
  const one = openJobs({ connectionString: url, log, jobs: () => jobs, pace: { cron: 1, poll: 0.5, supervise: 1 } });
  opened.push(one);
  return one;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  expect(lines.splice(0)).toEqual([]);
});

const stateOf = async (name: string) =>
  (
    await pool.query<{ state: string; retries: number; output: unknown }>(
      'select state, retry_count as retries, output from jobs.job where name = $1',
      [name],
    )
  ).rows;

test('processes that start at once share the tables, and a job on the clock runs in one of them', async () => {
  const runs: string[] = [];
  const clock = (process: string): Job[] => [
    {
      name: 'count',
      schedule: '* * * * *',
      ...options,
      async run() {
        runs.push(process);
        return { counted: 3 };
      },
    },
  ];
  // The minute that is due when they start counts.
  await Promise.all(['a', 'b', 'c'].map((name) => open(clock(name)).started));
  await vi.waitFor(async () => expect(await stateOf('count')).toMatchObject([{ state: 'completed' }]), {
    timeout: 10_000,
  });
  const done = await stateOf('count');
  expect(done[0]?.output).toEqual({ counted: 3 });
  // A minute may have ended meanwhile.
  expect(runs.length).toBe(done.length);
});

test('a key that waits is not added twice, and a failed one is tried again', async () => {
  const seen: string[] = [];
  const { promise: added, resolve: release } = Promise.withResolvers<void>();
  const jobs = open([
    {
      name: 'settle',
      ...options,
      batch: 10,
      async run(key) {
        await added;
        seen.push(key);
        if (key === 'b' && seen.filter((one) => one === 'b').length === 1) throw new Error('the provider is away');
      },
    },
  ]);
  await jobs.started;
  await Promise.all([jobs.add('settle', ['a', 'b']), jobs.add('settle', ['b', 'a', 'c'])]);
  release();
  await vi.waitFor(
    async () => expect((await stateOf('settle')).map(({ state }) => state)).toEqual(Array(3).fill('completed')),
    { timeout: 10_000 },
  );
  expect(seen.toSorted()).toEqual(['a', 'b', 'b', 'c']);
  expect((await stateOf('settle')).map(({ retries }) => retries).toSorted()).toEqual([0, 0, 1]);
  expect(lines.splice(0).map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, job: 'settle', err: { message: 'the provider is away' }, msg: 'A job failed' },
  ]);
});

test('a job that runs when its process stops is given back at once', async () => {
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const slow = (run: (signal: AbortSignal) => Promise<void>): Job[] => [
    { name: 'purge', ...options, batch: 1, run: (_key, signal) => run(signal) },
  ];
  const first = open(
    slow(
      (signal) =>
        new Promise((_resolve, reject) => {
          begin();
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    ),
  );
  await first.started;
  await first.add('purge', ['all']);
  await began;
  await first.close();
  expect(await stateOf('purge')).toMatchObject([{ state: 'retry' }]);
  let done = 0;
  const second = open(slow(async () => void (done += 1)));
  await second.started;
  await vi.waitFor(async () => expect(await stateOf('purge')).toMatchObject([{ state: 'completed' }]), {
    timeout: 10_000,
  });
  expect(done).toBe(1);
});

test('when the tables are gone, because the database was restored, they are made again', async () => {
  let done = 0;
  const jobs = open([{ name: 'renew', ...options, batch: 1, run: async () => void (done += 1) }]);
  await jobs.started;
  await pool.query('drop schema jobs cascade');
  await vi.waitFor(
    async () => {
      await jobs.add('renew', ['all']);
      await vi.waitFor(() => expect(done).toBeGreaterThan(0), { timeout: 1500 });
    },
    { timeout: 10_000 },
  );
  expect(lines.splice(0).join()).toContain('The jobs had an error');
});

test('a schedule that a later version does not have is removed', async () => {
  const former = open([{ name: 'former', schedule: '0 0 1 1 *', ...options, run: async () => {} }]);
  await former.started;
  await former.close();
  await open([]).started;
  expect((await pool.query('select name from jobs.schedule')).rows).toEqual([]);
});

test('keys of an earlier turn run first, also those that were added later', async () => {
  const seen: string[] = [];
  const { promise: added, resolve: release } = Promise.withResolvers<void>();
  const jobs = open([
    {
      name: 'take-turns',
      ...options,
      batch: 1,
      async run(key) {
        seen.push(key);
        if (key === 'running') await added;
      },
    },
  ]);
  await jobs.started;
  await jobs.add('take-turns', ['running']);
  await vi.waitFor(() => expect(seen).toEqual(['running']), { timeout: 10_000 });
  for (const [turn, key] of ['a1', 'a2', 'a3'].entries()) await jobs.add('take-turns', [key], { turn });
  await jobs.add('take-turns', ['b1']);
  release();
  await vi.waitFor(() => expect(seen).toEqual(['running', 'a1', 'b1', 'a2', 'a3']), { timeout: 20_000 });
});

test('no key runs while another one of its group does, also with several workers and processes', async () => {
  const [began, ends] = [[] as string[], new Map<string, () => void>()];
  const queue: Job[] = [
    {
      name: 'run-groups',
      ...options,
      batch: 1,
      workers: 3,
      oneOfGroup: true,
      async run(key) {
        began.push(key);
        await new Promise<void>((resolve) => ends.set(key, resolve));
      },
    },
  ];
  const [jobs] = [open(queue), open(queue)];
  await Promise.all(opened.map(({ started }) => started));
  const add = (key: string) => jobs.add('run-groups', [key], { group: key.slice(0, 1) });
  await add('a1');
  await vi.waitFor(() => expect(began).toEqual(['a1']), { timeout: 10_000 });
  await add('a2');
  await add('b1');
  await vi.waitFor(() => expect(began.slice(1)).toEqual(['b1']), { timeout: 10_000 });
  await add('c1');
  await vi.waitFor(() => expect(began.slice(2)).toEqual(['c1']), { timeout: 10_000 });
  ends.get('a1')?.();
  await vi.waitFor(() => expect(began.slice(3)).toEqual(['a2']), { timeout: 10_000 });
  for (const end of ends.values()) end();
});
