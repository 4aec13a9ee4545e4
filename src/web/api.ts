import { t } from '@lingui/core/macro';
import type { ClientResponse, hc } from 'hono/client';
import type { SuccessStatusCode } from 'hono/utils/http-status';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { Api } from '#api/calls.ts';
import { language } from '#i18n';
import { createListeners } from '#player/listeners.ts';
import { type TimedInit, fileLimitMs, timedFetch } from '#player/timed-fetch.ts';
import type { Transport } from './transport.ts';

/**
 * Result of a call. `status` is 0 without a response; `message` is empty when the site has shown it already: the session
 * has ended.
 */
export type Answer<Data> =
  | { ok: true; data: Data }
  | {
      ok: false;
      code: ErrorCode | 'network';
      message: string;
      status: number;
      field?: string | undefined;
      change?: Change | undefined;
    };

/** Made by somebody else; `by`: a username. */
export type Change = { by: string | null; at: string };

type Settings = {
  /** The session’s token, read at each call. */
  getToken(): string | undefined;
  /** While the page has the session’s cookie but no token yet: resolves when the token is there. */
  untilToken(): Promise<void> | undefined;
  /** The site rejected the session’s token. */
  onSessionEnded(): void;
  /** From the page’s data: 32 bytes in base64. If set, calls go to v2, provided the browser can encrypt. */
  transportKey: string | null;
};

const settings: Settings = {
  getToken: () => undefined,
  untilToken: () => undefined,
  onSessionEnded: () => {},
  transportKey: null,
};
/** Answers about the end of the session, which the site has shown. */
const shown = new WeakSet<Response>();
const answered = createListeners();
/** Calls the listener with each call that succeeded. @returns stops it */
export const onApiAnswer = answered.subscribe;
let unansweredAt = Number.NEGATIVE_INFINITY;

/** Whether an act got no answer a moment ago, and says so. */
export function wasJustUnanswered(): boolean {
  return performance.now() - unansweredAt < 1000;
}

let transport: Promise<Transport | undefined> | undefined;
/** The loaded transport; the first calls wait for it. */
let ready: Transport | undefined;
/** Aborts calls in flight, except those about the session, of a page that is being left, or with a signal of their own. */
let others = new AbortController();

/** Each module passes the settings it owns: the session its token, the page its key. */
export function configureApi(known: Partial<Settings>): void {
  const { transportKey } = known;
  const isSameKey = transportKey === undefined || transportKey === settings.transportKey;
  Object.assign(settings, known);
  if (isSameKey) return;
  // WebCrypto exists only on https and loopback.
  ready = undefined;
  const opening =
    transportKey === null || globalThis.crypto?.subtle === undefined
      ? undefined
      : import('./transport.ts').then((module) => module.openTransport(transportKey)).catch(() => undefined);
  transport = opening;
  void opening?.then((opened) => {
    if (transport === opening) ready = opened;
  });
}

/** False after a log-out, even if the page still shows the user until its data is reloaded. */
export const hasToken = (): boolean => settings.getToken() !== undefined;

/**
 * Typed client of the API: `await answerOf(api.auth.login.$post({ json: { firebaseIdtoken } }))`. The second argument
 * takes `{ init: { signal, keepalive } }`. Path parameters are encoded here.
 */
export const api = callAt([]) as Client;

type Client = ReturnType<typeof hc<Api>>;
let client: Client | undefined;
let opening: Promise<Client> | undefined;

/** Loads the client’s code, which the first view does not need. Calls of a page that is being left need it loaded. */
export function preloadApi(): Promise<Client> {
  opening ??= import('./api-client.ts').then(
    (module) => (client = module.openClient(apiFetch)),
    (error: unknown) => {
      opening = undefined;
      throw error;
    },
  );
  return opening;
}

export type DataOf<Response> =
  Response extends ClientResponse<infer Data, infer Status>
    ? Status extends 204
      ? undefined
      : Status extends SuccessStatusCode
        ? Data
        : never
    : never;

/** Second argument of calls that change all audios of a creator, category or tag, which takes longer than other calls. */
export const onManyAudios: { init: RequestInit & TimedInit } = { init: { limitMs: fileLimitMs } };

