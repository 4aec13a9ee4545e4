import { type EntryContext, type ServerBuild, RouterContextProvider } from 'react-router';
import { parseConfig } from '#config';
import type { FoundSession } from '#domain/identity/sessions.ts';
import { type OfferedLanguages, sourceLanguage } from '#formats/languages.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { createFailures } from '#http/errors.ts';
import { createPageHandler } from '#http/pages/pages.ts';
import { createPublicCache } from '#http/public-cache.ts';
import { createLog } from '#start/log.ts';
import type { RequestFacts } from '#web/context.ts';

type Parts = {
  settings?: Record<string, string>;
  languages?: OfferedLanguages;
  findSession?: ((token: string) => Promise<FoundSession | undefined>) | undefined;
  isLabelled?: boolean | undefined;
  failures?: Parameters<typeof createPageHandler>[0]['failures'] | undefined;
  now?: () => number;
};

/** The handler of pages, with these pages and a site of few facts. */
export function openPagesOf(
  build: ServerBuild,
  {
    settings,
    languages = [sourceLanguage],
    findSession,
    isLabelled = true,
    failures = createFailures({ log: createLog('silent'), outageOf: () => undefined }),
    now = () => 0,
  }: Parts = {},
) {
  return createPageHandler({
    loadBuild: async () => build,
    site: {
      facts: {
        name: 'Sotto',
        url: 'https://sotto.example',
        languages,
        identity: { provider: 'built-in' },
        payments: { scriptSrc: null },
        cardPayments: { scriptSrc: null },
      },
      age: { isLabelled: () => isLabelled },
      identity: { findSession },
    } as unknown as Site,
    config: parseConfig({ SITE_URL: 'https://sotto.example', ...settings }),
    blobs: {},
    cache: createPublicCache({ maxBytes: 1_000_000, maxAge: 8000, now }),
    failures,
    development: false,
  });
}

const facts = new WeakMap<object, RequestFacts>();

type Pages = {
  /** Given to what is rendered. */
  load: (given: RequestFacts | undefined) => unknown;
  /** Its result is the page, as JSON. */
  render: (loaded: unknown, context: EntryContext) => unknown;
  languages: OfferedLanguages;
  /** By the token of their session. */
  viewers: Record<string, Partial<Viewer>>;
};

/** The handler of pages, with one page for all addresses that says what its loader and the rendering see. */
export function openAnsweringPages({ load, render, languages, viewers }: Pages) {
  const build = {
    entry: {
      module: {
        createLoadContext(_site: Site, given: RequestFacts) {
          const context = new RouterContextProvider();
          facts.set(context, given);
          return context;
        },
        default: (_request: Request, _status: number, _headers: Headers, context: EntryContext) =>
          Response.json(render(context.staticHandlerContext.loaderData['root'], context), {
            headers: { 'content-type': 'text/html' },
          }),
      },
    },
    routes: {
      root: {
        id: 'root',
        path: '*',
        module: { default: () => null, loader: ({ context }: { context: object }) => load(facts.get(context)) },
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

  const findSession = async (token: string) =>
    ({ id: '1', isExtended: false, viewer: { kind: 'user', id: '1', ...viewers[token] } }) as FoundSession;
  return openPagesOf(build, { languages, findSession });
}

/** The result of the page at this address. */
export async function askPage<Said>(
  pages: ReturnType<typeof openAnsweringPages>,
  path: string,
  cookie = '',
): Promise<Said> {
  const response = await pages(new Request(`http://localhost${path}`, { headers: { cookie } }));
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  return (await response.json()) as Said;
}
