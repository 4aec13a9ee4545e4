import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type pg from 'pg';
import { z } from 'zod';
import type { SandboxKeys } from '../store/settings.ts';
import type { WriteQueue } from '../store/write-queue.ts';
import { randomText } from '../store/ids.ts';
import { type Work, type WorkOptions, openWork } from '../store/work.ts';
import type { Endpoint } from './endpoint.ts';
import { expand } from './expand.ts';
import { Failure, invalid } from './failure.ts';
import { parseForm } from './form.ts';
import { type Answer, claimKey, keepAnswer, releaseKey } from './idempotency.ts';
import { readParameters } from './read-parameters.ts';

export type ApiOptions = {
  endpoints: Endpoint[];
  /** Only the calls allowed with the publishable key; refuses secret keys. */
  forBrowsers: boolean;
  pool: pg.Pool;
  writes: WriteQueue;
  keys: SandboxKeys;
  now: () => Date;
  siteUrl: string;
  goesOut: WorkOptions['goesOut'];
  /** Runs the billing due by the machine's clock. */
  billDue(): Promise<void>;
  afterWrite(): void;
  onError(error: unknown, where: { method: string; path: string; request: string }): void;
};

const Expand = z.array(z.string().max(200)).max(20).default([]);

/** The SDK sends long lists and metadata; a browser sends one card. */
const maxBytes = 256 * 1024;
const maxBrowserBytes = 16 * 1024;

/** Stripe's API as a Hono app; one handler for every endpoint. */
export function createApi(options: ApiOptions): Hono {
  const app = new Hono();
  const maxSize = options.forBrowsers ? maxBrowserBytes : maxBytes;
  app.use('*', bodyLimit({ maxSize, onError: (context) => context.json(tooLarge().body(), 413) }));
  for (const endpoint of options.endpoints) {
    if (options.forBrowsers && !endpoint.forBrowsers) continue;
    app.on(endpoint.method, endpoint.path, (context) => answer(options, endpoint, context));
  }
  app.notFound((context) =>
    context.json(invalid(`Unrecognized request URL (${context.req.method}: ${context.req.path}).`).body(), 404),
  );
  return app;
}

async function answer(options: ApiOptions, endpoint: Endpoint, context: Context): Promise<Response> {
  const request = `req_${randomText(14)}`;
  const key = context.req.header('idempotency-key');
  const headers = new Headers({
    'content-type': 'application/json',
    'request-id': request,
    'cache-control': 'no-store',
  });
  if (key !== undefined) headers.set('idempotency-key', key);
  try {
    const isSecret = checkKey(options, endpoint, context);
    const { status, body, isReplayed } = await carryOut(options, endpoint, context, { request, key, isSecret });
    if (isReplayed) headers.set('idempotent-replayed', 'true');
    return new Response(body, { status, headers });
  } catch (error) {
    const { status, body } = asAnswer(error, (unexpected) =>
      options.onError(unexpected, { method: endpoint.method, path: endpoint.path, request }),
    );
    return new Response(body, { status, headers });
  }
}

function asAnswer(error: unknown, onUnexpected: (error: unknown) => void): Answer {
  if (error instanceof Failure) return { status: error.details.status, body: JSON.stringify(error.body()) };
  onUnexpected(error);
  const failure = new Failure({ status: 500, type: 'api_error', message: 'An unexpected error has occurred.' });
  return { status: 500, body: JSON.stringify(failure.body()) };
}

