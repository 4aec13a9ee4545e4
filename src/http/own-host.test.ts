import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { parseConfig } from '#config';
import { ownHost } from './own-host.ts';

const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
const elsewhere = 'https://elsewhere.example';

function siteWith(settings: Record<string, string> = {}) {
  const logged: unknown[] = [];
  const app = new Hono();
  app.use(
    ownHost({
      config: parseConfig({ SITE_URL: 'https://sotto.example', ...settings }),
      log: { warn: (...line: unknown[]) => void logged.push(line) },
    }),
  );
  app.all('*', () => new Response('the site'));
  async function ask(url: string, headers: Record<string, string> = navigation, method = 'GET') {
    const response = await app.request(url, { method, headers: { host: new URL(url).host, ...headers } });
    const location = response.headers.get('location');
    return { status: response.status, ...(location && { location }), text: await response.text(), response };
  }
  return { ask, logged };
}

const theSite = { status: 200, text: 'the site' };

test('a page at another name leads to the same page at SITE_URL, until the operator corrects a mistake', async () => {
  const { ask, logged } = siteWith();
  const { response, ...answer } = await ask(`${elsewhere}/blog?topics=sex%20`);
  expect(answer).toMatchObject({ status: 308, location: 'https://sotto.example/blog?topics=sex%20' });
  expect(response.headers.get('cache-control')).toBe('no-store');
  await ask(`${elsewhere}/about`);
  expect(logged).toHaveLength(1);
  expect(await ask('https://SOTTO.example:8443/blog')).toMatchObject(theSite);
});

test.each(['//evil.example/x', '/\\evil.example', '/.//evil.example', '/@evil.example', '/?next=//evil.example'])(
  'the path %s leads nowhere else',
  async (path) => {
    for (const oldUrls of ['', elsewhere]) {
      const { location = '' } = await siteWith({ OLD_SITE_URLS: oldUrls }).ask(elsewhere + path);
      expect(new URL(location).origin).toBe('https://sotto.example');
    }
  },
);

test('requests from other clients than browsers are answered at any host', async () => {
  const { ask, logged } = siteWith();
  const paths = ['/healthz', '/readyz', '/metrics', '/v1/api/audios', '/media/audios/x', '/webhooks/payments'];
  for (const path of paths) expect(await ask(elsewhere + path)).toMatchObject(theSite);
  expect(await ask(`${elsewhere}/`, { accept: '*/*' })).toMatchObject(theSite);
  expect(await ask(`${elsewhere}/about.data`, { 'sec-fetch-mode': 'cors', accept: 'text/html' })).toMatchObject(
    theSite,
  );
  expect(await ask(`${elsewhere}/about`, navigation, 'POST')).toMatchObject(theSite);
  expect(logged).toEqual([]);
});

test.each(['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://203.0.113.7', 'http://localhost:3000'])(
  "a browser at %s is sent to the site's address",
  async (url) => {
    const { ask, logged } = siteWith();
    const { text } = await ask(`${url}/blog?a="><script>`);
    expect(text).toContain(`You are at ${url}. The address of this site is:`);
    expect(text).toContain(`<a href="https://sotto.example/blog?a=`);
    expect(text).not.toContain('<script');
    expect(logged).toHaveLength(1);
  },
);

test('behind a proxy that hides the host, the site is shown from the second request on', async () => {
  const { ask, logged } = siteWith();
  const { response } = await ask('http://upstream/');
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(await ask('http://upstream/', { ...navigation, cookie })).toMatchObject(theSite);
  expect(await ask('http://upstream/about')).toMatchObject(theSite);
  expect(JSON.stringify(logged[1])).toContain('A proxy hides the host');
});

test('X-Forwarded-Host counts only from a trusted proxy', async () => {
  const forwarded = { ...navigation, 'x-forwarded-host': 'sotto.example' };
  expect(await siteWith({ TRUST_PROXY: '1' }).ask('http://upstream/', forwarded)).toMatchObject(theSite);
  expect(await siteWith().ask('http://upstream/', forwarded)).toMatchObject({ status: 308 });
  const former = { ...navigation, 'x-forwarded-host': 'former.example' };
  expect(
    await siteWith({ TRUST_PROXY: '1', OLD_SITE_URLS: 'https://former.example' }).ask('http://upstream/x', former),
  ).toMatchObject({ status: 301, location: 'https://sotto.example/x' });
});

test('former addresses lead on for good, for everything but calls', async () => {
  const { ask } = siteWith({ OLD_SITE_URLS: 'https://former.example, http://www.sotto.example' });
  for (const host of ['https://former.example', 'http://www.sotto.example'])
    expect(await ask(`${host}/blog/feed.xml?a=1`, { accept: '*/*' })).toMatchObject({
      status: 301,
      location: 'https://sotto.example/blog/feed.xml?a=1',
    });
  expect(await ask('https://former.example/v1/api/audios')).toMatchObject(theSite);
  expect(await ask('https://former.example/healthz')).toMatchObject(theSite);
});

test('a site on loopback is open at each of its names', async () => {
  const { ask, logged } = siteWith({ SITE_URL: 'http://localhost:3000' });
  for (const url of ['http://127.0.0.1:3000/', 'http://[::1]:3000/', 'http://laptop.local/'])
    expect(await ask(url)).toMatchObject(theSite);
  expect(logged).toEqual([]);
});

test('logging in at another host is refused for the host, not for the password', async () => {
  const { ask } = siteWith();
  const origin = 'http://127.0.0.1:3000';
  const answer = await ask(`${origin}/identity/sign-in/email`, { origin }, 'POST');
  expect(answer).toMatchObject({ status: 421, text: expect.stringContaining('request/wrong-host') as string });
  const own = { origin: 'https://sotto.example' };
  expect(await ask(`${origin}/identity/sign-in/email`, own, 'POST')).toMatchObject(theSite);
});
