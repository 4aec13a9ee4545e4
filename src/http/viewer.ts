import type { Context, MiddlewareHandler } from 'hono';
import { parse } from 'hono/utils/cookie';
import { getCookie, setCookie } from 'hono/cookie';
import { DomainError } from '#domain/errors.ts';
import type { Viewer } from '#domain/identity/rules.ts';
import { visitor } from '#domain/identity/rules.ts';
import type { Site } from '#domain/site.ts';

/**
 * Who asks. Calls are believed by their Bearer token alone: no other site can make a browser send that. Pages and media
 * are asked for by the browser itself, so there the cookie tells; nothing that changes anything does.
 */

const sessionCookie = 'sotto_session';

type User = Extract<Viewer, { kind: 'user' }>;
export type LoggedIn = { sessionId: string; token: string; viewer: User };

/** Set by `bearerOnly`. */
export type ViewerEnv = { Variables: { viewer: Viewer; loggedIn: LoggedIn | undefined } };

/** Resolves the Bearer of a call. A token that is expired or foreign counts as none: the call says what it needs. */
export function bearerOnly(site: Site): MiddlewareHandler<ViewerEnv> {
  return async (context, next) => {
    const token = bearerOf(context.req.header('authorization'));
    const session = token === undefined ? undefined : await site.identity.findSession(token);
    const loggedIn =
      token === undefined || session === undefined
        ? undefined
        : { sessionId: session.id, token, viewer: session.viewer };
    context.set('loggedIn', loggedIn);
    context.set('viewer', loggedIn?.viewer ?? visitor);
    await next();
  };
}

/** @throws DomainError `auth/login-required` */
export function requireLoggedIn(context: Context<ViewerEnv>): LoggedIn {
  const loggedIn = context.get('loggedIn');
  if (loggedIn === undefined) throw new DomainError('auth/login-required');
  return loggedIn;
}

/** For answers that are somebody's own: never kept by anyone on the way. */
export async function personal(context: Context, next: () => Promise<void>): Promise<void> {
  await next();
  // Not `context.header()`: it would make the answer anew.
  context.res.headers.set('cache-control', 'private, no-store');
}

/** For pages and media: by the cookie, or by a Bearer where an app brings one. */
export async function findViewer(site: Site, request: Request): Promise<Viewer> {
  const token = bearerOf(request.headers.get('authorization') ?? undefined) ?? sessionTokenOf(request);
  const session = token === undefined ? undefined : await site.identity.findSession(token);
  return session?.viewer ?? visitor;
}

export function sessionTokenOf(request: Request): string | undefined {
  const cookies = request.headers.get('cookie');
  return cookies === null ? undefined : parse(cookies, sessionCookie)[sessionCookie];
}

/** It ends with the browser; the token in local storage does not, and brings it back. */
export function setSessionCookie(context: Context, token: string, secure: boolean): void {
  setCookie(context, sessionCookie, token, { path: '/', httpOnly: true, sameSite: 'Lax', secure });
}

export function expireSessionCookie(context: Context, secure: boolean): void {
  if (getCookie(context, sessionCookie) === undefined) return;
  setCookie(context, sessionCookie, '', { path: '/', httpOnly: true, sameSite: 'Lax', secure, expires: new Date(0) });
}

function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(\S+)$/i.exec(header)?.[1];
}
