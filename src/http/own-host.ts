import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Config } from '#config';
import { isLoopback } from '#domain/kernel/rules.ts';
import { i18n, language, languageFacts } from '#i18n';
import { errorResponse } from './errors.ts';

/** Used by clients other than browsers, which do not follow redirects to another host. */
const unredirected =
  /^\/(?:v\d+\/api|media|uploads|identity|webhooks|stripe-sandbox|payment-stand-ins|healthz|readyz|metrics)(?:\/|$)/;

/** Set with each redirect: a browser that sends it to the same wrong host came through a proxy that hides the host. */
const movedCookie = 'sotto_moved';
const movedSeconds = 60;

/**
 * Redirects browsers from other host names to `SITE_URL`: permanently from `OLD_SITE_URLS`, temporarily from other
 * names. An IP address (health checks, or an operator on the machine) gets a note instead. A site on loopback has many
 * names, so it redirects none.
 */
export function ownHost(options: {
  config: Pick<Config, 'siteUrl' | 'oldSiteUrls' | 'trustProxy'>;
  log: Pick<Logger, 'warn'>;
}): MiddlewareHandler {
  const { siteUrl, oldSiteUrls, trustProxy } = options.config;
  const own = new URL(siteUrl).hostname;
  const old = new Set(oldSiteUrls.map((url) => new URL(url).hostname));
  const [warned, hidden] = [new LRUCache<string, true>({ max: 50 }), new LRUCache<string, true>({ max: 50 })];

  function warnOnce(host: string, message: string): void {
    if (warned.has(host)) return;
    warned.set(host, true);
    options.log.warn({ host }, message);
  }

  return async (context, next) => {
    const { req } = context;
    const hosts = hostsOf(req, trustProxy);
    const requested = hosts.at(-1);
    if (requested === undefined || hosts.some(({ hostname }) => hostname === own)) return next();
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const target = siteUrl + pathAndQuery(req.url);
    if (old.has(requested.hostname))
      return isRead && !unredirected.test(req.path) ? context.redirect(target, 301) : next();
    if (isLoopback(own)) return next();
    if (isLogInAt(requested, req)) return errorResponse('request/wrong-host');
    if (!isRead || !isNavigation(req) || unredirected.test(req.path) || hidden.has(requested.host)) return next();

    if (getCookie(context, movedCookie) !== undefined) {
      hidden.set(requested.host, true);
      warnOnce(
        `${requested.host} again`,
        'A proxy hides the host that browsers ask for: let it pass Host on, or X-Forwarded-Host and set TRUST_PROXY',
      );
      return next();
    }
    setCookie(context, movedCookie, '1', { path: '/', maxAge: movedSeconds, httpOnly: true, sameSite: 'Lax' });
    // Not cached by the browser, because SITE_URL may be a mistake that the operator corrects.
    context.header('cache-control', 'no-store');
    const isAddress = isLoopback(requested.hostname) || isIP(requested.hostname.replaceAll(/[[\]]/g, '')) !== 0;
    warnOnce(requested.host, `A page was asked for at this host, and SITE_URL is ${siteUrl}`);
    return isAddress ? context.html(note(requested.origin, siteUrl, target)) : context.redirect(target, 308);
  };
}

/** Whether a request names the site's own host as browsers write it: then `ownHost` has nothing to do. */
export function ownHostTest({ siteUrl, trustProxy }: Pick<Config, 'siteUrl' | 'trustProxy'>) {
  const own = new URL(siteUrl).host;
  return (headers: IncomingHttpHeaders): boolean =>
    headers.host === own || (trustProxy > 0 && headers['x-forwarded-host'] === own);
}

/** The host of the request and, behind a proxy, the one that it reports. */
function hostsOf(req: HonoRequest, trustProxy: number): URL[] {
  const host = req.header('host') ?? new URL(req.url).host;
  const forwarded = trustProxy > 0 ? req.header('x-forwarded-host')?.split(',')[0]?.trim() : undefined;
  return [host, forwarded].flatMap((name) => {
    const url = name === undefined ? null : URL.parse(`http://${name}`);
    return url === null ? [] : [url];
  });
}

/** As sent by the client: `new URL()` would resolve dots. */
function pathAndQuery(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
}

function isNavigation(req: HonoRequest): boolean {
  // Browsers send fetch metadata only over TLS and to loopback.
  const mode = req.header('sec-fetch-mode');
  return mode === undefined ? (req.header('accept') ?? '').includes('text/html') : mode === 'navigate';
}

/** A page at a wrong host signs in there: the password is right, but the session would not last. */
function isLogInAt(asked: URL, req: HonoRequest): boolean {
  if (req.method !== 'POST' || !req.path.startsWith('/identity/')) return false;
  return URL.parse(req.header('origin') ?? '')?.host === asked.host;
}

function note(askedUrl: string, siteUrl: string, target: string) {
  return html`<!doctype html>
    <html lang="${language()}" dir="${languageFacts().direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${i18n._(/*i18n*/ { id: 'own-host.title', message: 'Another address' })}</title>
      </head>
      <body>
        <p>
          ${i18n._(/*i18n*/ { id: 'own-host.text', message: 'You are at {askedUrl}. The address of this site is:', values: { askedUrl } })}
          <a href="${target}">${siteUrl}</a>
        </p>
      </body>
    </html> `;
}
