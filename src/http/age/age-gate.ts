import type { Context, MiddlewareHandler } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Config } from '#config';
import {
  type AgeClass,
  type AgeGate,
  type AgeMethod,
  type AgeWay,
  type PlaceRule,
  type Region,
  ageGate,
  ageGateOfAccount,
  mayEnter,
} from '#domain/age/rules.ts';
import type { AgeMissing, Viewer } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { type OfferedLanguages, inPath, languageOfPath } from '#formats/languages.ts';
import type { AgePage } from '#web/age/age-page.ts';
import { errorResponse } from '../errors.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import { findViewer, mayHaveSession } from '../viewer.ts';
import { type Answers, ageClassOf } from './age-classes.ts';
import { confirmationIn, confirmationLine } from './age-cookie.ts';
import { type SeenAs, findSeenAs, maySeeAs } from './see-as.ts';
import { type ReadHeader, type RegionOfClient, openRegions } from './regions.ts';

/** Set where a rule applies: the visitor's region, its rule, and what is missing. */
export type AgeEnv = {
  Variables: {
    ageRegion?: Region | undefined;
    /** The visitor’s region, whether a rule applies or not. */
    findRegion?: () => Region | undefined;
    ageRule?: PlaceRule | undefined;
    ageMissing?: AgeMissing | undefined;
    /** An operator sees the site as a visitor from there. */
    seenAs?: SeenAs | undefined;
    /** Facts for a page of the check. */
    agePage?: AgePage | undefined;
  };
};

type Parts = {
  site: Pick<Site, 'age' | 'facts' | 'identity'>;
  config: Pick<Config, 'regionHeaders' | 'trustProxy' | 'siteUrl'>;
  /** Undefined: the site has no file of regions. */
  regionOfClient?: RegionOfClient | undefined;
};

export type AgeGates = ReturnType<typeof createAgeGates>;

