import { randomBytes } from 'node:crypto';
import { type RouterContextProvider, type ServerBuild, createRequestHandler } from 'react-router';
import type { Config } from '#config';
import type { Blobs } from '#domain/gateways.ts';
import { type ErrorCode, errorRetryAfter, errorStatus } from '#domain/kernel/errors.ts';
import type { Site } from '#domain/site.ts';
import { type Language, offeredPrefix, prefixOf } from '#formats/languages.ts';
import { ratingLabel } from '#formats/rating.ts';
import { inFolder } from '#formats/script-folders.ts';
import { inLanguage } from '#i18n';
import type { RequestFacts } from '#web/context.ts';
import type { HtmlPiece } from '#web/keep-html.tsx';
import { tagOf } from '../cached-text.ts';
import { toCachedBody } from '../compression.ts';
import type { Failures } from '../errors.ts';
import { hashInlineScripts } from './inline-scripts.ts';
import { nextRequestId } from '../observe.ts';
import { isUncached } from './page-address.ts';
import { dataScript, patternOf, withWatchedLoaders } from './page-data.ts';
import type { RenderedPage } from './page-cache.ts';
import {
  allOrigins,
  commonHeaders,
  identityOrigins,
  pagePolicy,
  paymentOrigins,
  storageOrigins,
} from '../security-headers.ts';

type CreateLoadContext = (site: Site, facts: RequestFacts) => RouterContextProvider;

/**
 * @param isKept called with a digest of everything that a user's document depends on, before it is rendered. If true, the
 *   result is empty. Otherwise it has that digest as tag, or none when it must not be kept.
 */
export type RenderPage = (
  request: Request,
  facts: Omit<RequestFacts, 'nonce' | 'isKept' | 'takeHtml' | 'requestId' | 'reportError'>,
  isKept?: (tag: string) => boolean,
) => Promise<RenderedPage>;

/** Marks the scripts that the server writes, until they are hashed. Secret, so that no text can imitate it. */
const scriptMark = randomBytes(12).toString('hex');

/**
 * These URLs hold a secret from a mailed link; the first request for styles would send it as referrer before any tag is
 * read.
 */
const secretAddress = /^\/(?:reset-password|confirm-email|consent\/.*|report\/.+)$/i;

/** Changes with each answer of its performer. */
export const uncachedAddress = /^\/consent\//i;

export type RendererOptions = {
  /** The server build; called on each request in development. */
  loadBuild: () => Promise<ServerBuild>;
  site: Site;
  config: Config;
  blobs: Pick<Blobs, 'remote'>;
  failures: Failures;
  development: boolean;
};

