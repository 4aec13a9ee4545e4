import { choosesLanguages } from '#domain/catalogue/visibility.ts';
import { keyOfListening, withListening } from '#domain/identity/listening-rules.ts';
import { type AgeMissing, type Viewer, inAllLanguages, visitor } from '#domain/kernel/viewer.ts';
import { i18n } from '#i18n';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { type ErrorCode, errorStatus } from '#domain/kernel/errors.ts';
import { type Language, firstOffered, inPath, offeredPrefix } from '#formats/languages.ts';
import { errorResponse } from '../errors.ts';
import { canonicalPath, isUncached, knownQuery, searchAddress, withoutBrokenEscapes } from './page-address.ts';
import { type RenderedPage, createPageCache, sendPage, sendSharedPage } from './page-cache.ts';
import { type RendererOptions, createPageRenderer, uncachedAddress } from './page-render.ts';
import { readPreferences, readTimeZone } from './preferences.ts';
import { preferenceNames } from '#domain/identity/preference-rules.ts';
import type { AgePage } from '#web/age/age-page.ts';
import type { Preferences, RequestFacts, SentForm } from '#web/context.ts';
import type { PublicCache } from '../public-cache.ts';
import { commonHeaders } from '../security-headers.ts';
import { createUserPages } from './user-pages.ts';
import { findPageViewer, mayHaveSession, sessionTokenOf } from '../viewer.ts';

export type PageHandler = {
  (request: Request, asker?: Asker): Promise<Response>;
  /**
   * The cached page for a request without a session; undefined when it must be rendered.
   * @param url path and query, as sent
   * @param cookies the Cookie header, or empty
   * @param ageMissing what a rule of age still asks this visitor for
   */
  findCached(url: string, cookies: string, ageMissing?: AgeMissing): RenderedPage | undefined;
};

type Asker = {
  /** Client address. */
  address: string;
  /** @returns false when this client's budget is used up */
  maySearch(viewer: Viewer): boolean;
  /** Still asked for by a rule of age. */
  ageMissing?: AgeMissing | undefined;
  /** Facts for a page of the check, which is then made for this request alone. */
  age?: AgePage | undefined;
  /** An operator sees the site as a visitor from there. */
  seenAs?: { region: string | undefined } | undefined;
  /** A form that was sent with faults, which the page shows again. */
  form?: SentForm | undefined;
};

const unlimited: Asker = { address: 'unknown', maySearch: () => true };

/** Characters. */
const longestAddress = 4096;
const maxPathLength = 200;

/**
 * Serves pages and their data: rendered by `page-render.ts`, cached for visitors and sent by `page-cache.ts`, kept for
 * users as long as their data is the same by `user-pages.ts`.
 */
