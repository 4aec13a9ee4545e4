import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { callLimits } from '#gateways/call-limits.ts';
import { timedFetch } from '#gateways/timed-fetch.ts';
import { errorResponse } from './errors.ts';

/** How a request of `doctor` arrived at the site. */
const ProbeAnswer = z.object({
  /** Proves that the site has the same secret. */
  proof: z.string(),
  /** Entries of X-Forwarded-For: the proxies in between, since `doctor` sends none. */
  proxies: z.int(),
});
export type ProbeAnswer = z.infer<typeof ProbeAnswer>;

/** `/healthz/probe`: answers only callers who prove, without sending it, that they have the site's secret. */
export function probeRoutes(secret: string): Hono {
  const app = new Hono();
  app.get('/healthz/probe', ({ req }) => {
    const { nonce = '', proof = '' } = req.query();
    if (!/^[\w-]{20,100}$/.test(nonce) || !isEqual(proof, prove(secret, 'ask', nonce)))
      return errorResponse('request/not-found');
    const forwarded = req.header('x-forwarded-for');
    const answer: ProbeAnswer = {
      proof: prove(secret, 'answer', nonce),
      proxies: forwarded === undefined ? 0 : forwarded.split(',').length,
    };
    return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
  });
  return app;
}

/**
 * Checks whether the site with this secret answers at an address.
 * @returns undefined when something else answers
 * @throws the error of `fetch` when nothing does
 */
export async function probeSite(siteUrl: string, secret: string): Promise<ProbeAnswer | undefined> {
  const nonce = randomBytes(24).toString('base64url');
  const query = new URLSearchParams({ nonce, proof: prove(secret, 'ask', nonce) });
  const response = await timedFetch(`${siteUrl}/healthz/probe?${query}`, {
    limitMs: callLimits.doctor.answerMs,
    redirect: 'manual',
  });
  const { data } = ProbeAnswer.safeParse(await response.json().catch(() => undefined));
  return data !== undefined && isEqual(data.proof, prove(secret, 'answer', nonce)) ? data : undefined;
}

function prove(secret: string, act: 'ask' | 'answer', nonce: string): string {
  return createHmac('sha256', secret).update(`doctor ${act} ${nonce}`).digest('base64url');
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
