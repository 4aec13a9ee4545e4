import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Context, HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { DomainError, errorSentences } from '#domain/errors.ts';
import type { AttemptLimits } from '#domain/identity/attempts.ts';
import { normalizeEmail, passwordLength } from '#domain/identity/rules.ts';
import { createCrowdLimit } from './crowd-limit.ts';
import { errorResponse } from './errors.ts';
import type { Failures } from './errors.ts';
import { clientAddress } from './rate-limit.ts';

export type IdentityProviderParts = {
  /** Of the built-in provider; its answers are better-auth's, and 403 to a call from another site. */
  handle(request: Request): Promise<Response>;
  attempts: AttemptLimits;
  failures: Failures;
  trustProxy: number;
};

const SignInBody = z.object({ email: z.string().max(2000), password: z.string().max(4000) });
const ResetRequestBody = z.object({ email: z.string().max(2000) });
const ResetBody = z.object({ token: z.string().max(200), newPassword: z.string().max(4000) });

/** What of a request the provider sees besides its body: who is signed in there, and from which page the call comes. */
const passedHeaders = ['cookie', 'origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'];

/** Argon2 takes 19 MiB and one of Node's four threads for each; the rest waits for a turn, or is told to come again. */
const signingInAtOnce = 3;

/** Failed sign-ins are answered at whole beats: an address that is known takes a query more than one that is not. */
const beatMs = 250;

/** The built-in provider's HTTP, below `/identity`: what the browser uses of it, limited and in the site's shape. */
export function identityProviderRoutes(parts: IdentityProviderParts): Hono {
  const { handle, attempts, failures, trustProxy } = parts;
  const app = new Hono({ strict: true });
  const hashing = createCrowdLimit({ most: signingInAtOnce });
  const limit = bodyLimit({ maxSize: 8 * 1024, onError: () => errorResponse('request/too-large') });

  app.use('/identity/*', async ({ req }, next) =>
    req.method === 'POST' && isFromElsewhere(req) ? fromElsewhere() : next(),
  );

  app.post('/identity/sign-in/email', limit, async (context) => {
    const began = performance.now();
    const body = await readBody(context, SignInBody);
    const email = normalizeEmail(body.email);
    const of = { account: email, address: clientAddress(context, trustProxy) };
    // Counted in its turn: who is turned away because of a crowd has not tried anything.
    const answer = await hashing(async () =>
      (await attempts.take('log-in', of)) === undefined
        ? handle(passedOn(context, { email, password: body.password }))
        : undefined,
    );
    if (answer === undefined) return errorResponse('auth/too-many-requests');
    if (answer.status === 403) return fromElsewhere();
    // One answer for an unknown address and a wrong password (spec §8).
    if (!answer.ok) {
      await setTimeout(beatMs - ((performance.now() - began) % beatMs));
      return wrongPassword();
    }
    await attempts.succeeded('log-in', of);
    return withCookies(Response.json({ ok: true }), answer);
  });

  app.get('/identity/token', async (context) => {
    const answer = await handle(passedOn(context));
    if (!answer.ok) return errorResponse('auth/login-required');
    const { token } = (await answer.json()) as { token: string };
    return withCookies(Response.json({ token }), answer);
  });

  app.get('/identity/jwks', async (context) => {
    const answer = await handle(passedOn(context));
    return new Response(answer.body, {
      headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' },
    });
  });

  app.post('/identity/sign-out', limit, async (context) => {
    const answer = await handle(passedOn(context, {}));
    return answer.ok ? withCookies(Response.json({ ok: true }), answer) : fromElsewhere();
  });

  app.post('/identity/request-password-reset', limit, async (context) => {
    const { email } = await readBody(context, ResetRequestBody);
    if ((await attempts.take('reset', { address: clientAddress(context, trustProxy) })) !== undefined)
      return errorResponse('auth/too-many-requests', errorSentences['request/too-many']);
    const account = normalizeEmail(email);
    // Over an account's own limit nothing is sent, and nobody can tell.
    const isOver = (await attempts.take('reset', { account })) !== undefined;
    const answer = isOver ? undefined : await handle(passedOn(context, { email: account }));
    return answer?.status === 403 ? fromElsewhere() : noStore(Response.json({ ok: true }));
  });

  app.post('/identity/reset-password', limit, async (context) => {
    const { token, newPassword } = await readBody(context, ResetBody);
    if (newPassword.length < passwordLength.min) return errorResponse('auth/weak-password');
    if (newPassword.length > passwordLength.max)
      return errorResponse('auth/weak-password', `At most ${passwordLength.max} characters`);
    if ((await attempts.take('link', { address: clientAddress(context, trustProxy) })) !== undefined)
      return errorResponse('auth/too-many-requests', errorSentences['request/too-many']);
    const answer = await hashing(() => handle(passedOn(context, { token, newPassword })));
    if (answer.status === 403) return fromElsewhere();
    return answer.ok ? noStore(Response.json({ ok: true })) : errorResponse('auth/invalid-link');
  });

  app.get('/identity/start', (context) => inWindow(() => handle(passedOn(context))));
  app.get('/identity/callback/:provider', (context) =>
    inWindow(async () => backToDone(await handle(passedOn(context)))),
  );
  app.get('/identity/done', (context) => donePage(context.req.query('error')));

  app.all('/identity/*', () => errorResponse('request/not-found'));

  /** A window shows no JSON: whatever fails, it ends where it reports back and closes. */
  async function inWindow(work: () => Promise<Response>): Promise<Response> {
    try {
      const answer = await work();
      return answer.status === 302 ? answer : toDone('unavailable');
    } catch (error) {
      failures.report(error, 'A social sign-in failed');
      return toDone('unavailable');
    }
  }

  return app;
}

