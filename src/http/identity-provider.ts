import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { z } from 'zod';
import { i18n, language, languageFacts } from '#i18n';
import { DomainError, errorTexts } from '#domain/kernel/errors.ts';
import type { AttemptLimits } from '#domain/identity/attempts.ts';
import { isCommonPassword } from '#domain/identity/common-passwords.ts';
import type { KnownDevices } from '#domain/identity/known-devices.ts';
import { longPassword } from '#domain/identity/forms.ts';
import { normalizeEmail, passwordLength } from '#domain/identity/rules.ts';
import { isFromElsewhere } from './api/same-site.ts';
import { createConcurrencyLimit } from './limits/concurrency-limit.ts';
import { type Failures, errorResponse } from './errors.ts';
import { limitBody } from './limits/limit-body.ts';
import { clientAddress } from './limits/rate-limit.ts';

export type IdentityProviderParts = {
  /** Handler of the built-in provider (better-auth); answers 403 to cross-site calls. */
  handle(request: Request): Promise<Response>;
  attempts: Pick<AttemptLimits, 'take' | 'succeeded'>;
  knownDevices: KnownDevices;
  failures: Failures;
  trustProxy: number;
  /** The site is reached over TLS. */
  secure: boolean;
};

const SignInBody = z.object({ email: z.string().max(2000), password: z.string().max(4000) });
const ResetRequestBody = z.object({ email: z.string().max(2000) });
const ResetBody = z.object({ token: z.string().max(200), newPassword: z.string().max(4000) });

/** Headers passed to the provider besides the body: the session cookie and the origin of the call. */
const passedHeaders = ['cookie', 'origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'];

/** Each Argon2 hash takes 19 MiB and one of Node's four threads; further requests wait in line or are refused. */
const signingInAtOnce = 3;

/** Marks a device that logged in to an account before; sent only with sign-ins. */
const deviceCookie = 'sotto_device';
/** Browsers cap a cookie's lifetime here. */
const deviceDays = 400;

/** Failed sign-ins answer at multiples of this, to hide the extra query for a known address. */
const beatMs = 250;

/**
 * The built-in provider's HTTP routes below `/identity`: only those the browser needs, with limits and the site's
 * format.
 */
