import { type ServerBuild, RouterContextProvider } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import type { Site } from '#domain/site.ts';
import type { RequestFacts } from '#web/context.ts';
import { createLog } from '#start/log.ts';
import { createFailures } from '../errors.ts';
import { openPagesOf } from '#test/support/answering-pages.ts';

/** Pages that echo their request and headers. */
const echo = {
  entry: {
    module: {
      createLoadContext: () => new RouterContextProvider(),
      default: (request: Request) =>
        new Response(JSON.stringify([request.url, ...request.headers]), { headers: { 'content-type': 'text/html' } }),
    },
  },
  routes: { root: { id: 'root', path: '*', module: { default: () => null, loader: () => null } } },
  assets: { entry: { imports: [], module: '' }, routes: { root: { id: 'root' } }, url: '', version: '' },
  future: {},
  ssr: true,
  routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
} as unknown as ServerBuild;

let now = 0;

type Parts = Pick<NonNullable<Parameters<typeof openPagesOf>[1]>, 'failures' | 'findSession' | 'isLabelled'>;

const handler = (build: ServerBuild, settings: Record<string, string> = {}, parts: Parts = {}) =>
  openPagesOf(build, { settings, now: () => now, ...parts });

const answer = handler(echo);

async function ask(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await answer(new Request(`http://${headers['host'] ?? 'localhost'}${path}`, { headers }));
  expect(response.status).toBe(200);
  return response.text();
}

test('a proxy may keep visitors’ pages if told so, but no results of a search', async () => {
  const answerBehindCache = handler(echo, { PROXY_CACHE: 'true' });
  const rule = async (path: string) =>
    (await answerBehindCache(new Request(`http://localhost${path}`))).headers.get('cache-control');
  expect(await rule('/audios')).toBe('public, max-age=0, s-maxage=10');
  expect(await rule('/search?search=rain')).toBe('private, no-cache');
});

test('pages are labelled for filters, also from the cache, unless the operator wants no label', async () => {
  const ratingOf = async (from: ReturnType<typeof handler>) =>
    (await from(new Request('http://localhost/audios'))).headers.get('rating');
  const labelled = handler(echo);
  for (const _time of [1, 2]) expect(await ratingOf(labelled)).toBe('RTA-5042-1996-1400-1577-RTA');
  expect(await ratingOf(handler(echo, {}, { isLabelled: false }))).toBeNull();
});

test('a cached page depends only on its key: other parameters, headers and hosts have no effect', async () => {
  const page = await ask('/audios?evil=1&free=true&_routes=a&free=&sort=%22', {
    host: 'evil.example',
    'user-agent': 'evil',
    'x-forwarded-host': 'evil.example',
  });
  expect(page).toBe(JSON.stringify(['https://sotto.example/audios?_routes=a&free=true&free=&sort=%22']));
  expect(await ask('/audios?free=true&free=&sort=%22&_routes=a')).toBe(page);
});

test.each(['//evil.example', '//evil.example/audios'])('%s is a path here, never a host', async (path) => {
  expect(await ask(path)).toBe(JSON.stringify([`https://sotto.example${path}`]));
});

test.each([
  ['/audio/Bright-STAR?t=1', '/audio/bright-star?t=1'],
  ['/Creators/ana', '/creators/ana'],
  ['/series/Nights.data', '/series/nights.data'],
  ['/blog/On-Rain', '/blog/on-rain'],
  ['/audio/x/', '/audio/x'],
  ['/audio/X//?t=1&utm_source=a', '/audio/x?t=1&utm_source=a'],
  ['/audios/?sort=title', '/audios?sort=title'],
  ['/Nothing/', '/Nothing'],
  ['//', '/'],
  ['///?a=b', '/?a=b'],
  ['//evil.example/', '/evil.example'],
  ['//evil.example//audios//', '/evil.example//audios'],
  ['/\\\\evil.example/', '/evil.example'],
  ['/.//evil.example/', '/evil.example'],
  ['/%2F/evil.example/', '/%2F/evil.example'],
])('%s leads to the one spelling that a page has', async (path, there) => {
  const { status, headers } = await answer(new Request(`http://localhost${path}`));
  expect([status, headers.get('location')]).toEqual([301, there]);
  // `ask` fails for another redirect.
  await ask(there);
});