export function createPageHandler(
  options: RendererOptions & {
    cache: PublicCache;
    /** Sends a page's simultaneous reads to the database in one round trip; default: one by one. */
    together?: <Result>(work: () => Result) => Result;
  },
): PageHandler {
  const { site, config, cache, failures, development, together = (work) => work() } = options;
  const secure = config.siteUrl.startsWith('https:');
  const splitPrefix = (path: string) => offeredPrefix(site.facts.languages, path);
  /** The language of the address, else the account's, else the browser's, else the default one. */
  function languageOf(prefixed: Language | undefined, { language }: Preferences, viewer: Viewer = visitor): Language {
    return firstOffered(site.facts.languages, [
      prefixed,
      viewer.kind === 'user' ? viewer.language : undefined,
      language,
    ]);
  }
  const renderPage = createPageRenderer(options);
  const render: typeof renderPage = (request, facts, isKept) =>
    together(() => renderPage(request, { ...facts, ...listeningOn(request.url, facts) }, isKept));
  const publicPages = createPageCache({ cache, max: config.databasePoolSize });
  const userPages = createUserPages();
  // Separate from visitors' pages, so that a flood of those does not block logged-in users.
  const renderingForUsers = createConcurrencyLimit({ max: config.databasePoolSize });

  /** A page for people; scripts and programs get the API's error. */
  async function refuse(request: Request, code: ErrorCode, message?: string, headers?: Record<string, string>) {
    if (!/\btext\/html\b/.test(request.headers.get('accept') ?? '')) return errorResponse(code, message, headers);
    const preferences = readPreferences(request.headers.get('cookie') ?? '');
    // The browser finds the route by the full path; for the server the first segment selects the same one.
    const path = withoutBrokenEscapes(new URL(request.url).pathname.slice(0, maxPathLength));
    const language = languageOf(splitPrefix(path).language, preferences);
    const page = await publicPages.render(() =>
      render(new Request(site.facts.url + path), {
        viewer: visitor,
        preferences,
        language,
        address: 'any',
        refusal: errorStatus[code],
      }),
    );
    return sendPage({ ...page, headers: { ...page.headers, ...headers } }, request);
  }

  const answer = async (
    request: Request,
    { address: client, maySearch, ageMissing, age, seenAs, form }: Asker = unlimited,
  ): Promise<Response> => {
    if (request.url.length > longestAddress)
      return refuse(
        request,
        'request/too-large',
        i18n._(/*i18n*/ { id: 'error.address-too-long', message: 'This address is too long.' }),
      );
    const url = new URL(request.url);
    url.pathname = withoutBrokenEscapes(url.pathname);
    const { language: prefixed, path } = splitPrefix(url.pathname);
    const canonical = canonicalPath(path) ?? path;
    const address = prefixed === undefined ? canonical : inPath(prefixed, canonical, site.facts.languages);
    if (address !== url.pathname) {
      // Operators may change the default language, whose addresses have no prefix.
      const status = prefixed === site.facts.languages[0] ? 302 : 301;
      const headers = { ...commonHeaders(config), location: address + url.search };
      return new Response(null, { status, headers });
    }
    const sent = request.headers.get('cookie') ?? '';
    const preferences = readPreferences(sent);
    const whole = new Request(site.facts.url + url.pathname + url.search);
    const renderFor = (viewer: Viewer, outage?: Error, isKept?: (tag: string) => boolean) =>
      renderingForUsers(() => {
        const own = viewer.kind === 'user' ? { ...preferences, timeZone: readTimeZone(sent) } : preferences;
        const language = languageOf(prefixed, own, viewer);
        const facts = { viewer, preferences: own, language, address: client, outage, age, seenAs, form };
        return render(whole, facts, isKept);
      });

    let session: Awaited<ReturnType<typeof findPageViewer>> = { viewer: visitor, cookies: [] };
    try {
      if (sessionTokenOf(request) !== undefined) session = await findPageViewer(site, request, secure);
    } catch (error) {
      if (failures.report(error, 'A session could not be looked up') === 'server/failed') throw error;
      // The database may have recovered meanwhile. Visitors' pages may still be in the cache, but this request has a
      // session.
      const second = await findPageViewer(site, request, secure).catch((again: Error) => again);
      if (second instanceof Error) return sendPage(await renderFor(visitor, second), request);
      session = second;
    }
    const { cookies } = session;
    const viewer: Viewer = ageMissing === undefined ? session.viewer : { ...session.viewer, ageMissing };

    const isSearch = searchAddress.test(path);
    if (isSearch && !maySearch(viewer)) return refuse(request, 'request/too-many', undefined, { 'retry-after': '60' });
    if (viewer.kind === 'user') {
      const userPage: { response?: Response | undefined } = {};
      const isKept = (tag: string) => (userPage.response = userPages.find(tag, request)) !== undefined;
      const page = await renderFor(viewer, undefined, development || form !== undefined ? undefined : isKept);
      const response =
        userPage.response ??
        (await (page.etag === '' ? sendPage(page, request) : userPages.keep(page.etag, page, request)));
      for (const line of cookies) response.headers.append('set-cookie', line);
      return response;
    }

    // Built from the cache key alone: no other query, header or connection of this visitor.
    const known = url.pathname + knownQuery(url.search);
    const language = languageOf(prefixed, preferences);
    const renderPublic = () =>
      render(new Request(site.facts.url + known), {
        viewer,
        preferences,
        language,
        address: isSearch ? client : 'any',
        age,
        form,
      });
    const page =
      development || isUncached(path) || age !== undefined || uncachedAddress.test(path)
        ? await publicPages.render(renderPublic)
        : await publicPages.find(keyOf(known, preferences, ageMissing), renderPublic);
    if (form !== undefined) return sendPage({ ...page, status: 400 }, request);
    return page.status === 200 ? sendSharedPage(page, request) : sendPage(withWholeQuery(page, url), request);
  };

  function findCached(sent: string, cookies: string, ageMissing?: AgeMissing): RenderedPage | undefined {
    if (development || mayHaveSession(cookies)) return undefined;
    const at = sent.indexOf('?');
    const address = at === -1 ? sent : sent.slice(0, at) + knownQuery(sent.slice(at));
    return cache.peek<RenderedPage>(keyOf(address, readPreferences(cookies), ageMissing));
  }
  return Object.assign(answer, { findCached });
}

/**
 * A redirect was rendered without unknown parameters, such as the second one of a shared link. That of a form of filters
 * writes the query anew.
 */
function withWholeQuery(page: RenderedPage, { search, searchParams }: URL): RenderedPage {
  const { location } = page.headers;
  if (location?.startsWith('/') !== true || searchParams.get('filters') === 'set') return page;
  return { ...page, headers: { ...page.headers, location: location.replace(/\?.*$/, '') + search } };
}

/** The viewer with the languages that they listen to, unless the address asks for all. */
function listeningOn(address: string, { viewer, preferences }: Pick<RequestFacts, 'viewer' | 'preferences'>) {
  const own = withListening(viewer, preferences.listening);
  if (!choosesLanguages(own)) return { viewer: own };
  const isForAll = address.includes('languages=all') && new URL(address).searchParams.get('languages') === 'all';
  return { viewer: isForAll ? inAllLanguages(own) : own, listensTo: own.listensTo };
}

function keyOf(address: string, preferences: Preferences, ageMissing = ''): string {
  // Pages of audios alone show comments.
  const order = address.includes('/audio/') ? (preferences.commentOrder ?? '') : '';
  return `page ${address} ${order} ${preferences.language ?? ''} ${preferences.theme} ${preferenceNames.map((name) => preferences[name]).join(' ')}${keyOfListening(preferences.listening)} ${ageMissing}`;
}