/** Decides who may enter, before every route and every cache. Costs nothing where no rule asks. */
export function createAgeGates({ site, config, regionOfClient }: Parts) {
  const { age } = site;
  const findRegion = openRegions(config, regionOfClient);
  const secure = config.siteUrl.startsWith('https:');
  /** Many expressions decide it, and caches answer the same addresses again. */
  const classes = new LRUCache<string, AgeClass>({ max: 5000 });
  const ruleOf = (header: ReadHeader, client: () => string) => age.ruleFor(findRegion(header, client));

  /**
   * For answers from caches, by headers and address alone.
   * @returns undefined when the app has to decide, otherwise what is missing, and how the headers change
   */
  function ofCached(method: string, path: string, header: ReadHeader, client: () => string) {
    if (maySeeAs(header('cookie') ?? '')) return undefined;
    if (age.strictest() === 'none') return { missing: undefined, isPrivate: false };
    const gate = ageGate(ruleOf(header, client), { device: confirmationIn(age, header('cookie') ?? '') });
    const of = classOf(method, path);
    if (!mayEnter(gate, of)) return undefined;
    return { missing: missingAt(gate, of), isPrivate: mustBePrivate(of) };
  }

  function classOf(method: string, path: string): AgeClass {
    if (path.length > 200) return ageClassOf(method, path).of;
    const key = `${method} ${path}`;
    const of = classes.get(key) ?? ageClassOf(method, path).of;
    classes.set(key, of);
    return of;
  }

  /** Pages that are open anyway do not ask by themselves. */
  function missingAt(gate: AgeGate, of: AgeClass): AgeMissing | undefined {
    if (gate === 'open') return undefined;
    return gate === 'statement' && of !== 'open' && age.asksFirst() ? 'first' : gate;
  }

  /** Shared caches know no regions. */
  const mustBePrivate = (of: AgeClass) => age.strictest() === 'proof' || of === 'sound';

  const regionOf = (context: Context) =>
    findRegion(
      (name) => context.req.header(name),
      () => clientAddress(context, config.trustProxy),
    );

  const middleware: MiddlewareHandler<AgeEnv> = async (context, next) => {
    const { req } = context;
    const cookies = req.header('cookie') ?? '';
    const seenAs = maySeeAs(cookies) ? await findSeenAs(site, req.raw) : undefined;
    context.set('findRegion', () => regionOf(context));
    if (age.strictest() === 'none' && seenAs === undefined) return next();
    const region = seenAs ? seenAs.region : regionOf(context);
    const rule = age.ruleFor(region);
    const { of, answers } = ageClassOf(req.method, req.path);
    const isPage = answers !== 'error';
    let gate = ageGate(rule, { device: confirmationIn(age, cookies, seenAs !== undefined) });
    let line: string | undefined;
    // Other answers of the `open` class do not depend on it.
    if (gate !== 'open' && (of !== 'open' || isPage) && seenAs === undefined && hasUser(req.raw)) {
      const viewer = await findViewer(site, req.raw);
      const account = viewer.kind === 'user' ? await age.findConfirmation(viewer.id) : undefined;
      gate = ageGate(rule, { account });
      // Saves the question to the database for all files of the page.
      if (gate === 'open' && account !== undefined && isPage)
        line = confirmationLine(age, age.confirmationOf(account.method, rule), { secure });
    }
    context.set('seenAs', seenAs);
    context.set('ageRegion', region);
    context.set('ageRule', rule);
    context.set('ageMissing', missingAt(gate, of));
    if (!mayEnter(gate, of)) return refuse(context, answers, site.facts.languages);
    await next();
    const { headers } = context.res;
    if (seenAs !== undefined) headers.set('cache-control', 'private, no-store');
    else if (mustBePrivate(of)) headers.set('cache-control', privately(headers.get('cache-control')));
    if (line !== undefined) headers.append('set-cookie', line);
    return undefined;
  };

  /** An operator who tries it confirms nothing for their account. @returns the cookie that keeps it on this device */
  async function confirm(context: Context, viewer: Viewer, method: AgeMethod): Promise<string | undefined> {
    const { ageRule, seenAs } = context.var as AgeEnv['Variables'];
    if (ageRule === undefined) return undefined;
    const given = age.confirmationOf(method, ageRule);
    const isTried = seenAs !== undefined;
    if (viewer.kind === 'user' && !isTried) await age.keepConfirmation(viewer.id, given);
    return confirmationLine(age, given, { secure, isTried });
  }

  return {
    middleware,
    ofCached,
    /** The answer "I am at least 18"; nothing is kept where no rule asks for it. */
    async state(context: Context, viewer: Viewer): Promise<void> {
      if ((context.var as AgeEnv['Variables']).ageMissing === undefined) return;
      const line = await confirm(context, viewer, 'statement');
      if (line !== undefined) context.res.headers.append('set-cookie', line);
    },
    /** Also where no rule of age asks. Undefined: unknown. */
    regionOf(context: Context): Region | undefined {
      const { seenAs, ageRegion } = context.var as AgeEnv['Variables'];
      return seenAs === undefined ? (ageRegion ?? regionOf(context)) : seenAs.region;
    },
    /** A proof that was given. @returns the cookie that keeps it on this device */
    prove: (context: Context, viewer: Viewer, way: AgeWay): Promise<string | undefined> =>
      confirm(context, viewer, way),
    /** For a feed's address, which belongs to an account. */
    async ofAccount(context: Context, userId: string): Promise<AgeGate> {
      const rule = (context.var as AgeEnv['Variables']).ageRule;
      if (rule === undefined || rule.rule === 'none') return 'open';
      return ageGateOfAccount(rule, await age.findConfirmation(userId));
    },
  };
}

function hasUser(request: Request): boolean {
  return request.headers.has('authorization') || mayHaveSession(request.headers.get('cookie') ?? '');
}

function refuse({ req }: Context, answers: Answers, languages: OfferedLanguages): Response {
  if (answers === 'error') return errorResponse('age/required');
  const { pathname, search } = new URL(req.url);
  const to = pathname.replace(/(?:\/_root)?\.data$/, '') || '/';
  const location = `${inPath(languageOfPath(languages, pathname), '/age', languages)}?to=${encodeURIComponent(to + withoutRoutes(search))}`;
  const headers = { 'cache-control': 'private, no-store' };
  if (answers === 'page') return new Response(null, { status: 302, headers: { ...headers, location } });
  // The router's own form of a redirect, for hosts that cannot encode one.
  return new Response(null, {
    status: 204,
    headers: { ...headers, 'x-remix-redirect': location, 'x-remix-status': '302', 'x-remix-reload-document': 'true' },
  });
}

/** The router names the routes whose data it asks for. */
function withoutRoutes(search: string): string {
  const query = new URLSearchParams(search);
  if (!query.has('_routes')) return search;
  query.delete('_routes');
  return query.size === 0 ? '' : `?${query}`;
}

/** As it is, but for the browser alone. */
export function privately(cacheControl: string | null): string {
  const sent = cacheControl ?? '';
  const known = privateForms.get(sent) ?? privateForm(sent);
  privateForms.set(sent, known);
  return known;
}

/** The site writes few of them. */
const privateForms = new LRUCache<string, string>({ max: 100 });

function privateForm(cacheControl: string): string {
  const kept = cacheControl
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(?:public|s-maxage=.*|stale-while-revalidate=.*)$/.test(part));
  return kept.includes('private') || kept.includes('no-store') ? kept.join(', ') : ['private', ...kept].join(', ');
}
