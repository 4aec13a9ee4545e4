import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ProofOutcome, ProofRequest } from '#domain/age/proof-requests.ts';
import type { AgeWay } from '#domain/age/rules.ts';
import { isId } from '#domain/kernel/ids.ts';
import type { Site } from '#domain/site.ts';
import { ownPath } from '#formats/own-path.ts';
import { isFromElsewhere } from '../api/same-site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { findViewer } from '../viewer.ts';
import { returnLine, underAgeLine } from './age-cookie.ts';
import type { AgeEnv, AgeGates } from './age-gate.ts';
import type { AgeProofs } from './age-proofs.ts';

type Parts = {
  site: Pick<Site, 'age' | 'facts' | 'identity'>;
  ages: AgeGates;
  proofs: AgeProofs;
  rateLimit: RateLimit;
  secure: boolean;
};

/** A wallet's proof has some 2 kB. */
const maxAnswerBytes = 32 * 1024;

/**
 * `POST /age/statement`: the answer of the page "Are you 18 or older?", which leads back to where one came from. `again`
 * takes back the answer "I am under 18".
 */
export function ageRoutes({ site, ages, proofs, rateLimit, secure }: Parts): Hono<AgeEnv> {
  return new Hono<AgeEnv>()
    .post('/age/statement', limitBody(4 * 1024), async (context) => {
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
      if (next !== undefined) return proofs.lead(context, next, '', to);
      context.header('cache-control', 'private, no-store');
      return context.redirect(to, 303);
    })
    .route('/', proofRoutes({ site, proofs, rateLimit, secure }));
}

/**
 * Ways to a proof. `POST /age/wallet/{id}`: a wallet's answer, by OpenID4VP. `/age/provider` leads to the age provider,
 * `/age/return` back from it. `POST /age/stand-in`: the stand-in wallet. `POST /age/end`: another code, or another way.
 */
function proofRoutes({ site, proofs, rateLimit, secure }: Omit<Parts, 'ages'>): Hono<AgeEnv> {
  const { ways, proofs: requests } = site.age;
  const isBusy = (context: Context) => !rateLimit(context, { kind: 'age proof', perMinute: 30 });
  const done = { 'cache-control': 'no-store' };

  /** The browser's request, for a way that is on. */
  async function waiting(context: Context, way: AgeWay): Promise<ProofRequest | undefined> {
    if (!ways.offered().includes(way)) return undefined;
    const state = await proofs.find(context);
    return state?.is === 'waiting' ? state.request : undefined;
  }

  return new Hono<AgeEnv>()
    .post('/age/wallet/:id', limitBody(maxAnswerBytes), async (context) => {
      if (isBusy(context)) return errorResponse('request/too-many');
      const id = context.req.param('id');
      const request = isId(id) && ways.offered().includes('wallet') ? await requests.findWaitingProof(id) : undefined;
      // Answered before, run out, or never asked.
      if (request === undefined) return errorResponse('request/not-found');
      const form = new URLSearchParams(await context.req.text());
      const outcome: ProofOutcome =
        form.get('error') === null
          ? await ways.checkSent(request, form.get('vp_token'))
          : { ok: false, reason: 'denied' };
      const isFirst = await requests.settleProof(id, 'wallet', outcome);
      return isFirst ? context.json({}, 200, done) : errorResponse('request/not-found');
    })
    .get('/age/provider', async (context) => {
      if (isBusy(context)) return errorResponse('request/too-many');
      const request = await waiting(context, 'provider');
      if (request === undefined) return proofs.lead(context, '/age');
      const page = await ways.providerPage(request);
      if (page === undefined) return proofs.lead(context, '/age', '&why=unavailable');
      context.header('set-cookie', returnLine(ownPath(context.req.query('to') ?? null), secure), { append: true });
      context.header('cache-control', 'private, no-store');
      return context.redirect(page.href, 302);
    })
    .get('/age/return', async (context) => {
      if (isBusy(context)) return errorResponse('request/too-many');
      const to = ownPath(getCookie(context, 'sotto_age_to') ?? null);
      const request = await waiting(context, 'provider');
      if (request === undefined) return proofs.lead(context, '/age', '', to);
      const outcome = await ways.checkReturn(request, new URL(context.req.url));
      if (!outcome.ok && outcome.reason === 'unavailable') return proofs.lead(context, '/age', '&why=unavailable', to);
      await requests.settleProof(request.id, 'provider', outcome as ProofOutcome);
      return proofs.lead(context, '/age/waiting', '', to);
    })
    .post('/age/stand-in', limitBody(4 * 1024), async (context) => {
      if (isFromElsewhere(context.req)) return errorResponse('request/invalid');
      if (isBusy(context)) return errorResponse('request/too-many');
      const request = await waiting(context, 'stand-in');
      if (request !== undefined) await requests.settleProof(request.id, 'stand-in', await ways.checkStandIn(request));
      return proofs.lead(context, '/age/waiting', '', ownPath(new URLSearchParams(await context.req.text()).get('to')));
    })
    .post('/age/end', limitBody(4 * 1024), async (context) => {
      if (isFromElsewhere(context.req)) return errorResponse('request/invalid');
      if (isBusy(context)) return errorResponse('request/too-many');
      await proofs.forget(context);
      const form = new URLSearchParams(await context.req.text());
      const to = ownPath(form.get('to'));
      return form.get('answer') === 'no'
        ? proofs.lead(context, '/age/refused', '&why=denied', to)
        : proofs.lead(context, '/age', '', to);
    });
}
