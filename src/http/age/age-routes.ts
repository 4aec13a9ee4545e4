import { Hono } from 'hono';
import type { Site } from '#domain/site.ts';
import { inPath, offeredPrefix } from '#formats/languages.ts';
import { ownPath } from '#formats/own-path.ts';
import { isFromElsewhere } from '../api/same-site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { findViewer } from '../viewer.ts';
import { underAgeLine } from './age-cookie.ts';
import type { AgeEnv, AgeGates } from './age-gate.ts';

type Parts = { site: Pick<Site, 'facts' | 'identity'>; ages: AgeGates; rateLimit: RateLimit; secure: boolean };

/**
 * `POST /age/statement`: the answer of the page "Are you 18 or older?", which leads back to where one came from. `again`
 * takes back the answer "I am under 18".
 */
export function ageRoutes({ site, ages, rateLimit, secure }: Parts): Hono<AgeEnv> {
  return new Hono<AgeEnv>().post('/age/statement', limitBody(4 * 1024), async (context) => {
    // Another site must not answer for its visitors.
    if (isFromElsewhere(context.req)) return errorResponse('request/invalid');
    if (!rateLimit(context, { kind: 'age', perMinute: 60 })) return errorResponse('request/too-many');
    const form = new URLSearchParams(await context.req.text());
    const [answer, to] = [form.get('answer'), ownPath(form.get('to'))];
    const pages = { yes: undefined, no: '/age/under', again: '/age/statement' };
    if (answer === null || !(answer in pages)) return errorResponse('request/invalid');
    if (answer === 'yes') await ages.state(context, await findViewer(site, context.req.raw));
    else context.header('set-cookie', underAgeLine(answer === 'no', secure), { append: true });
    const next = pages[answer as keyof typeof pages];
    const { languages } = site.facts;
    const { language = languages[0] } = offeredPrefix(languages, to);
    context.header('cache-control', 'private, no-store');
    return context.redirect(
      next === undefined ? to : `${inPath(language, next, languages)}?to=${encodeURIComponent(to)}`,
      303,
    );
  });
}
