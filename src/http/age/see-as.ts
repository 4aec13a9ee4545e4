import { Hono } from 'hono';
import { serialize } from 'hono/utils/cookie';
import { seeAsMinutes } from '#domain/age/see-as.ts';
import { type Region, elsewhere } from '#domain/age/rules.ts';
import type { Site } from '#domain/site.ts';
import { isFromElsewhere } from '../api/same-site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import { findViewer } from '../viewer.ts';
import { triedName, underAgeLine } from './age-cookie.ts';

const cookie = 'sotto_see_as';
const pattern = new RegExp(`(?:^|;\\s*)${cookie}=([\\w.-]{20,200})(?:;|$)`);

type Parts = { site: Pick<Site, 'age' | 'identity'>; secure: boolean };
export type SeenAs = { region: Region | undefined };

/** Whether an operator may have chosen a region for this browser; the app then decides, and no cache. */
export const maySeeAs = (cookies: string) => cookies.includes(`${cookie}=`);

/**
 * The region that an operator has chosen for their own browser. The account behind the request has to be theirs, and an
 * operator's still, so that the cookie is worth nothing elsewhere.
 */
export async function findSeenAs({ age, identity }: Parts['site'], request: Request): Promise<SeenAs | undefined> {
  const cookies = request.headers.get('cookie') ?? '';
  const sealed = maySeeAs(cookies) ? pattern.exec(cookies)?.[1] : undefined;
  const chosen = sealed === undefined ? undefined : age.openSeeAs(sealed);
  if (chosen === undefined) return undefined;
  const viewer = await findViewer({ identity }, request);
  if (viewer.kind !== 'user' || viewer.isAdmin !== true || viewer.id !== chosen.userId) return undefined;
  return { region: chosen.place === elsewhere ? undefined : chosen.place };
}

/** `POST /age/see-as`: begins, with a place, or ends. What was answered meanwhile is forgotten by both. */
export function seeAsRoutes({ site, secure }: Parts): Hono {
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return new Hono().post('/age/see-as', limitBody(4 * 1024), async (context) => {
    if (isFromElsewhere(context.req)) return errorResponse('request/invalid');
    const viewer = await findViewer(site, context.req.raw);
    if (viewer.kind !== 'user' || viewer.isAdmin !== true) return errorResponse('request/not-found');
    const place = new URLSearchParams(await context.req.text()).get('place') ?? '';
    const sealed = place === '' ? '' : site.age.sealSeeAs(viewer.id, place);
    if (sealed === undefined) return errorResponse('request/invalid');
    const chosen = serialize(cookie, sealed, { ...options, maxAge: sealed === '' ? 0 : seeAsMinutes * 60 });
    const forgotten = serialize(triedName, '', { ...options, maxAge: 0 });
    for (const line of [chosen, forgotten, underAgeLine(false, secure)])
      context.header('set-cookie', line, { append: true });
    context.header('cache-control', 'private, no-store');
    return context.redirect(sealed === '' ? '/admin/settings/age' : '/', 303);
  });
}
