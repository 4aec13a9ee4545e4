import type { MiddlewareHandler } from 'hono';

/** @param secure the site is reached over TLS, so browsers may be told to insist on it */
export function securityHeaders({ secure }: { secure: boolean }): MiddlewareHandler {
  const headers = Object.entries({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self), usb=(), interest-cohort=()',
    // Popups of social sign-in report back to the page that opened them.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  });
  const policy = "default-src 'none'; frame-ancestors 'none'";
  return async (context, next) => {
    await next();
    const target = context.res.headers;
    for (const [name, value] of headers) if (!target.has(name)) target.set(name, value);
    // Pages bring their own policy with a nonce; nothing else is a document.
    if (!target.has('content-security-policy')) target.set('content-security-policy', policy);
  };
}

/** For one page: scripts and styles only from this site or with this answer's nonce. */
export function pagePolicy({ nonce, secure, development }: { nonce: string; secure: boolean; development: boolean }): string {
  const self = "'self'";
  return [
    "default-src 'none'",
    `script-src ${self} 'nonce-${nonce}'`,
    // React writes `style` attributes; development injects style elements by script.
    development ? `style-src ${self} 'unsafe-inline'` : `style-src ${self} 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src ${self} data:`,
    `media-src ${self} blob:`,
    `font-src ${self}`,
    `connect-src ${self}${development ? ' ws:' : ''}`,
    `manifest-src ${self}`,
    `form-action ${self}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
