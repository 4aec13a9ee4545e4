import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { openNews, readPush, renewSubscription } from './push.ts';

test('a push that cannot be read still says that there is something', () => {
  const fallback = { title: 'Something new is waiting', body: '', path: '/account/notifications', tag: 'news' };
  for (const text of [undefined, '', 'no JSON', 'null', '{}', '{"title":""}'])
    expect(readPush(text, 'Something new is waiting')).toEqual(fallback);
  const news = { title: 'Iris published “Rain”', body: '', path: '/audio/rain', tag: 'one' };
  expect(readPush(JSON.stringify(news), '')).toEqual(news);
});

test('a push never opens another site', () => {
  for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example', 7, ['/rain']])
    expect(readPush(JSON.stringify({ title: 'x', path }), '').path).toBe('/account/notifications');
});

test('a press focuses the tab that shows the page, and opens one otherwise', async () => {
  const done: string[] = [];
  const clients = {
    // A tab that was opened before the worker is not its own.
    matchAll: async ({ includeUncontrolled }: { includeUncontrolled: boolean }) =>
      ['https://sotto.example/audio/rain']
        .filter(() => includeUncontrolled)
        .map((url) => ({
          url,
          async focus() {
            done.push('focus');
          },
        })),
    async openWindow(url: string) {
      await Promise.resolve();
      done.push(url);
    },
  };
  await openNews(clients, '/audio/rain', 'https://sotto.example');
  await openNews(clients, '/audio/snow', 'https://sotto.example');
  expect(done).toEqual(['focus', 'https://sotto.example/audio/snow']);
  // The worker stays until the window is there.
  const refusing = { matchAll: async () => [], openWindow: () => Promise.reject(new Error('refused')) };
  await expect(openNews(refusing, '/audio/snow', 'https://sotto.example')).rejects.toThrow('refused');
});

afterEach(() => vi.unstubAllGlobals());

const subscription = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' }, expirationTime: null }),
});
const [before, after] = [subscription('https://push.example/old'), subscription('https://push.example/new')];

/** The network of a worker whose site knows these endpoints. */
function siteWith({ known, isLoggedIn = true }: { known: string[]; isLoggedIn?: boolean }) {
  const registered: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { method, headers, body }: RequestInit & { body?: string }) => {
    if (path === '/v1/api/auth/session/token')
      return isLoggedIn ? Response.json({ token: 'a token' }) : new Response(null, { status: 401 });
    expect([path, headers]).toMatchObject(['/v1/api/user/push-subscriptions', { authorization: 'Bearer a token' }]);
    if (method === 'POST') registered.push(JSON.parse(body ?? ''));
    const items = known.map((one) => ({ endpointHash: createHash('sha256').update(one).digest('hex') }));
    return Response.json({ key: 'a-key', items });
  });
  const asked: unknown[] = [];
  const pushManager = { subscribe: async (options: object) => (asked.push(options), after) };
  return { registered, asked, pushManager };
}

test('a new endpoint is registered with the site, also one that the browser leaves to the worker', async () => {
  const { registered, asked, pushManager } = siteWith({ known: [before.endpoint] });
  const form = { endpoint: after.endpoint, keys: { p256dh: 'p', auth: 'a' } };
  await renewSubscription(pushManager, { oldSubscription: before, newSubscription: after });
  expect([registered, asked]).toEqual([[form], []]);
  await renewSubscription(pushManager, { oldSubscription: before, newSubscription: null });
  expect([registered, asked]).toEqual([[form, form], [{ userVisibleOnly: true, applicationServerKey: 'a-key' }]]);
});

test.each([
  ['nobody is logged in', { known: [before.endpoint], isLoggedIn: false }],
  ['another account is', { known: ['https://push.example/of-another-device'] }],
])('a new endpoint is not registered when %s', async (_when, site) => {
  const { registered, asked, pushManager } = siteWith(site);
  await renewSubscription(pushManager, { oldSubscription: before, newSubscription: after });
  expect([registered, asked]).toEqual([[], []]);
});
