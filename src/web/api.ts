import { hc } from 'hono/client';
import type { ClientResponse } from 'hono/client';
import type { SuccessStatusCode } from 'hono/utils/http-status';
import type { ErrorCode } from '#domain/errors.ts';
import type { Api } from '#http/api/api.ts';
import type { Transport } from './transport.ts';

/** What a call came to. `status` is 0 where no answer came at all. */
export type Answer<Data> =
  | { ok: true; data: Data }
  | { ok: false; code: ErrorCode | 'network'; message: string; status: number };

type Settings = {
  /** The session's token, asked for at each call. */
  getToken(): string | undefined;
  /** The site does not know the token of a call (any more); said once for each token. */
  onSessionEnded(): void;
  /** From the page's data: 32 bytes in base64. With one, calls go to v2, where the browser can encrypt at all. */
  transportKey: string | null;
};

const settings: Settings = { getToken: () => undefined, onSessionEnded: () => {}, transportKey: null };
let transport: Promise<Transport | undefined> | undefined;
let endedToken: string | undefined;

/** Each part tells what it knows: the session its token, the page its key. */
export function configureApi(known: Partial<Settings>): void {
  const { transportKey } = known;
  const isSameKey = transportKey === undefined || transportKey === settings.transportKey;
  Object.assign(settings, known);
  if (isSameKey) return;
  // WebCrypto is only there on https and on loopback.
  transport =
    transportKey === null || globalThis.crypto?.subtle === undefined
      ? undefined
      : import('./transport.ts').then((module) => module.openTransport(transportKey)).catch(() => undefined);
}

/**
 * The calls of the API by their paths, typed by the routes themselves:
 * `await answerOf(api.auth.login.$post({ json: { firebaseIdtoken } }))`.
 * The second argument takes `{ init: { signal, keepalive } }`. Parameters of the path are encoded here.
 */
export const api = withEncodedParams(hc<Api>('/v1/api', { fetch: apiFetch }));

type DataOf<Response> =
  Response extends ClientResponse<infer Data, infer Status>
    ? Status extends 204
      ? undefined
      : Status extends SuccessStatusCode
        ? Data
        : never
    : never;

/** Never rejects: what went wrong is in the answer. A call that was given up counts as `network`. */
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
    return { ok: false, code: 'network', message: 'No internet connection', status: 0 };
  }
  const { status } = response;
  const body = parsed(text);
  if (response.ok && body !== unreadable) return { ok: true, data: body as DataOf<Response> };
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  if (typeof error?.code === 'string') return { ok: false, code: error.code, message: error.message, status };
  return { ok: false, code: 'server/failed', message: 'Something went wrong. Please try again.', status };
}

type ErrorBody = { error: { code: ErrorCode; message: string } };

/** No answer of the site: something before it spoke. */
const unreadable = {};

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return unreadable;
  }
}

/**
 * `fetch` for an address under `/v1/api`, with the session's token; for what has no typed call. With `keepalive` it is
 * sent at once and plain, since a page that is being left waits for no encryption.
 */
export function apiFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const address = String(input);
  const headers = new Headers(init.headers);
  const token = settings.getToken();
  if (token !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  const request = { credentials: 'same-origin' as const, ...init, headers };
  const sent =
    transport === undefined || init.keepalive === true
      ? fetch(address, request)
      : transport.then((opened) => sendBy(opened, address, request));
  return sent.then(async (response) => {
    if (response.status === 401 && token !== undefined && token !== endedToken) await noticeEnd(response, token);
    return response;
  });
}

async function sendBy(opened: Transport | undefined, address: string, request: RequestInit): Promise<Response> {
  if (opened === undefined) return fetch(address, request);
  const response = await opened.fetch(address.replace('/v1/', '/v2/'), request);
  if (response !== undefined) return response;
  // The site has another key by now; this page goes on without one.
  transport = undefined;
  return new Response(null, { status: 502 });
}

async function noticeEnd(response: Response, token: string): Promise<void> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as Partial<ErrorBody> | undefined;
  if (body?.error?.code !== 'auth/login-required' || token === endedToken) return;
  endedToken = token;
  settings.onSessionEnded();
}

/** Hono's client puts parameters into the address as they are, so that a slash in one would change the call. */
function withEncodedParams<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    get: (_, key) => {
      const part: unknown = Reflect.get(target, key);
      return typeof part === 'function' ? withEncodedParams(part) : part;
    },
    apply: (_, self, [args, ...rest]: [{ param?: Record<string, string> } | undefined]) => {
      const param = Object.entries(args?.param ?? {}).map(([name, value]) => [name, encodeURIComponent(value)]);
      const encoded = args?.param === undefined ? args : { ...args, param: Object.fromEntries(param) };
      return Reflect.apply(target as unknown as (...all: unknown[]) => unknown, self, [encoded, ...rest]);
    },
  });
}