/** Never rejects: errors are in the answer. An aborted call counts as `network`. */
// oxlint-disable-next-line typescript/no-explicit-any -- any call's response
export async function answerOf<Response extends ClientResponse<any, any, any>>(
  sent: Promise<Response>,
): Promise<Answer<DataOf<Response>>> {
  let response: Response;
  let text: string;
  try {
    response = await sent;
    text = await response.text();
  } catch {
    return { ok: false, code: 'network', message: t`No internet connection`, status: 0 };
  }
  const { status } = response;
  const body = parsed(text);
  if (response.ok && body !== unreadable) {
    answered.emit();
    return { ok: true, data: body as DataOf<Response> };
  }
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  if (typeof error?.code === 'string') {
    const message = shown.has(response) ? '' : error.message;
    return { ok: false, code: error.code, message, status, field: error.field, change: error.change };
  }
  return { ok: false, code: 'server/failed', message: t`Something went wrong. Please try again.`, status };
}

/** Whether the site itself refused the call. Error pages of a proxy or of a captive portal say nothing about it. */
export function isSiteRefusal({ code }: { code: string }): boolean {
  return code.includes('/') && code !== 'server/failed';
}

type ErrorBody = { error: { code: ErrorCode; message: string; field?: string; change?: Change } };

/** Marks a response that is not the site’s, such as a proxy’s error page. */
const unreadable = {};

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return unreadable;
  }
}

/**
 * `fetch` with the session’s token for an address under `/v1/api` that has no typed call. Sends synchronously, also
 * over v2, because a closing page waits for nothing; only the first calls wait for the transport.
 */
export function apiFetch(input: RequestInfo | URL, init: TimedInit = {}): Promise<Response> {
  const address = String(input);
  // Calls that return a token cannot wait for one, nor can calls made while the page is being left.
  if (address.startsWith('/v1/api/auth/') || init.keepalive === true) return sendNow(address, init);
  const send = () => sendNow(address, { signal: others.signal, ...init });
  return settings.untilToken()?.then(send) ?? send();
}

/**
 * Aborts the other calls and refuses new ones until this one is answered: after a log-out the site would answer them
 * with 401.
 */
export async function withoutOtherCalls<Result>(call: () => Promise<Result>): Promise<Result> {
  others.abort();
  try {
    return await call();
  } finally {
    others = new AbortController();
  }
}

function sendNow(address: string, init: TimedInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = settings.getToken();
  if (token !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  // Refusals are shown on this page, whatever language the browser has.
  headers.set('accept-language', language());
  const request = { credentials: 'same-origin' as const, ...init, headers };
  const sent =
    transport === undefined || ready !== undefined
      ? sendBy(ready, address, request)
      : transport.then((opened) => sendBy(opened, address, request));
  return sent.then(
    async (response) => {
      if (response.status === 401 && token !== undefined) await noticeEnd(response, token);
      return response;
    },
    (error: unknown) => {
      if (request.method !== undefined && request.method !== 'GET') unansweredAt = performance.now();
      throw error;
    },
  );
}

async function sendBy(opened: Transport | undefined, address: string, request: TimedInit): Promise<Response> {
  if (opened === undefined) return timedFetch(address, request);
  const response = await opened.fetch(address.replace('/v1/', '/v2/'), request);
  if (response !== undefined) return response;
  // The site’s key has changed; this page continues with v1.
  transport = ready = undefined;
  return new Response(null, { status: 502 });
}

async function noticeEnd(response: Response, token: string): Promise<void> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as Partial<ErrorBody> | undefined;
  if (body?.error?.code !== 'auth/login-required') return;
  const current = settings.getToken();
  // Another log-in may have replaced the token meanwhile, or another answer has ended the session.
  if (current !== undefined && current !== token) return;
  shown.add(response);
  if (current !== undefined) settings.onSessionEnded();
}

/** Records the path of a call; the call itself is made by Hono’s client, at once when that is loaded. */
function callAt(path: string[]): unknown {
  return new Proxy(() => {}, {
    get: (_, key) => callAt([...path, String(key)]),
    apply: (_, _self, [args, ...rest]: [Arguments | undefined]) => {
      const send = (ready: Client) => methodAt(ready, path)(withEncodedParams(args), ...rest);
      return client === undefined ? preloadApi().then(send) : send(client);
    },
  });
}

type Arguments = { param?: Record<string, string> };

function methodAt(part: unknown, path: string[]): (...args: unknown[]) => Promise<unknown> {
  return path.reduce((at, key) => (at as Record<string, unknown>)[key], part) as ReturnType<typeof methodAt>;
}

/** Hono’s client does not encode path parameters, so a slash in one would change the route. */
function withEncodedParams(args: Arguments | undefined): Arguments | undefined {
  if (args?.param === undefined) return args;
  const param = Object.entries(args.param).map(([name, value]) => [name, encodeURIComponent(value)]);
  return { ...args, param: Object.fromEntries(param) };
}
