import type { Context, MiddlewareHandler } from 'hono';
import { calls } from '#api/calls.ts';
import { errorResponse } from '../errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';

/**
 * Calls that give, pay or send: with an `Idempotency-Key`, a repeat does nothing again and gets the first answer.
 * Browsers repeat a POST by themselves when its connection was reset (RFC 9110 §9.2.2 leaves it to clients).
 */
export const keyedCalls = calls
  .filter(({ call }) => call.once)
  .map(({ call }) => `${call.method.toUpperCase()} ${call.path}`);

const patterns = keyedCalls.map((call) => new RegExp(`^${call.replaceAll(/\{\w+\}/g, '[^/]+')}$`));

/** Larger bodies are refused by each of these calls. */
const maxBodyBytes = 64 * 1024;

/** After middleware that finds the session and reads the body; before the routes and their own refusals. */
export function answerRepeats({ site, failures }: ApiParts, base: string): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const key = context.req.header('idempotency-key');
    if (key === undefined) return next();
    const call = `${context.req.method} ${context.req.path.slice(base.length)}`;
    if (!patterns.some((pattern) => pattern.test(call))) return next();
    if (Number(context.req.header('content-length') ?? 0) > maxBodyBytes) return next();
    // The draft of the header's standard puts the key in quotes; most clients do not.
    if (!/^(?:[\w-]{16,100}|"[\w-]{16,100}")$/.test(key))
      return errorResponse('request/invalid', 'Idempotency-Key: 16 to 100 letters, digits, - and _.');
    const begun = await site.identity.beginCall({
      key: key.replaceAll('"', ''),
      userId: context.get('loggedIn')?.viewer.id,
      call: `${call}\n${await context.req.text()}`,
    });
    switch (begun.is) {
      case 'other-call':
        return errorResponse('request/key-of-another');
      case 'unanswered':
        return errorResponse('request/in-progress');
      case 'answered': {
        const { status, body } = begun.answer;
        const headers = { 'cache-control': 'private, no-store', 'idempotency-replayed': 'true' };
        return body === ''
          ? new Response(null, { status, headers })
          : new Response(body, { status, headers: { ...headers, 'content-type': 'application/json' } });
      }
      case 'first':
        try {
          await next();
        } finally {
          await keep(context, begun).catch((error: unknown) => failures.report(error, 'An answer was not kept'));
        }
    }
    return undefined;
  };
}

/** Keeps what was done, and a declined charge, which a repeat would try again. Other refusals have done nothing. */
async function keep(
  { res }: Context,
  call: { finish(answer: { status: number; body: string }): Promise<void>; drop(): Promise<void> },
): Promise<void> {
  if (res.ok || res.status === 402) await call.finish({ status: res.status, body: await res.clone().text() });
  else await call.drop();
}
