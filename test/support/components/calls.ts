import { expect } from 'vitest';

export type ReceivedCall = { method: string; path: string; query: URLSearchParams; body: unknown };
type Answers = Record<string, (call: ReceivedCall) => unknown>;

const browserFetch = window.fetch;
let unexpected: string[] = [];

const unavailable = () => new Response(null, { status: 503 });

/** Sent by the player, the session and analytics, at times that no component decides. */
const background: Answers = {
  'POST /v1/api/events': () => undefined,
  'GET /v1/api/history/me': unavailable,
  'GET /v1/api/user/queue': unavailable,
  'PUT /v1/api/user/queue': unavailable,
  'POST /v1/api/auth/session': unavailable,
  'POST /identity/sign-out': () => undefined,
  'POST /v1/api/auth/session/token': unavailable,
};

/**
 * Answers the API's calls in the site's place, by method and path: with JSON, 204 for undefined, or a `Response`. Other
 * calls fail the test.
 * @returns the calls so far, without those in the background
 */
export function answerCalls(answers: Answers): ReceivedCall[] {
  const received: ReceivedCall[] = [];
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams, origin } = new URL(request.url);
    const text = await request.text();
    const call = {
      method: request.method,
      path: pathname,
      query: searchParams,
      body: bodyOf(request, text),
    };
    const name = `${call.method} ${call.path}`;
    const answer = origin === location.origin ? (answers[name] ?? background[name]) : undefined;
    if (answers[name]) received.push(call);
    if (answer === undefined) {
      unexpected.push(name);
      throw new TypeError(`No test answers ${name}`);
    }
    const given = await answer(call);
    if (init?.signal?.aborted) throw init.signal.reason;
    if (given instanceof Response) return given;
    return given === undefined ? new Response(null, { status: 204 }) : Response.json(given);
  };
  return received;
}

/** From now on no call is answered; each ends when its limit aborts it. @returns paths of the calls so far */
export function neverAnswer(): string[] {
  const received: string[] = [];
  window.fetch = (input, init) => {
    const { url, signal } = new Request(input, init);
    received.push(new URL(url).pathname);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  return received;
}

function bodyOf({ headers }: Request, text: string): unknown {
  if (text === '') return undefined;
  return headers.get('content-type')?.includes('json')
    ? JSON.parse(text)
    : Object.fromEntries(new URLSearchParams(text));
}

/** An error as the API answers it. */
export function refusal(status: number, code: string, message = 'Refused.'): Response {
  return Response.json({ error: { code, message } }, { status });
}

export function stopAnswering(): void {
  window.fetch = browserFetch;
  const failures = unexpected;
  unexpected = [];
  expect(failures).toEqual([]);
}