/** Renders pages and their data with React Router. */
export function createPageRenderer(options: RendererOptions): RenderPage {
  const { site, config, blobs, failures, development } = options;
  const secure = config.siteUrl.startsWith('https:');
  const origins = allOrigins(
    identityOrigins(site.facts.identity),
    paymentOrigins(site.facts.cardPayments),
    storageOrigins(blobs),
  );
  const reporters = new WeakMap<object, (error: unknown) => void>();
  async function openBuild() {
    const build = await options.loadBuild();
    const own = withWatchedLoaders(build, (error, context) => {
      if (!failures.isTooSlow(error)) return false;
      reporters.get(context)?.(error);
      return true;
    });
    const { createLoadContext } = build.entry.module as unknown as { createLoadContext: CreateLoadContext };
    const handlers = new Map<string, ReturnType<typeof createRequestHandler>>();
    /** @param basename `/de` below it, else `/` */
    const handlerFor = (language: Language, basename: string) => {
      const key = `${language} ${basename}`;
      const known = handlers.get(key);
      if (known !== undefined) return known;
      // Development has the same scripts for all languages.
      const assets = development ? build.assets : inLanguageFolder(build.assets, language);
      const handler = createRequestHandler({ ...own, assets, basename }, development ? 'development' : 'production');
      handlers.set(key, handler);
      return handler;
    };
    return { handlerFor, createLoadContext, version: build.assets.version };
  }
  let opened: ReturnType<typeof openBuild> | undefined;

  return async (request, facts, isKeptPage) => {
    if (opened === undefined || development) opened = openBuild();
    const { handlerFor, createLoadContext, version } = await opened;
    const { language } = facts;
    const { pathname } = new URL(request.url);
    const prefixed = offeredPrefix(site.facts.languages, pathname);
    let failure: ErrorCode = 'server/failed';
    const requestId = nextRequestId();
    const reportError = (error: unknown) => {
      const route = patternOf(context) ?? '';
      const code = failures.report(error, 'A page failed', { requestId, route });
      if (code !== 'server/failed') failure = code;
    };
    let document: { html: HtmlPiece[]; data: string | undefined } | undefined;
    const takeHtml = (html: HtmlPiece[], data: string | undefined) => (document = { html, data });
    let userTag = '';
    const isKept = (data: string) => {
      if (facts.viewer.kind === 'visitor' || isKeptPage === undefined) return false;
      // Some texts name today's date, or the time that has passed since one.
      const day = new Date().toISOString().slice(0, 10);
      const rest = JSON.stringify([version, day, language, request.url, facts.preferences]);
      userTag = tagOf(`${rest}\n${data}`);
      return isKeptPage(userTag);
    };
    const context = createLoadContext(site, { ...facts, nonce: scriptMark, isKept, takeHtml, requestId, reportError });
    reporters.set(context, reportError);
    const handler = handlerFor(
      language,
      prefixed.language === undefined ? '/' : prefixOf(language, site.facts.languages),
    );
    const response = await inLanguage(language, () => handler(request, context));
    // The router maps everything thrown to one status, so set that of an outage and Retry-After here.
    const status = response.status === 500 ? errorStatus[failure] : response.status;
    const later = response.status === 500 ? errorRetryAfter[failure] : undefined;
    const isShared =
      config.proxyCache && status === 200 && facts.viewer.kind === 'visitor' && !isUncached(prefixed.path);
    const { 'content-length': _length, ...own } = Object.fromEntries(response.headers);
    const headers: Record<string, string> = {
      ...commonHeaders(config),
      ...own,
      ...(later !== undefined && { 'retry-after': String(later) }),
      ...(status >= 500 && { 'x-request-id': requestId }),
      'cache-control':
        isShared && !uncachedAddress.test(prefixed.path) ? 'public, max-age=0, s-maxage=10' : 'private, no-cache',
      vary: 'Cookie, Accept-Encoding',
      ...(secretAddress.test(prefixed.path) && { 'referrer-policy': 'no-referrer' }),
    };
    const isDocument = own['content-type']?.startsWith('text/html') === true;
    let body: Uint8Array<ArrayBuffer>;
    if (isDocument) {
      const { pieces, hashes } = hashInlineScripts(document?.html ?? [await response.text()], scriptMark);
      if (document?.data !== undefined) {
        const script = dataScript(document.data);
        insertLast(pieces, script.html);
        hashes.push(script.hash);
      }
      if (site.age.isLabelled()) headers['rating'] = ratingLabel;
      headers['content-security-policy'] = pagePolicy({ hashes, secure, development, origins });
      body = Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
    } else body = new Uint8Array(await response.arrayBuffer());
    const ofUser = document?.data === undefined ? '' : userTag;
    const tag = status !== 200 ? '' : facts.viewer.kind === 'visitor' ? tagOf(body) : ofUser;
    return { ...toCachedBody(body, tag), status, headers };
  };
}

/** Names the scripts of a language. */
function inLanguageFolder(assets: ServerBuild['assets'], language: Language): ServerBuild['assets'] {
  return JSON.parse(inFolder(JSON.stringify(assets), language)) as ServerBuild['assets'];
}

/** The end of the body is the router's own text, never in a cached part. */
function insertLast(pieces: HtmlPiece[], html: string): void {
  const last = pieces.at(-1);
  if (typeof last !== 'string') return;
  const end = last.lastIndexOf('</body>');
  const at = end === -1 ? last.length : end;
  pieces[pieces.length - 1] = last.slice(0, at) + html + last.slice(at);
}
