import { expect, test } from 'vitest';
import { siteJobs } from '../../../jobs/site-jobs.ts';
import { jobName } from './job-names.ts';

test('each job has a name that people read', () => {
  const gateways = { payments: { played: [{}] } };
  const options = { site: {}, gateways, log: console, makeBackup: async () => undefined };
  const jobs = siteJobs(options as never, async () => undefined).map(({ name }) => name);
  expect(jobs.length).toBeGreaterThan(30);
  expect(jobs.filter((name) => jobName(name) === name)).toEqual([]);
});
