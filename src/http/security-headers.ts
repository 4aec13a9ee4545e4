import type { MiddlewareHandler } from 'hono';
import type { Config } from '#config';
import type { Blobs } from '#domain/gateways.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import type { CardPaymentSettings } from '#domain/membership/shapes.ts';

/** The site's address, and its TLS policy for browsers. */
type Tls = Pick<Config, 'siteUrl' | 'hstsSubdomains'>;

/** With HSTS when the site uses TLS; subdomains only by setting, because they may be other services without TLS. */
export function commonHeaders({ siteUrl, hstsSubdomains }: Tls): Record<string, string> {
  const hsts = `max-age=63072000${hstsSubdomains ? '; includeSubDomains' : ''}`;
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self), usb=()',
    // Popups of social sign-in report back to the page that opened them.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    ...(siteUrl.startsWith('https:') ? { 'strict-transport-security': hsts } : {}),
  };
}

/** End of the policy of frames for other sites. */
const framedAnywhere = 'frame-ancestors *';

/** Adds headers to every answer without its own; pages bring their own policy. */
export function securityHeaders(config: Tls): MiddlewareHandler {
  const common = Object.entries({
    ...commonHeaders(config),
    // Only pages are documents.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    if (headers.has('x-frame-options')) return;
    const isFrame = headers.get('content-security-policy')?.endsWith(framedAnywhere) === true;
    for (const [name, value] of common)
      if (!headers.has(name) && !(isFrame && name === 'x-frame-options')) headers.set(name, value);
  };
}

/** Other origins that a page may use besides its own site. */
type PageOrigins = { connect?: string[]; script?: string[]; frame?: string[]; media?: string[] };

/** Origins for signing in: none with the built-in provider, Google's hosts with Firebase. */
export function identityOrigins(identity: BrowserIdentitySettings): PageOrigins {
  if (identity.provider === 'built-in') return {};
  const emulator = identity.emulatorUrl === null ? [] : [identity.emulatorUrl];
  return {
    connect: ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com', ...emulator],
    script: ['https://apis.google.com'],
    frame: [`https://${identity.authDomain}`, ...emulator],
  };
}

/** Origins for card entry: Stripe renders its fields in its own frames. */
export function paymentOrigins(card: CardPaymentSettings | undefined): PageOrigins {
  if (card === undefined || card.scriptSrc !== null) return {};
  const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com'];
  return { connect: ['https://api.stripe.com'], script: scripts, frame: [...scripts, 'https://hooks.stripe.com'] };
}

/** Storage to which the media route redirects; images always come from this site, which scales them. */
export function storageOrigins(blobs: Pick<Blobs, 'remote'>): PageOrigins {
  const origin = blobs.remote?.links?.origin;
  return { media: origin === undefined ? [] : [origin] };
}

export function allOrigins(...parts: PageOrigins[]): PageOrigins {
  const all = (kind: keyof PageOrigins) => parts.flatMap((part) => part[kind] ?? []);
  return { media: all('media'), connect: all('connect'), script: all('script'), frame: all('frame') };
}

/**
 * Policy of one page: scripts and styles only from this site, plus the inline scripts with these hashes. Without
 * `strict-dynamic`, which blocks the static imports of an inline module (CSP Level 3 §6.6).
 */
export function pagePolicy({
  hashes,
  secure,
  development,
  origins: { connect = [], script = [], frame = [], media = [] } = {},
}: {
  /** Hashes from `hashInlineScripts`. */
  hashes: string[];
  secure: boolean;
  development: boolean;
  origins?: PageOrigins;
}): string {
  const self = "'self'";
  return [
    "default-src 'none'",
    [`script-src ${self}`, ...hashes, ...script].join(' '),
    // React writes `style` attributes; the dev server injects style elements by script.
    development ? `style-src ${self} 'unsafe-inline'` : `style-src ${self}`,
    "style-src-attr 'unsafe-inline'",
    `img-src ${self} data:`,
    [`media-src ${self} blob:`, ...media].join(' '),
    `font-src ${self}`,
    [`connect-src ${self}`, ...(development ? ['ws:'] : []), ...connect].join(' '),
    ...(frame.length > 0 ? [`frame-src ${frame.join(' ')}`] : []),
    `manifest-src ${self}`,
    `form-action ${self}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/**
 * Policy of a page without React: one script and one style, both inline. The site's address stands beside `'self'`, which
 * in some browsers is nothing in a sandbox.
 */
export function shellPolicy({
  isFramed,
  scripts,
  styles,
  siteUrl,
  development,
  origins: { media = [] } = {},
}: {
  /** Other sites may show it. */
  isFramed: boolean;
  /** Hashes of the inline script and the inline style; in development, whole files of this site. */
  scripts: string[];
  styles: string[];
  siteUrl: string;
  development: boolean;
  origins?: PageOrigins;
}): string {
  const site = `'self' ${siteUrl}`;
  return [
    "default-src 'none'",
    ['script-src', ...scripts].join(' '),
    ['style-src', ...styles].join(' '),
    `img-src ${site}`,
    [`media-src ${site}`, ...media].join(' '),
    `font-src ${site}`,
    `connect-src ${site}${development ? ' ws:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    isFramed ? framedAnywhere : "frame-ancestors 'none'",
  ].join('; ');
}
