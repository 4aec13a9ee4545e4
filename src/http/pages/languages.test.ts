import { setTimeout as wait } from 'node:timers/promises';
import { type EntryContext, type ServerBuild, RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { parseConfig } from '#config';
import type { FoundSession } from '#domain/identity/sessions.ts';
import type { Site } from '#domain/site.ts';
import { type Language, languageCodes, prefixOf } from '#formats/languages.ts';
import { language } from '#i18n';
import { createLog } from '#start/log.ts';
import { createFailures } from '../errors.ts';
import { createPublicCache } from '../public-cache.ts';
import { createPageHandler } from './pages.ts';

/** Pages that say their language, as a slow loader and the rendering see it, and what the browser loads. */
const build = {
  entry: {
    module: {
      createLoadContext: () => new RouterContextProvider(),
      default: (
        _request: Request,
        _status: number,
        _headers: Headers,
        { staticHandlerContext, ...context }: EntryContext,
      ) =>
        Response.json(
          {
            loader: staticHandlerContext.loaderData['root'],
            rendering: language(),
            script: context.manifest.entry.module,
            style: context.manifest.routes['root']?.css,
            basename: staticHandlerContext.basename,
          },
          { headers: { 'content-type': 'text/html' } },
        ),
    },
  },
  routes: {
    root: {
      id: 'root',
      path: '*',
      module: {
        default: () => null,
        async loader() {
          await wait(Math.random() * 5);
          return language();
        },
      },
    },
  },
  assets: {
    entry: { imports: [], module: '/assets/entry-1.js' },
    routes: { root: { id: 'root', module: '/assets/root-1.js', css: ['/assets/root-1.css'] } },
    url: '/assets/manifest-1.js',
    version: '',
  },
  future: {},
  ssr: true,
  routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
} as unknown as ServerBuild;

const sessions: Record<string, Language | undefined> = { undecided: undefined, french: 'fr' };

function open(languages: Language[] = ['de', 'fr', 'es', 'ar']) {
  return createPageHandler({
    loadBuild: async () => build,
    site: {
      facts: {
        name: 'Sotto',
        url: 'https://sotto.example',
        languages,
        identity: { provider: 'built-in' },
        payments: { scriptSrc: null },
      },
      age: { isLabelled: () => true },
      identity: {
        findSession: async (token: string) =>
          ({
            id: '1',
            isExtended: false,
            viewer: { kind: 'user', id: '1', language: sessions[token] },
          }) as FoundSession,
      },
    } as unknown as Site,
    config: parseConfig({ SITE_URL: 'https://sotto.example' }),
    blobs: {},
    cache: createPublicCache({ maxBytes: 1_000_000, maxAge: 8000, now: () => 0 }),
    failures: createFailures({ log: createLog('silent'), outageOf: () => undefined }),
    development: false,
  });
}

type Shown = { loader: Language; rendering: Language; script: string; style: string[]; basename: string };

async function ask(pages: ReturnType<typeof open>, path: string, cookie = ''): Promise<Shown> {
  const response = await pages(new Request(`http://localhost${path}`, { headers: { cookie } }));
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Shown;
}

test.each<[path: string, cookie: string, expected: Language]>([
  ['/audios', '', 'en'],
  ['/audios', 'sotto_language=de', 'de'],
  ['/audios', 'sotto_language=xx', 'en'],
  ['/audios', 'sotto_language=de; sotto_session=undecided', 'de'],
  ['/audios', 'sotto_language=de; sotto_session=french', 'fr'],
  ['/de/audios', 'sotto_language=es; sotto_session=french', 'de'],
  ['/ar', '', 'ar'],
  ['/es/search?search=love', '', 'es'],
])('%s with “%s” is in %s: by its address, else by the account, else by the cookie', async (path, cookie, expected) => {
  const shown = await ask(open(), path, cookie);
  const folder = expected === 'en' ? '' : `${expected}/`;
  expect(shown).toEqual({
    loader: expected,
    rendering: expected,
    script: `/assets/${folder}entry-1.js`,
    style: ['/assets/root-1.css'],
    basename: path.startsWith('/audios') ? '/' : prefixOf(expected),
  });
});

test('a language that the site does not offer has no addresses, and nobody is given it', async () => {
  const pages = open([]);
  for (const [path, cookie] of [
    ['/de/audios', ''],
    ['/audios', 'sotto_language=de'],
    ['/audios', 'sotto_session=french'],
  ] as const)
    expect(await ask(pages, path, cookie)).toMatchObject({ loader: 'en', rendering: 'en', basename: '/' });
});

test('pages in all languages at once, cached and not, of visitors and users, are never in another one', async () => {
  const pages = open();
  const asked = Array.from({ length: 1000 }, (_, index) => {
    const code = languageCodes[index % languageCodes.length] ?? 'en';
    const path = `/audios?page=${index % 60}`;
    const [prefix, cookie] = index % 2 === 0 ? [prefixOf(code), ''] : ['', `sotto_language=${code}`];
    return { code, path: prefix + path, cookie: index % 3 === 0 ? `${cookie}; sotto_session=undecided` : cookie };
  });
  const waiting = asked.values();
  const wrong: unknown[] = [];
  async function next(): Promise<void> {
    for (const { code, path, cookie } of waiting) {
      const { loader, rendering } = await ask(pages, path, cookie);
      if (loader !== code || rendering !== code) wrong.push({ path, cookie, loader, rendering });
    }
  }
  await Promise.all(Array.from({ length: 40 }, next));
  expect(wrong).toEqual([]);
});

test.each([
  ['/de/', '/de'],
  ['/de/audio/Bright-Star?page=2', '/de/audio/bright-star?page=2'],
  ['/de//evil.example/', '/de/evil.example'],
])('%s moves to %s', async (path, expected) => {
  const response = await open()(new Request(`http://localhost${path}`));
  expect([response.status, response.headers.get('location')]).toEqual([301, expected]);
});