test('a redirect keeps its own query for a user, and every parameter of a shared link for a visitor', async () => {
  const viewer = { kind: 'user', id: '1', isSubscribed: false, isComplete: true } as const;
  const findSession = async () => ({ id: '1', viewer, isExtended: false });
  const redirecting = (to: string) => {
    const module = {
      ...echo.entry.module,
      default: () => new Response(null, { status: 302, headers: { location: to } }),
    };
    return handler({ ...echo, entry: { module } } as unknown as ServerBuild, {}, { findSession });
  };
  const lead = async (from: string, to: string, cookie = '') => {
    const response = await redirecting(to)(new Request(`http://localhost${from}`, { headers: { cookie } }));
    return response.headers.get('location');
  };
  const session = `__Host-sotto_session=${'a'.repeat(43)}`;
  expect(await lead('/admin/users?q=a', '/admin/second-factor?to=%2Fadmin%2Fusers%3Fq%3Da', session)).toBe(
    '/admin/second-factor?to=%2Fadmin%2Fusers%3Fq%3Da',
  );
  expect(await lead('/audio/old?utm_source=x&utm_medium=y', '/audio/new?utm_source=x')).toBe(
    '/audio/new?utm_source=x&utm_medium=y',
  );
});

test('in a crowd, what was asked for before is answered as it was rather than not at all', async () => {
  vi.useFakeTimers();
  const done = Promise.withResolvers<void>();
  let slow = false;
  const render = async (request: Request) => {
    if (slow) await done.promise;
    return new Response(`${request.url} at ${now}`, { headers: { 'content-type': 'text/html' } });
  };
  const module = { ...echo.entry.module, default: render };
  const crowded = handler({ ...echo, entry: { module } } as unknown as ServerBuild, { DATABASE_POOL_SIZE: '1' });
  const get = async (path: string) => (await crowded(new Request(`http://localhost${path}`))).text();
  await Promise.all([get('/'), get('/audios')]);
  now = 8000;
  slow = true;
  const [first, second] = [get('/'), get('/audios')];
  const odd = [get('/audio/odd'), get('/audio/odder')];
  const turnedAway = expect(odd[1]).rejects.toMatchObject({ code: 'request/too-many' });
  await vi.advanceTimersByTimeAsync(3000);
  await turnedAway;
  expect(await second).toBe('https://sotto.example/audios at 0');
  done.resolve();
  expect(await first).toBe('https://sotto.example/ at 8000');
  expect(await odd[0]).toBe('https://sotto.example/audio/odd at 8000');
  vi.useRealTimers();
});

describe('the session cookie of a page request', () => {
  const token = 'a'.repeat(43);
  const plain = `sotto_session=${token}`;
  const host = `__Host-sotto_session=${token}`;
  const renewed = `${host}; Max-Age=7776000; Path=/; HttpOnly; Secure; SameSite=Lax`;
  const cookiesSet = async (cookie: string, isExtended: boolean, settings: Record<string, string> = {}) => {
    const viewer = { kind: 'user', id: '1', isSubscribed: false, isComplete: true } as const;
    const findSession = async (asked: string) => (asked === token ? { id: '1', viewer, isExtended } : undefined);
    const page = await handler(echo, settings, { findSession })(
      new Request('http://localhost/', { headers: { cookie } }),
    );
    return page.headers.getSetCookie();
  };

  test('is extended with its session, and otherwise unchanged', async () => {
    expect(await cookiesSet(host, true)).toEqual([renewed]);
    expect(await cookiesSet(host, false)).toEqual([]);
    const loopback = { SITE_URL: 'http://127.0.0.1:3000' };
    expect(await cookiesSet(plain, true, loopback)).toEqual([
      `${plain}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax`,
    ]);
    expect(await cookiesSet(plain, false, loopback)).toEqual([]);
  });

  test('with the former name is accepted under https once, and replaced', async () => {
    expect(await cookiesSet(plain, false)).toEqual([
      renewed,
      expect.stringMatching(/^sotto_session=;.*Expires=Thu, 01 Jan 1970/),
    ]);
    // Planted by another host of the domain: the site's own cookie wins.
    expect(await cookiesSet(`sotto_session=${'b'.repeat(43)}; ${host}`, false)).toEqual([]);
  });

  test('is not made for a visitor', async () => {
    expect(await cookiesSet(`sotto_session=${'b'.repeat(43)}`, true)).toEqual([]);
  });
});

describe('a request with a session during a database outage', () => {
  const away = new Error('away');
  let isAway = true;
  /** Pages that query the database. */
  const asking = {
    ...echo,
    entry: {
      module: {
        createLoadContext: (_site: Site, { reportError, viewer }: RequestFacts) => {
          context = { reportError, viewer };
          return new RouterContextProvider();
        },
        default: () => {
          if (isAway) context?.reportError(away);
          return new Response(`page of a ${context?.viewer.kind}`, {
            status: isAway ? 500 : 200,
            headers: { 'content-type': 'text/html' },
          });
        },
      },
    },
  } as unknown as ServerBuild;
  let context: Pick<RequestFacts, 'reportError' | 'viewer'> | undefined;
  const request = () =>
    new Request('http://localhost/account', { headers: { cookie: `sotto_session=${'a'.repeat(43)}` } });
  const failures = createFailures({
    log: createLog('silent'),
    outageOf: (error) => (error === away ? 'away' : undefined),
  });

  test('gets the outage page with Retry-After', async () => {
    isAway = true;
    const findSession = () => Promise.reject(away);
    const page = await handler(asking, {}, { failures, findSession })(request());
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self' ");
  });

  test('is never treated as a visitor’s when the database recovers in between', async () => {
    let asked = 0;
    const findSession = () => {
      asked += 1;
      return asked > 1 ? Promise.resolve(undefined) : ((isAway = false), Promise.reject(away));
    };
    const page = await handler(asking, {}, { failures, findSession })(request());
    expect([page.status, asked]).toEqual([200, 2]);
  });
});

