import type { Context } from 'hono';
import type { SessionCookie } from '#api/call.ts';
import type { ApiParts } from '#api/parts.ts';
import { sessionCookieLines, sessionTokenOf } from '../viewer.ts';
import { isFromOwnPage } from './same-site.ts';

export function sessionCookieOf(context: Context, { site, secure }: ApiParts): SessionCookie {
  return {
    get token() {
      return sessionTokenOf(context.req.raw);
    },
    set(token) {
      // Also kept when the call then throws.
      for (const line of sessionCookieLines(context.req.raw, token, secure))
        context.res.headers.append('set-cookie', line);
    },
    get isOfOwnPage() {
      return isFromOwnPage(context, site.facts.url);
    },
  };
}
