import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findRunningServer } from '#db/embedded/server.ts';
import { AgeSettings, ageSetting } from '#domain/age/settings.ts';
import { browserHeaders } from './browser-headers.ts';
import { type Figure, median, ratio, skipped } from './figures.ts';
import { cpuSecondsOf, requestsPerCpuSecond } from './process-cpu.ts';
import { startSite } from './site-process.ts';

/** Odd, for a median that was measured. */
const rounds = 9;
const requests = 10_000;
/** A change of settings empties the caches, which is not what is measured. */
const warmUp = 1000;
const settledMs = 10_000;

const proof = ['FR', 'DE', 'GB', 'IT', 'ES'];
const statement = ['US', 'CA', 'JP', 'BR', 'AU'];
const rules = [
  ...proof.map((place) => ({ place, rule: 'proof', again: 'year' })),
  ...statement.map((place) => ({ place, rule: 'statement', again: 'year' })),
];
const states = {
  none: AgeSettings.parse({ others: { rule: 'none', again: 'device' } }),
  ten: AgeSettings.parse({ rules, others: { rule: 'none', again: 'device' } }),
};
type State = keyof typeof states;

/** Visitors without a rule, and with one that shows pages and asks before sound. */
const visitors = { IS: 'a country without a rule', US: 'a country with a statement' } as const;
type Country = keyof typeof visitors;
const paths = { home: '/', audio: '/audio/how-do-i-love-thee', list: '/v1/api/audios?limit=24' };
type Name = keyof typeof paths;

/**
 * Visitors' pages of one process with rules of age for ten countries, compared with the same process without any, in turns,
 * by its CPU time. The rules are changed as operators change them, while the site runs.
 */
export async function benchAge(): Promise<Figure[]> {
  if ((await cpuSecondsOf(process.pid)) === undefined) return [skipped('Rules of age', 'needs /proc')];
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-age-'));
  const site = await startSite({ DATA_DIR: dataDir, TRUST_PROXY: '1', REGION_HEADER: 'CF-IPCountry' });
  const database = new pg.Client({ connectionString: (await findRunningServer(dataDir)) ?? '' });
  await database.connect();

  async function change(to: State): Promise<void> {
    await database.query(
      `insert into site_settings (key, value) values ($1, $2)
       on conflict (key) do update set value = excluded.value`,
      [ageSetting.key, JSON.stringify(states[to])],
    );
    const deadline = performance.now() + settledMs;
    // A visitor of France shows which rules the process has read.
    for (;;) {
      const { status } = await fetch(`${site.url}/`, { redirect: 'manual', headers: headersOf('FR') });
      if ((status === 302) === (to === 'ten')) return;
      if (performance.now() > deadline) throw new Error(`The rules were not read in ${settledMs / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function ask(country: Country, name: Name): Promise<number> {
    const options = { url: site.url + paths[name], headers: headersOf(country), connections: 32 };
    await requestsPerCpuSecond(site.pid, { ...options, amount: warmUp });
    return requestsPerCpuSecond(site.pid, { ...options, amount: requests });
  }

  try {
    const shares: Record<string, number[]> = {};
    for (let round = 0; round <= rounds; round += 1) {
      const measured: Record<string, Partial<Record<State, number>>> = {};
      // The other one first in each second round, so that a drift of the machine favours neither.
      const order: State[] = round % 2 === 0 ? ['none', 'ten'] : ['ten', 'none'];
      for (const state of order) {
        await change(state);
        for (const country of Object.keys(visitors) as Country[])
          for (const name of Object.keys(paths) as Name[])
            measured[`${name} ${country}`] = { ...measured[`${name} ${country}`], [state]: await ask(country, name) };
      }
      // The first round only warms up.
      if (round > 0)
        for (const [key, { none = Number.NaN, ten = Number.NaN }] of Object.entries(measured))
          shares[key] = [...(shares[key] ?? []), ten / none];
    }
    return Object.entries(shares).map(([key, values]) => {
      const [name = '', country] = key.split(' ');
      const from = visitors[country as Country];
      return ratio(`Rules of age for ten countries, ${name} from ${from}, of none`, median(values), 0.97);
    });
  } finally {
    await database.end();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const headersOf = (country: string) => ({
  ...browserHeaders,
  'x-forwarded-for': '198.51.100.7',
  'cf-ipcountry': country,
});
