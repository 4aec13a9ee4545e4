import type { Context, MiddlewareHandler } from 'hono';
import { parse, serialize } from 'hono/utils/cookie';
import { type Viewer, visitor } from '#domain/kernel/viewer.ts';
import { listeningOfCookies, withListening } from '#domain/identity/listening-rules.ts';
import { sessionSeconds } from '#domain/identity/sessions.ts';
import type { Site } from '#domain/site.ts';
import { clientAddress } from './limits/rate-limit.ts';

/**
 * API calls authenticate by Bearer token only, which other sites cannot make a browser send. Browsers request pages and
 * media themselves, so those use the cookie; they never change anything. Calls read the cookie with the languages that
 * this browser listens to.
 */

const plainCookie = 'sotto_session';
/** For https: other hosts of the domain cannot plant it (RFC 6265bis §4.1.3.2). */
const hostCookie = `__Host-${plainCookie}`;

type User = Extract<Viewer, { kind: 'user' }>;
export type LoggedIn = { sessionId: string; token: string; viewer: User };

/** Set by `bearerOnly`. */
export type ViewerEnv = { Variables: { viewer: Viewer; loggedIn: LoggedIn | undefined } };

/**
 * Resolves the Bearer of a call. An expired or foreign token counts as none: the call itself decides whether it needs
 * one.
 */
export function bearerOnly({
  site,
  secure,
  trustProxy,
}: {
  site: Site;
  secure: boolean;
  trustProxy: number;
}): MiddlewareHandler<ViewerEnv> {
  return async (context, next) => {
    const token = bearerOf(context.req.header('authorization'));
    const session = token === undefined ? undefined : await site.identity.findSession(token);
    const loggedIn =
      token === undefined || session === undefined
        ? undefined
        : { sessionId: session.id, token, viewer: withAddress(session.viewer, context, trustProxy) };
    context.set('loggedIn', loggedIn);
    const listening = listeningOfCookies(context.req.header('cookie') ?? '');
    context.set('viewer', withListening(loggedIn?.viewer ?? visitor, listening));
    await next();
    if (session?.isExtended !== true || token !== sessionTokenOf(context.req.raw)) return;
    // The call itself has replaced or deleted the cookie.
    if (context.res.headers.getSetCookie().some(mayHaveSession)) return;
    // `context.header()` would rebuild the answer.
    for (const line of sessionCookieLines(context.req.raw, token, secure))
      context.res.headers.append('set-cookie', line);
  };
}

/** The log of operators' acts keeps it. */
function withAddress(viewer: User, context: Context, trustProxy: number): User {
  return viewer.isAdmin || viewer.isModerator ? { ...viewer, address: clientAddress(context, trustProxy) } : viewer;
}

/** For media: uses the cookie, or a Bearer from an app. */
export async function findViewer(site: Pick<Site, 'identity'>, request: Request): Promise<Viewer> {
  return (await findPageViewer(site, request, false)).viewer;
}

/** @returns also the `Set-Cookie` lines that extend the cookie with its session, under the current name */
export async function findPageViewer(
  site: Pick<Site, 'identity'>,
  request: Request,
  secure: boolean,
): Promise<{ viewer: Viewer; cookies: string[] }> {
  const bearer = bearerOf(request.headers.get('authorization') ?? undefined);
  const token = bearer ?? sessionTokenOf(request);
  const session = token === undefined ? undefined : await site.identity.findSession(token);
  if (session === undefined) return { viewer: visitor, cookies: [] };
  const isDue =
    bearer === undefined && (session.isExtended || (secure && cookiesOf(request)[hostCookie] === undefined));
  return { viewer: session.viewer, cookies: isDue ? sessionCookieLines(request, token, secure) : [] };
}

/** Also accepts the plain name under https, from before; the next page replaces it. */
export function sessionTokenOf(request: Request): string | undefined {
  const cookies = cookiesOf(request);
  return cookies[hostCookie] ?? cookies[plainCookie];
}

/** Like `sessionTokenOf` without reading each cookie: may also be true without a session. */
export function mayHaveSession(cookies: string): boolean {
  return cookies.includes(plainCookie);
}

/**
 * The cookie expires with the token, so that browsers without script storage stay logged in.
 * @param token undefined deletes the cookie
 */
export function sessionCookieLines(request: Request, token: string | undefined, secure: boolean): string[] {
  const present = cookiesOf(request);
  const name = secure ? hostCookie : plainCookie;
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  const ended = (secure ? [hostCookie, plainCookie] : [plainCookie]).filter(
    (known) => present[known] !== undefined && (token === undefined || known !== name),
  );
  return [
    ...(token === undefined ? [] : [serialize(name, token, { ...options, maxAge: sessionSeconds })]),
    ...ended.map((known) => serialize(known, '', { ...options, expires: new Date(0) })),
  ];
}

function cookiesOf(request: Request): Record<string, string | undefined> {
  const cookies = request.headers.get('cookie');
  return cookies === null ? {} : parse(cookies);
}

function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(\S+)$/i.exec(header)?.[1];
}