/** @returns whether the secret key was used */
function checkKey({ keys, forBrowsers }: ApiOptions, endpoint: Endpoint, { req }: Context): boolean {
  const given = req.header('authorization')?.match(/^Bearer (\S+)$/)?.[1] ?? '';
  if (!forBrowsers && isSame(given, keys.apiKey)) return true;
  if (isSame(given, keys.publishableKey)) {
    if (endpoint.forBrowsers) return false;
    throw new Failure({
      status: 403,
      type: 'permission_error',
      code: 'secret_key_required',
      message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
    });
  }
  throw new Failure({
    status: 401,
    type: 'authentication_error',
    message: given === '' ? 'You did not provide an API key.' : 'Invalid API Key provided',
  });
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

type Call = { request: string; key: string | undefined; isSecret: boolean };

async function carryOut(options: ApiOptions, endpoint: Endpoint, context: Context, call: Call) {
  const { pool, keys, now } = options;
  const text = endpoint.method === 'POST' ? await readBody(context) : new URL(context.req.url).search.slice(1);
  const { expand: paths, ...form } = parseForm(text);
  const expandPaths = Expand.safeParse(paths);
  if (!expandPaths.success) throw invalid('Invalid array', 'expand');
  const input = readParameters(endpoint.parameters, form);
  const path = context.req.param() as Record<string, string>;
  if (Object.values(path).some((part) => part.includes('\0'))) throw invalid('Invalid character');
  const perform = async (work: Work) => {
    const result = await endpoint.answer(work, input, path).catch((error: unknown) => {
      throw notFoundIn(path, error);
    });
    const shown = call.isSecret ? result : forBrowser(result);
    return JSON.stringify(await expand(work, shown, call.isSecret ? expandPaths.data : []));
  };
  const open = (client: pg.Pool | pg.PoolClient) =>
    openWork({
      client,
      machineNow: now,
      request: { id: call.request, idempotency_key: call.key ?? null },
      hashKey: keys.hashKey,
      siteUrl: options.siteUrl,
      goesOut: options.goesOut,
      isBrowser: !call.isSecret,
    });
  await options.billDue();
  if (endpoint.method === 'GET') return { status: 200, body: await perform(open(pool)), isReplayed: false };

  // A deletion is idempotent by itself, and a rehearsal stores nothing.
  const key = endpoint.method === 'POST' && !endpoint.isRehearsal ? call.key : undefined;
  if (key !== undefined && key.length > 255) throw invalid('Idempotency keys can be at most 255 characters long.');
  if (key !== undefined) {
    const one = { key, method: endpoint.method, path: context.req.path, body: text };
    const replayed = await claimKey(pool, one, { hashKey: keys.hashKey, now: now() });
    if (replayed !== undefined) return { ...replayed, isReplayed: true };
  }
  try {
    const written = await write(options, endpoint, key, {
      perform: (client) => perform(open(client)),
      describe: (failure) => failure.body(call.isSecret ? undefined : forBrowser),
    });
    options.afterWrite();
    return { ...written, isReplayed: false };
  } catch (error) {
    if (key !== undefined) await releaseKey(pool, key).catch(() => undefined);
    throw error;
  }
}

/** An unknown id in a parameter is 400; an unknown id in the path is 404. */
function notFoundIn(path: Record<string, string>, error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.missingId === undefined) return error;
  return Object.values(path).includes(error.details.missingId) ? new Failure({ ...error.details, status: 404 }) : error;
}

/** A failure rolls back, except for a decline; its answer is stored under the idempotency key either way. */
async function write(
  { writes }: ApiOptions,
  endpoint: Endpoint,
  key: string | undefined,
  { perform, describe }: { perform(client: pg.PoolClient): Promise<string>; describe(failure: Failure): object },
): Promise<Answer> {
  return writes.write(async (client) => {
    await client.query('savepoint begun');
    const { answer, holds } = await attempt(() => perform(client), describe);
    if (!holds || endpoint.isRehearsal) await client.query('rollback to savepoint begun');
    if (key !== undefined) await keepAnswer(client, key, answer);
    return { result: answer, holds: true };
  });
}

async function attempt(
  perform: () => Promise<string>,
  describe: (failure: Failure) => object,
): Promise<{ answer: Answer; holds: boolean }> {
  try {
    return { answer: { status: 200, body: await perform() }, holds: true };
  } catch (error) {
    if (!(error instanceof Failure) || error.details.isRejected === true) throw error;
    return {
      answer: { status: error.details.status, body: JSON.stringify(describe(error)) },
      holds: error.details.keepsChanges === true,
    };
  }
}

const tooLarge = () => new Failure({ ...invalid('The request is too large.').details, status: 413 });

async function readBody({ req }: Context): Promise<string> {
  const text = await req.text();
  const type = req.header('content-type') ?? '';
  if (text !== '' && !type.startsWith('application/x-www-form-urlencoded'))
    throw invalid(`Invalid request: unsupported content type ${type.slice(0, 60)}`);
  return text;
}

const notForBrowsers = new Set([
  'customer',
  'metadata',
  'latest_charge',
  'latest_attempt',
  'payment_method_options',
  'application',
  'on_behalf_of',
  'transfer_data',
  'statement_descriptor',
  'review',
]);

/** The publishable key is public, so browsers get only the fields that the customer needs. */
function forBrowser(result: object): object {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !notForBrowsers.has(name)));
}