export function identityProviderRoutes(parts: IdentityProviderParts): Hono {
  const { handle, attempts, knownDevices, failures, trustProxy, secure } = parts;
  const devicePrefix = secure ? 'secure' : undefined;
  const app = new Hono({ strict: true });
  const hashing = createConcurrencyLimit({ max: signingInAtOnce });
  const limit = limitBody(8 * 1024);

  app.use('/identity/*', async ({ req }, next) =>
    // Before anything is counted. The provider then checks the origin.
    req.method === 'POST' && isFromElsewhere(req) ? fromElsewhere() : next(),
  );

  app.post('/identity/sign-in/email', limit, async (context) => {
    const began = performance.now();
    const body = await readBody(context, SignInBody);
    const email = normalizeEmail(body.email);
    const device = getCookie(context, deviceCookie, devicePrefix);
    const subject = {
      account: email,
      address: clientAddress(context, trustProxy),
      device: knownDevices.find(device, email),
    };
    // Counted inside the limit: a request refused for overload was no attempt.
    const answer = await hashing(
      async () =>
        (await attempts.take('log-in', subject)) ?? handle(passedOn(context, { email, password: body.password })),
    );
    if (!(answer instanceof Response))
      return errorResponse('auth/too-many-requests', undefined, { 'retry-after': String(answer.retryAfter) });
    if (answer.status === 403) return fromElsewhere();
    // The same answer for an unknown address and a wrong password (spec §8).
    if (!answer.ok) {
      await setTimeout(beatMs - ((performance.now() - began) % beatMs));
      return wrongPassword();
    }
    await attempts.succeeded('log-in', subject);
    const remembered = generateCookie(deviceCookie, knownDevices.remember(device, email), {
      path: '/identity/sign-in',
      httpOnly: true,
      sameSite: 'Lax',
      secure,
      maxAge: deviceDays * 24 * 60 * 60,
      ...(devicePrefix && { prefix: devicePrefix }),
    });
    const signedIn = withCookies(Response.json({ ok: true }), answer);
    signedIn.headers.append('set-cookie', remembered);
    return signedIn;
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
      return errorResponse('auth/too-many-requests', errorTexts['request/too-many']);
    const account = normalizeEmail(email);
    // Over an account's own limit no mail is sent, and the answer looks the same.
    const isOver = (await attempts.take('reset', { account })) !== undefined;
    const answer = isOver ? undefined : await handle(passedOn(context, { email: account }));
    return answer?.status === 403 ? fromElsewhere() : noStore(Response.json({ ok: true }));
  });

  app.post('/identity/reset-password', limit, async (context) => {
    const { token, newPassword } = await readBody(context, ResetBody);
    if (newPassword.length < passwordLength.min) return errorResponse('auth/weak-password');
    if (newPassword.length > passwordLength.max) return errorResponse('auth/weak-password', longPassword());
    if (await isCommonPassword(newPassword)) return errorResponse('auth/common-password');
    if ((await attempts.take('link', { address: clientAddress(context, trustProxy) })) !== undefined)
      return errorResponse('auth/too-many-requests', errorTexts['request/too-many']);
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

  /** Popup windows show no JSON: every failure redirects to the page that reports back and closes. */
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

/** Passes on only the named fields, so that redirect addresses from clients never reach the provider. */
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

/** @throws DomainError for anything but JSON of this shape */
async function readBody<Body>(context: Context, schema: z.ZodType<Body>): Promise<Body> {
  if (!/^application\/json\s*(?:;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new DomainError('request/unsupported-type');
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  if (!parsed.success) throw new DomainError('request/invalid');
  return parsed.data;
}

/** A failed sign-in is 401; with an existing session the same code is 403. */
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

/** Every callback redirects to one URL, with at most the kind of its failure. */
function backToDone(answer: Response): Response {
  const location = URL.parse(answer.headers.get('location') ?? '', 'http://nowhere.invalid');
  if (answer.status !== 302 || location?.pathname !== '/identity/done') return toDone('unavailable');
  return withCookies(toDone(location.searchParams.get('error') ?? undefined), answer);
}

function toDone(error: string | undefined): Response {
  const location = `/identity/done${error === undefined ? '' : `?error=${encodeURIComponent(error)}`}`;
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } });
}

/** Maps better-auth's codes to the Firebase codes of the interface. */
const doneCodes: Record<string, string> = {
  account_not_linked: 'auth/account-exists-with-different-credential',
  access_denied: 'auth/popup-closed-by-user',
  not_configured: 'auth/not-configured',
  oauth_provider_not_found: 'auth/not-configured',
};

/** Reports the result to the page that opened this window, and closes it. */
function donePage(error: string | undefined): Response {
  const code =
    error === undefined ? undefined : (Object.hasOwn(doneCodes, error) && doneCodes[error]) || 'auth/internal-error';
  // Both values come from the lists above, so the page echoes no input.
  const report = JSON.stringify(code === undefined ? { ok: true } : { ok: false, code });
  const nonce = randomBytes(16).toString('base64url');
  const title = i18n._(/*i18n*/ { id: 'identity.window-title', message: 'Log in' });
  const text = i18n._(/*i18n*/ { id: 'identity.window-done', message: 'You can close this window.' });
  const page = `<!doctype html>
<html lang="${language()}" dir="${languageFacts().direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${nonce}">body{margin:0;display:grid;min-height:100vh;place-items:center;background:#141012;color:#f7f0ea;font:18px/1.5 Georgia,serif}</style>
</head>
<body>
<p>${text}</p>
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
