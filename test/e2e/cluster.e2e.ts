/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newPerson } from '../support/accounts.ts';
import { desktop, useBrowser } from '../support/browser/browser.ts';
import { type Cluster, isClusterInstalled, startCluster, untilReady } from '../support/cluster.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** The longer proofs are in `npm run bench -- cluster`. */
describe.skipIf(!isClusterInstalled())('two sites behind HAProxy, PgBouncer and object storage', () => {
  let cluster: Cluster;
  const { open } = useBrowser();

  beforeAll(async () => {
    cluster = await startCluster({ sites: 2 });
  });
  afterAll(() => cluster.close());

  const json = { 'content-type': 'application/json' };
  const ask = (url: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, { redirect: 'manual', ...init, headers: { connection: 'close', ...init.headers } });
  const urls = () => cluster.sites.map(({ url }) => url);

  async function register(): Promise<{ token: string; email: string; password: string }> {
    const person = newPerson();
    const answer = await ask(cluster.url, '/v1/api/auth/register', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ...person, tac: true, legal: true }),
    });
    expect(answer.status).toBe(201);
    return { ...person, token: await logIn(cluster.url, person) };
  }

  async function logIn(url: string, { email, password }: { email: string; password: string }): Promise<string> {
    const origin = cluster.url;
    const headers = { ...json, origin };
    const signedIn = await ask(url, '/identity/sign-in/email', {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password }),
    });
    const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    // A process other than the one that signed in issues the token.
    const { token } = await read<{ token: string }>(
      await ask(cluster.sites[1]?.url ?? url, '/identity/token', { headers: { cookie: cookie.join('; ') } }),
    );
    const answer = await ask(url, '/v1/api/auth/login', {
      method: 'POST',
      headers,
      body: JSON.stringify({ firebaseIdtoken: token }),
    });
    return (await read<{ token: string }>(answer)).token;
  }

  async function read<Body>(answer: Response): Promise<Body> {
    expect(answer.status).toBe(200);
    return (await answer.json()) as Body;
  }

  test('an account that one makes, the other knows: log-in, favorites, and the page', async () => {
    const { token } = await register();
    const [one, other] = urls() as [string, string];
    const authorization = `Bearer ${token}`;
    const { items } = await read<{ items: { id: string }[] }>(await ask(one, '/v1/api/audios?limit=1'));
    const saved = await ask(one, `/v1/api/user/favorite/${items[0]?.id}`, {
      method: 'POST',
      headers: { ...json, authorization },
      body: JSON.stringify({ contentTypeId: 'audio', isFavorite: true }),
    });
    expect(saved.status).toBe(200);
    const kept = await ask(other, '/v1/api/user/favorites/audios', { headers: { authorization } });
    expect((await read<{ items: unknown[] }>(kept)).items).toHaveLength(1);
    const page = await ask(cluster.url, '/', { headers: { cookie: `sotto_session=${token}` } });
    expect(await page.text()).toContain('Account menu');
  });

  test('sound comes from the storage, at an address that the site signed; images through any site', async () => {
    const { items } = await read<{ items: { id: string; isFree: boolean; imageUrl: string }[] }>(
      await ask(cluster.url, '/v1/api/audios?limit=50'),
    );
    const free = items.find(({ isFree }) => isFree);
    const locked = items.find(({ isFree }) => !isFree);
    const answer = await ask(cluster.url, `/media/audios/${free?.id}`);
    expect(answer.status).toBe(302);
    const bytes = await fetch(answer.headers.get('location') ?? '', { headers: { range: 'bytes=0-99' } });
    expect([bytes.status, (await bytes.arrayBuffer()).byteLength]).toEqual([206, 100]);
    expect((await ask(cluster.url, `/media/audios/${locked?.id}`)).status).toBe(401);
    for (const url of urls()) expect((await ask(url, `${free?.imageUrl}?w=320`)).status).toBe(200);
  });

  test('wrong passwords count for all sites together', async () => {
    const { email } = await register();
    const [one, other] = urls() as [string, string];
    const attempt = (url: string) =>
      ask(url, '/identity/sign-in/email', {
        method: 'POST',
        headers: { ...json, origin: cluster.url },
        body: JSON.stringify({ email, password: 'not this one' }),
      });
    let tries = 0;
    while ((await attempt(tries % 2 === 0 ? one : other)).status === 401) tries += 1;
    expect(tries).toBeLessThanOrEqual(10);
    expect([(await attempt(one)).status, (await attempt(other)).status]).toEqual([429, 429]);
  });

  test('every call of the API is answered as by one site, for visitors and for a listener', async () => {
    const { token } = await register();
    const { paths } = await read<{ paths: Record<string, Record<string, unknown>> }>(
      await ask(cluster.url, '/v1/api/openapi.json'),
    );
    const { items } = await read<{ items: { id: string }[] }>(await ask(cluster.url, '/v1/api/audios?limit=1'));
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        path: `/v1/api${path.replaceAll(/\{\w+\}/g, items[0]?.id ?? '')}`,
        method: method.toUpperCase(),
      })),
    );
    expect(calls.length).toBeGreaterThan(120);
    const different: string[] = [];
    // Deleting what the next call needs would change the answers.
    for (const { path, method } of calls.filter((call) => call.method !== 'DELETE' && !/log-?out/.test(call.path)))
      for (const who of [json, { ...json, authorization: `Bearer ${token}` }]) {
        const init: RequestInit = { method, headers: who, ...(method !== 'GET' && { body: '{}' }) };
        const statuses: number[] = [];
        for (const url of [cluster.url, ...urls()]) statuses.push((await ask(url, path, init)).status);
        const [first = 0, ...others] = statuses;
        if (first >= 500 || others.some((status) => status !== first && status !== 429))
          different.push(`${method} ${path} ${JSON.stringify(statuses)}`);
      }
    expect(different).toEqual([]);
  });

  test('a browser plays, seeks and goes to another page, with the sound from the storage', async () => {
    const { page, quiet } = await open('/playlists/start-here', { ...desktop, baseURL: cluster.url });
    const time = () => page.evaluate(() => document.querySelector('audio')?.currentTime ?? 0);
    await page.getByRole('main').getByRole('button', { name: /^Play/ }).first().click();
    await expect.poll(time, { timeout: 15_000 }).toBeGreaterThan(0.3);
    await page.getByRole('slider', { name: 'Position' }).first().press('PageUp');
    await expect.poll(time, { timeout: 15_000 }).toBeGreaterThan(14);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Blog' }).click();
    await page.waitForURL('**/blog');
    const before = await time();
    await expect.poll(time).toBeGreaterThan(before);
    await quiet();
  });

  test('sites are restarted in turn, and one is killed, while listeners notice nothing', async () => {
    const statuses: number[] = [];
    let isOver = false;
    const listeners = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        statuses.push((await ask(cluster.url, '/v1/api/audios?limit=5')).status);
        // Without a pause they would take the CPU from the starting sites.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    for (const site of cluster.sites) {
      await site.restart();
      await untilReady(`${site.url}/readyz`);
      // The load balancer checks twice a second.
      await new Promise((resolve) => setTimeout(resolve, 1200));
    }
    await cluster.sites[0]?.kill();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    isOver = true;
    await Promise.all(listeners);
    expect(statuses.length).toBeGreaterThan(100);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});