test('the URL of a mailed link is not sent as referrer, not even to this site’s own styles', async () => {
  const policyOf = async (path: string) =>
    (await answer(new Request(`http://localhost${path}`))).headers.get('referrer-policy');
  for (const path of ['/reset-password?token=secret', '/confirm-email?token=secret', '/Reset-Password?token=secret'])
    expect(await policyOf(path)).toBe('no-referrer');
  expect(await policyOf('/audios')).toBe('strict-origin-when-cross-origin');
});

test.each([
  ['/%', '/%25'],
  ['/audio/%E0%A4%A', '/audio/%25E0%25A4%25A'],
  ['/audio/a%2Fb', '/audio/a%2Fb'],
])('%s, broken or not, is an address that a page answers', async (path, asked) => {
  expect(await ask(path)).toBe(JSON.stringify([`https://sotto.example${asked}`]));
});

test('people get a page for an address that is too long, programs the error of the API', async () => {
  const made: (number | undefined)[] = [];
  const createLoadContext = (_: Site, { refusal }: RequestFacts) => {
    made.push(refusal);
    return new RouterContextProvider();
  };
  const module = { ...echo.entry.module, createLoadContext };
  const refusing = handler({ ...echo, entry: { module } } as unknown as ServerBuild);
  const get = (path: string, accept: string) =>
    refusing(new Request(`http://localhost${path}`, { headers: { accept } }), {
      address: '192.0.2.1',
      maySearch: () => false,
    });
  const long = `/audios?x=${'a'.repeat(4096)}`;
  const toProgram = await get(long, '*/*');
  expect([toProgram.status, await toProgram.json()]).toEqual([
    413,
    { error: { code: 'request/too-large', message: 'This address is too long.' } },
  ]);
  expect(made).toEqual([]);
  // The page of this test only echoes; the real one throws the status (root.tsx).
  const toPerson = await get(long, 'text/html,*/*;q=0.8');
  expect(await toPerson.text()).toContain('https://sotto.example/audios"');
  const searching = await get('/search?search=a', 'text/html');
  expect(searching.headers.get('retry-after')).toBe('60');
  expect(made).toEqual([413, 429]);
});

test('search pages and their data share the budget of search calls; other pages have none', async () => {
  const statusOf = async (path: string) =>
    (await answer(new Request(`http://localhost${path}`), { address: '192.0.2.1', maySearch: () => false })).status;
  for (const path of ['/search', '/search?search=a', '/search.data?search=a', '/Search?search=a'])
    expect(await statusOf(path)).toBe(429);
  expect(await statusOf('/audios')).toBe(200);
});

describe('a page of visitors', () => {
  /** Long enough to be compressed. */
  const module = {
    ...echo.entry.module,
    default: () => new Response('a page '.repeat(500), { headers: { 'content-type': 'text/html' } }),
  };
  const answerTwice = handler({ ...echo, entry: { module } } as unknown as ServerBuild);
  const get = (headers: Record<string, string> = {}) =>
    answerTwice(new Request('http://localhost/audios', { headers: { 'accept-encoding': 'br', ...headers } }));

  test('is the same bytes for everyone, with one entity tag for each coding', async () => {
    const [first, second] = [await get(), await get({ cookie: 'other=1' })];
    expect(Buffer.from(await first.arrayBuffer())).toEqual(Buffer.from(await second.arrayBuffer()));
    const tags = [first, second, await get({ 'accept-encoding': 'gzip' })].map(({ headers }) => headers.get('etag'));
    expect(tags[0]).toMatch(/^"[\w-]{22}-br-quick"$/);
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).toBe(tags[0]?.replace('-br', '-gzip'));
    expect(first.headers.get('vary')).toBe('Cookie, Accept-Encoding');
  });

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await get();
    const again = await get({ 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('content-security-policy')).toBe(headers.get('content-security-policy'));
  });

  test('is found in the cache only by visitors', async () => {
    await get();
    const find = (cookies: string) => answerTwice.findCached('/audios?unknown=1', cookies);
    expect(find('other=1')).toMatchObject({ status: 200 });
    expect(find('sotto_theme=light')).toBeUndefined();
    expect(find(`sotto_session=${'a'.repeat(43)}`)).toBeUndefined();
    expect(find(`other=1; __Host-sotto_session=${'a'.repeat(43)}`)).toBeUndefined();
  });
});