/** Only the named fields, so that no redirect address a client sends ever reaches the provider. */
function passedOn({ req }: Context, body?: object): Request {
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (body === undefined) return new Request(req.url, { headers });
  headers.set('content-type', 'application/json');
  return new Request(req.url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** @throws DomainError for what is not JSON, or not of this shape */
async function readBody<Body>(context: Context, schema: z.ZodType<Body>): Promise<Body> {
  if (!/^application\/json\s*(?:;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new DomainError('request/unsupported-type');
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  if (!parsed.success) throw new DomainError('request/invalid');
  return parsed.data;
}

/** What browsers say of themselves; asked before anything is counted. The provider then looks at the origin. */
function isFromElsewhere(req: HonoRequest): boolean {
  const site = req.header('sec-fetch-site');
  return site !== undefined && site !== 'same-origin';
}

/** Signing in is what failed, so it is 401 here; inside an account, where one is logged in already, the same code is 403. */
function wrongPassword(): Response {
  const { body, headers } = errorResponse('auth/wrong-password');
  return new Response(body, { status: 401, headers });
}

function fromElsewhere(): Response {
  return errorResponse('request/invalid', 'This call has to come from the site itself.');
}

function withCookies(response: Response, from: Response): Response {
  for (const cookie of from.headers.getSetCookie()) response.headers.append('set-cookie', cookie);
  return noStore(response);
}

function noStore(response: Response): Response {
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** A callback ends at one address, and brings no more than the kind of its failure there. */
function backToDone(answer: Response): Response {
  const location = URL.parse(answer.headers.get('location') ?? '', 'http://nowhere.invalid');
  if (answer.status !== 302 || location?.pathname !== '/identity/done') return toDone('unavailable');
  return withCookies(toDone(location.searchParams.get('error') ?? undefined), answer);
}

function toDone(error: string | undefined): Response {
  const location = `/identity/done${error === undefined ? '' : `?error=${encodeURIComponent(error)}`}`;
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } });
}

/** better-auth's codes, as the interface knows them from Firebase. */
const doneCodes: Record<string, string> = {
  account_not_linked: 'auth/account-exists-with-different-credential',
  access_denied: 'auth/popup-closed-by-user',
  not_configured: 'auth/not-configured',
  oauth_provider_not_found: 'auth/not-configured',
};

/** Tells the page that opened this window what came of it, and closes it. */
function donePage(error: string | undefined): Response {
  const code =
    error === undefined ? undefined : (Object.hasOwn(doneCodes, error) && doneCodes[error]) || 'auth/internal-error';
  // Both come from the lists above, so nothing of the request stands in the page.
  const report = JSON.stringify(code === undefined ? { ok: true } : { ok: false, code });
  const nonce = randomBytes(16).toString('base64url');
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Log in</title>
<style nonce="${nonce}">body{margin:0;display:grid;min-height:100vh;place-items:center;background:#141012;color:#f7f0ea;font:18px/1.5 Georgia,serif}</style>
</head>
<body>
<p>You can close this window.</p>
<script nonce="${nonce}">
const channel = new BroadcastChannel('sotto-identity');
channel.postMessage(${report});
setTimeout(() => window.close(), 50);
</script>
</body>
</html>
`;
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  });
}
