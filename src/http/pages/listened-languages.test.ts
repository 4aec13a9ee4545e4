import { type EntryContext, type ServerBuild, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { parseConfig } from '#config';
import type { FoundSession } from '#domain/identity/sessions.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { createLog } from '#start/log.ts';
import type { RequestFacts } from '#web/context.ts';
import { createFailures } from '../errors.ts';
import { createPublicCache } from '../public-cache.ts';
import { createPageHandler } from './pages.ts';

const facts = new WeakMap<object, RequestFacts>();
let rendered = 0;

/** Pages that say which languages their viewer is shown. */
const build = {
  entry: {
    module: {
      createLoadContext(_site: Site, given: RequestFacts) {
        const context = new RouterContextProvider();
        facts.set(context, given);
        return context;
      },
      default: (_request: Request, _status: number, _headers: Headers, { staticHandlerContext }: EntryContext) =>
        Response.json(staticHandlerContext.loaderData['root'], { headers: { 'content-type': 'text/html' } }),
    },
  },
  routes: {
    root: {
      id: 'root',
      path: '*',
      module: {
        default: () => null,
        loader({ context }: { context: object }) {
          rendered += 1;
          const { viewer, listensTo } = facts.get(context) ?? {};
          return { shown: viewer?.listensTo ?? 'all', listensTo: listensTo ?? null, reads: viewer?.readsOnly ?? 'all' };
        },
      },
    },
  },
  assets: {
    entry: { imports: [], module: '/assets/entry-1.js' },
    routes: {},
    url: '/assets/manifest-1.js',
    version: '',
  },
  future: {},
  ssr: true,
  routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
} as unknown as ServerBuild;

const sessions: Record<string, Partial<Viewer>> = {
  undecided: {},
  all: { listensTo: null },
  french: { listensTo: ['fr'], readsOnly: ['fr'] },
};

const pages = createPageHandler({
  loadBuild: async () => build,
  site: {
    facts: {
      name: 'Sotto',
      url: 'https://sotto.example',
      languages: ['de'],
      identity: { provider: 'built-in' },
      payments: { scriptSrc: null },
    },
    age: { isLabelled: () => true },
    identity: {
      findSession: async (token: string) =>
        ({ id: '1', isExtended: false, viewer: { kind: 'user', id: '1', ...sessions[token] } }) as FoundSession,
    },
  } as unknown as Site,
  config: parseConfig({ SITE_URL: 'https://sotto.example' }),
  blobs: {},
  cache: createPublicCache({ maxBytes: 1_000_000, maxAge: 8000, now: () => 0 }),
  failures: createFailures({ log: createLog('silent'), outageOf: () => undefined }),
  development: false,
});

async function ask(path: string, cookie: string) {
  const response = await pages(new Request(`http://localhost${path}`, { headers: { cookie } }));
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

const nothing = { shown: 'all', listensTo: null, reads: 'all' };
const german = { shown: ['de'], listensTo: ['de'], reads: 'all' };
const french = { shown: ['fr'], listensTo: ['fr'], reads: ['fr'] };

test('two visitors in turn get their own page, each from the cache the second time', async () => {
  const visits = [
    ['/audios', '', nothing],
    ['/audios', 'sotto_listens=de', german],
    ['/audios', 'sotto_listens=fr.only', french],
    ['/audios', 'sotto_listens=en.de', { ...german, shown: ['de', 'en'], listensTo: ['de', 'en'] }],
    ['/audios?languages=all', 'sotto_listens=de', { ...german, shown: 'all' }],
    ['/audios?languages=de', 'sotto_listens=de', german],
    ['/audios?languages=all', '', nothing],
  ] as const;
  rendered = 0;
  for (let round = 0; round < 3; round += 1)
    for (const [path, cookie, expected] of visits) expect(await ask(path, cookie)).toEqual(expected);
  expect(rendered).toBe(visits.length);
  // Another order is the same choice.
  await ask('/audios', 'sotto_listens=de.en');
  expect(rendered).toBe(visits.length);
  // As Node's own request asks.
  const kept = visits.map(([path, cookie]) => pages.findCached(path, cookie));
  expect(new Set(kept.map((page) => page?.etag)).size).toBe(5);
  expect(kept).not.toContain(undefined);
});

test.each([
  ['undecided', '', nothing],
  ['undecided', 'sotto_listens=de', german],
  ['all', 'sotto_listens=de', nothing],
  ['french', 'sotto_listens=de', french],
])('the account’s choice comes before the browser’s: %s with “%s”', async (session, cookie, expected) => {
  expect(await ask('/audios', `sotto_session=${session}; ${cookie}`)).toEqual(expected);
});

test('a page of all languages leaves comments as they were chosen', async () => {
  const page = await ask('/audios?languages=all', 'sotto_session=french');
  expect(page).toEqual({ ...french, shown: 'all' });
});
