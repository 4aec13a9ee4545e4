import { randomBytes } from 'node:crypto';
import type { Context, Next } from 'hono';
import type { ProofState } from '#domain/age/proof-requests.ts';
import type { Site } from '#domain/site.ts';
import { inPath, languageOfPath, offeredPrefix, splitPrefix } from '#formats/languages.ts';
import { ownPath } from '#formats/own-path.ts';
import { qrPath } from '#formats/qr-path.ts';
import type { AgePage } from '#web/age/age-page.ts';
import { errorResponse } from '../errors.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { findViewer } from '../viewer.ts';
import { checkLine, checkSecretIn, confirmationIn } from './age-cookie.ts';
import type { AgeEnv, AgeGates } from './age-gate.ts';

type Parts = { site: Pick<Site, 'age' | 'facts' | 'identity'>; ages: AgeGates; rateLimit: RateLimit; secure: boolean };
export type AgeProofs = ReturnType<typeof createAgeProofs>;

/** `line`: the cookie of a request that was begun. */
type PageOfCheck = { facts: AgePage; line?: string };

const addresses = /^\/age(?:\/(waiting|done|refused))?(\.data)?$/;

/** Requests for a proof of age: each belongs to the browser that began it, which alone can take its answer. */
export function createAgeProofs({ site, ages, rateLimit, secure }: Parts) {
  const { proofs, ways } = site.age;
  const secretOf = (context: Context) => checkSecretIn(context.req.header('cookie') ?? '');

  async function begin(context: Context) {
    if (!rateLimit(context, { kind: 'age proof', perMinute: 30 })) return undefined;
    const secret = secretOf(context) ?? randomBytes(32).toString('base64url');
    return { request: await proofs.beginProof(secret), line: checkLine(secret, secure) };
  }

  /** @returns undefined for a browser that has begun none, or whose request has run out */
  async function find(context: Context): Promise<ProofState | undefined> {
    const secret = secretOf(context);
    return secret === undefined ? undefined : proofs.findProof(secret);
  }

  async function forget(context: Context): Promise<void> {
    const secret = secretOf(context);
    if (secret !== undefined) await proofs.forgetProof(secret);
  }

  /**
   * Keeps a proof that was given, and leads to the page that says so; other outcomes have theirs. That page forgets the
   * request: until then, a browser that has left before its cookie came asks again.
   */
  async function settle(context: Context, state: Exclude<ProofState, { is: 'waiting' }>): Promise<Response> {
    if (state.is === 'refused') return lead(context, '/age/refused', `&why=${state.reason}`);
    const line = await ages.prove(context, await findViewer(site, context.req.raw), state.way);
    if (line !== undefined) context.header('set-cookie', line, { append: true });
    return lead(context, '/age/done');
  }

  /** To a page of the check, in the language of this one. @param to where it leads in the end */
  function lead(context: Context, page: string, more = '', to = ownPath(context.req.query('to') ?? null)): Response {
    const { languages } = site.facts;
    const { language = languageOfPath(languages, to) } = offeredPrefix(languages, context.req.path);
    context.header('cache-control', 'private, no-store');
    return context.redirect(`${inPath(language, page, languages)}?to=${encodeURIComponent(to)}${more}`, 303);
  }

  return {
    find,
    forget,
    lead,
    /**
     * Facts for the pages of the check, which are made for one browser. One that waits for an answer leads on when there
     * is one, so that it works without scripts, too.
     */
    async beforePages(context: Context<AgeEnv>, next: Next): Promise<Response | void> {
      const found = addresses.exec(splitPrefix(context.req.path).path);
      if (found === null) return next();
      const page = await pageOf(context, found[1], found[2] !== undefined);
      if (page instanceof Response) return page;
      context.set('agePage', page.facts);
      await next();
      const { headers } = context.res;
      headers.set('cache-control', 'private, no-store');
      if (page.line !== undefined) headers.append('set-cookie', page.line);
    },
  };

  async function pageOf(
    context: Context<AgeEnv>,
    step: string | undefined,
    isData: boolean,
  ): Promise<PageOfCheck | Response> {
    const { ageRule, ageRegion, ageMissing, seenAs } = context.var;
    const kept = confirmationIn(site.age, context.req.header('cookie') ?? '', seenAs !== undefined);
    const offered = ways.offered();
    const plan = ageRule && site.age.confirmationOf('wallet', ageRule);
    const facts: AgePage = { region: ageRegion, until: plan?.until, kept, ways: [] };
    if (step === 'done' || step === 'refused') await forget(context);
    if (step === 'done' || step === 'refused' || ageMissing !== 'proof' || offered.length === 0) return { facts };
    const state = await find(context);
    // Data cannot bring a cookie to a page that is shown already.
    if (state !== undefined && state.is !== 'waiting' && !isData) return settle(context, state);
    if (state?.is !== 'waiting' && step === 'waiting') return isData ? { facts } : lead(context, '/age');
    const begun = state?.is === 'waiting' ? { request: state.request } : await begin(context);
    if (begun === undefined) return errorResponse('request/too-many');
    const { request, ...cookie } = begun;
    const hasWallet = offered.includes('wallet');
    const link = hasWallet ? await ways.walletLink(request) : undefined;
    const own: AgePage = {
      ...facts,
      ways: offered,
      expiresAt: request.expiresAt,
      provider: offered.includes('provider') ? ways.provider : undefined,
      wallet:
        link === undefined ? undefined : { link, code: qrPath(link), requests: await ways.browserRequests(request) },
    };
    return { facts: own, ...cookie };
  }
}
