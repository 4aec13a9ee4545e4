import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { takeAttempt } from '#api/account/attempts.ts';
import { answerOf } from '#api/answer.ts';
import type { AnyCall, Who } from '#api/call.ts';
import { calls } from '#api/calls.ts';
import { type ErrorCode, englishErrors, errorStatus } from '#domain/kernel/errors.ts';
import { inAllLanguages } from '#domain/kernel/viewer.ts';
import { ageClassOf } from '../age/age-classes.ts';
import { deviceOf } from '../device.ts';
import { limitBody } from '../limits/limit-body.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { guardFor, limitOf, refuseHead } from './guards.ts';
import { refuseInvalid } from './invalid.ts';
import { batched, waitsForProvider } from './places.ts';
import { sameSiteOnly } from './same-site.ts';
import { sessionCookieOf } from './session-cookie.ts';
import { ErrorResponse, json, jsonBody, optionalSession } from '#api/schemas.ts';

/** Codes that follow from who may call. */
const codes: Record<Who, readonly ErrorCode[]> = {
  anyone: [],
  user: ['auth/login-required'],
  creator: ['auth/login-required', 'studio/no-creator'],
  moderator: ['auth/login-required', 'auth/second-factor-required'],
  operator: ['auth/login-required', 'auth/second-factor-required'],
  'fresh-operator': ['auth/login-required', 'auth/second-factor-required', 'auth/fresh-login-required'],
  'any-operator': ['auth/login-required'],
};

/** Made once: all versions of the API have the same ones. */
const routes = calls.map(({ tag, call }) => ({ call, route: routeOf(call, tag) }));

/** The routes of all calls. */
export function routesOfCalls(parts: ApiParts): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
  for (const { route, call } of routes)
    app.openapi(route, (async (context: Context<ApiEnv>) => answerTo(call, context, parts)) as never);
  return app;
}

function routeOf(call: AnyCall, tag: string) {
  const { method, path, query, input, headers, details } = call;
  const params = call.params ?? paramsIn(path);
  return createRoute({
    method,
    path,
    tags: [tag],
    summary: call.about,
    ...(details !== undefined && { description: details }),
    middleware: middlewareOf(call),
    ...((call.security ?? call.who === 'anyone') && { security: call.security ?? optionalSession }),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(input && { body: bodyOf(input) }),
    },
    responses: responsesOf(call),
  });
}

function bodyOf(input: z.ZodType) {
  return input instanceof z.ZodOptional
    ? { ...jsonBody(input.unwrap() as z.ZodType), required: false }
    : jsonBody(input);
}

/** In this order: caching, session, rate, place, body. */
function middlewareOf(call: AnyCall): MiddlewareHandler[] {
  const { who, limit, maxBytes, tooLarge, head, sameSite, place, cache, method } = call;
  const kept = cache ?? (who === 'anyone' ? undefined : 'private, no-store');
  return [
    ...(kept === undefined ? [] : [cacheFor(kept)]),
    ...(sameSite ? [sameSiteOnly] : []),
    ...(head === false ? [refuseHead] : []),
    ...(who === 'anyone' ? [] : [guardFor(who)]),
    ...(limit === undefined ? [] : [limitOf(who, limit)]),
    ...(place === undefined ? [] : [place === 'none' ? batched : waitsForProvider]),
    ...(method === 'get' ? [] : [limitBody(maxBytes ?? 16 * 1024, tooLarge)]),
  ] as MiddlewareHandler[];
}

function cacheFor(cacheControl: string): MiddlewareHandler {
  return async (context, next) => {
    await next();
    // `context.header()` would rebuild the answer.
    if (context.res.ok || cacheControl.startsWith('private')) context.res.headers.set('cache-control', cacheControl);
  };
}

function paramsIn(path: string): z.ZodObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return undefined;
  return z.object(
    Object.fromEntries(
      names.map((name) => [
        name,
        z
          .uuid()
          .toLowerCase()
          .openapi({ param: { name, in: 'path' } }),
      ]),
    ),
  );
}

/** Responses by status, each with its codes. */
function responsesOf(call: AnyCall) {
  const { output, file, who, method, path, limit, attempt, query, input, answerHeaders } = call;
  const { errors = [], refuses = {}, refusal = ErrorResponse } = call;
  const all = new Set<ErrorCode>([
    ...codes[who].filter((code) => code !== 'studio/no-creator' || method !== 'get'),
    ...(query !== undefined || input !== undefined ? (['request/invalid'] as const) : []),
    ...(ageClassOf(method.toUpperCase(), `/v1/api${path}`).of === 'open' ? [] : (['age/required'] as const)),
    ...(path.includes('{') ? (['request/invalid', 'request/not-found'] as const) : []),
    ...(limit === undefined && attempt === undefined ? [] : (['request/too-many'] as const)),
    ...errors,
    ...Object.values(refuses).filter((code) => typeof code === 'string'),
  ]);
  const byStatus = Map.groupBy(all, (code) => errorStatus[code]);
  const lineOf = (code: ErrorCode) => `\`${code}\`: ${englishErrors[code]}`;
  return {
    [statusOf(call)]: {
      ...(file !== undefined
        ? {
            description: 'The file',
            content: {
              [file]: { schema: file.startsWith('text/') ? z.string() : z.string().openapi({ format: 'binary' }) },
            },
          }
        : output === undefined
          ? { description: 'Done' }
          : json(output, output.description ?? 'Done')),
      ...(answerHeaders && { headers: answerHeaders }),
    },
    ...call.also,
    ...Object.fromEntries(Array.from(byStatus, ([status, of]) => [status, json(refusal, of.map(lineOf).join('\n\n'))])),
  };
}

function statusOf({ status, output, file }: AnyCall) {
  return status ?? (output === undefined && file === undefined ? 204 : 200);
}

function asksForAllLanguages(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'languages' in query && query.languages === 'all';
}

async function answerTo(call: AnyCall, context: Context<ApiEnv>, parts: ApiParts): Promise<Response> {
  const { req } = context;
  const valid = (target: string) => req.valid(target as never) as unknown;
  const session = context.get('loggedIn');
  const query = valid('query');
  const viewer = context.get('viewer');
  const given = {
    ...(valid('param') as object | undefined),
    site: parts.site,
    viewer: asksForAllLanguages(query) ? inAllLanguages(viewer) : viewer,
    session,
    query,
    input: valid('json'),
    get address() {
      return clientAddress(context, parts.trustProxy);
    },
    get device() {
      return deviceOf(req.header('user-agent'));
    },
    cookie: sessionCookieOf(context, parts),
    context,
    parts,
  };
  if (call.attempt !== undefined) await takeAttempt(given, call.attempt, session?.viewer.id);
  const answer = answerOf(call, await call.act(given));
  if (answer instanceof Response) return answer;
  return answer === undefined ? context.body(null, statusOf(call) as 204) : context.json(answer, statusOf(call) as 200);
}
