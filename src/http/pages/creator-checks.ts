import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { serialize } from 'hono/utils/cookie';
import type { Site } from '#domain/site.ts';
import { type CheckFailure, visitMinutes } from '#domain/verification/provider-checks.ts';
import { inPath, isLanguage, sourceLanguage } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { isFromElsewhere } from '../api/same-site.ts';
import { errorResponse } from '../errors.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { findViewer } from '../viewer.ts';

/** Language, creator and ticket of the visit that this browser has begun. */
const cookie = 'sotto_creator_check';
const visitPattern = /^([a-z]{2})~([a-z0-9-]{1,160})~([\w.-]{60,140})$/;

type Parts = { site: Pick<Site, 'facts' | 'identity' | 'verification'>; rateLimit: RateLimit; secure: boolean };

/**
 * `GET /verification/provider` leads an owner to the identity provider for creators, `GET /verification/return` back from
 * it, to the Studio. The cookie outlives the visit for minutes, and nothing is stored before the answer.
 */
export function creatorCheckRoutes({ site, rateLimit, secure }: Parts): Hono {
  const checks = site.verification.providerChecks;
  const options = { path: '/verification', httpOnly: true, sameSite: 'Lax', secure } as const;

  function lead(context: Context, language: string, slug: string, how: 'done' | CheckFailure): Response {
    context.header('cache-control', 'private, no-store');
    const page = `/studio/${encodeURIComponent(slug)}/verification?check=${how}`;
    return context.redirect(inPath(isLanguage(language) ? language : sourceLanguage, page, site.facts.languages), 303);
  }

  return new Hono()
    .get('/verification/provider', async (context) => {
      // Another site must not begin it.
      if (isFromElsewhere(context.req)) return errorResponse('request/invalid');
      if (!rateLimit(context, { kind: 'creator check', perMinute: 20 })) return errorResponse('request/too-many');
      const { voice: slug = '', language = sourceLanguage } = context.req.query();
      const begun = await checks.beginCheck(await findViewer(site, context.req.raw), slug);
      if (!begun.ok && begun.reason === 'not-found') return errorResponse('request/not-found');
      if (!begun.ok) return lead(context, language, slug, begun.reason);
      const visit = serialize(cookie, `${language}~${slug}~${begun.ticket}`, { ...options, maxAge: visitMinutes * 60 });
      context.header('set-cookie', visit, { append: true });
      context.header('cache-control', 'private, no-store');
      return context.redirect(begun.page.href, 302);
    })
    .get('/verification/return', async (context) => {
      if (!rateLimit(context, { kind: 'creator check', perMinute: 20 })) return errorResponse('request/too-many');
      const [, language = '', slug, ticket] = visitPattern.exec(getCookie(context, cookie) ?? '') ?? [];
      if (slug === undefined || ticket === undefined) return errorResponse('request/not-found');
      context.header('set-cookie', serialize(cookie, '', { ...options, maxAge: 0 }), { append: true });
      const viewer = await findViewer(site, context.req.raw);
      const finish = () => checks.finishCheck(viewer, ticket, new URL(context.req.url));
      const outcome = await inLanguage(isLanguage(language) ? language : sourceLanguage, finish);
      return lead(context, language, slug, outcome.ok ? 'done' : outcome.reason);
    });
}
