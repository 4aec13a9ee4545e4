import { Hono } from 'hono';
import type { Site } from '#domain/site.ts';
import { errorResponse } from './errors.ts';
import { limitBody } from './limits/limit-body.ts';
import type { RateLimit } from './limits/rate-limit.ts';

/**
 * Turns off news mails by one POST without a session (RFC 8058): from the mail program's button, or from the page that
 * GET shows. A GET changes nothing, because mail scanners open every link.
 */
export function unsubscribeRoutes({ site, rateLimit }: { site: Pick<Site, 'notifications'>; rateLimit: RateLimit }) {
  return new Hono().post('/unsubscribe/:token', limitBody(4 * 1024), async (context) => {
    const isAllowed = rateLimit(context, { kind: 'unsubscribe', perMinute: 60 });
    const token = context.req.param('token');
    const isDone = isAllowed && (await site.notifications.unsubscribe(token));
    const body = await context.req.text();
    // Mail programs send multipart or URL-encoded forms, and must not be redirected (RFC 8058 §3.1, §3.2).
    if (body.includes('One-Click')) {
      if (isDone) return context.text('Unsubscribed');
      return errorResponse(isAllowed ? 'request/not-found' : 'request/too-many');
    }
    // The page of an invalid link says so, and where to change the settings instead.
    const page = isDone ? 'done' : isAllowed ? encodeURIComponent(token) : 'busy';
    return context.redirect(`/unsubscribe/${page}`, 303);
  });
}
