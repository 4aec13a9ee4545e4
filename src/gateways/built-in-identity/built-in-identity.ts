import { AsyncLocalStorage } from 'node:async_hooks';
import { lt } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Db } from '#domain/kernel/db.ts';
import type { Mail } from '#domain/gateways.ts';
import { passwordChanged, resetPassword } from '#domain/identity/mails.ts';
import type { MailSite } from '#domain/kernel/email-template.ts';
import { renderMail } from '#domain/kernel/mail-text.ts';
import type { IdentityProvider, ProviderAccount } from '#domain/identity/provider.ts';
import { type SocialProvider, isSocialProvider } from '#domain/identity/social-rules.ts';
import { callLimits } from '../call-limits.ts';
import { inTime } from '../in-time.ts';
import { type Auth, createAuth, identityPath, passwordLink } from './auth.ts';
import type { HashCost } from './password-hash.ts';
import { createProvider, dropLinks, purgeExpired } from './provider.ts';
import { type SocialSettings, realEmail, socialConfig } from './social.ts';
import { providerKeys } from './tables.ts';

export type BuiltInIdentityOptions = {
  db: Db;
  /** Encrypts the keys that sign ID tokens, and signs cookies; at least 32 characters. */
  secret: string;
  /** Origin of the site: issuer and audience of ID tokens. */
  siteUrl: string;
  /** Operators change it while the site runs. */
  siteName: () => string;
  /** The operator's words of mails; default: the site's. */
  textOf?: MailSite['textOf'];
  /** Whether mails may ask for an answer. */
  takesAnswers: boolean;
  mail: Pick<Mail, 'send' | 'purge'>;
  social: SocialSettings;
  log: Pick<Logger, 'warn' | 'debug'>;
  /** Cost of new password hashes; default: as recommended. Tests choose a low one. */
  hashCost?: HashCost;
  /** After a reset, or a password set by the operator: the site ends all sessions of this account. */
  onPasswordChanged(account: ProviderAccount): Promise<void>;
};

export type BuiltInIdentity = {
  provider: IdentityProvider;
  /**
   * Serves the few paths below `/identity` that the site uses, otherwise 404; 403 for posts from other sites. Responses
   * are better-auth's own, which `http/identity-provider.ts` converts. Throws when the database is unavailable.
   */
  handle(request: Request): Promise<Response>;
  /** Expired sessions and links, and keys without a valid token. */
  purgeExpired(signal?: AbortSignal): Promise<void>;
  /** Resolves once no mail is being prepared in the background. */
  settled(): Promise<void>;
};

const direct = new Set(['POST /sign-in/email', 'POST /sign-out', 'POST /reset-password', 'GET /token', 'GET /jwks']);

const dayMs = 24 * 60 * 60 * 1000;

export async function openBuiltInIdentity(options: BuiltInIdentityOptions): Promise<BuiltInIdentity> {
  const { db, secret, mail, social, log } = options;
  const origin = new URL(options.siteUrl).origin;
  const site: MailSite = {
    get name() {
      return options.siteName();
    },
    url: origin,
    takesAnswers: options.takesAnswers,
    textOf: options.textOf,
  };
  const running = new Set<Promise<void>>();

  function inBackground(what: string, work: () => Promise<unknown>): void {
    const done = work()
      .catch((error: unknown) => log.warn({ err: error }, what))
      .then(() => {});
    running.add(done);
    void done.finally(() => running.delete(done));
  }

  /** A reset that awaits its mail: better-auth only logs the failure of one. */
  const resets = new AsyncLocalStorage<{ failure?: { error: unknown } }>();

  async function requestPasswordReset(email: string): Promise<void> {
    const reset: { failure?: { error: unknown } } = {};
    await resets.run(reset, () => auth.api.requestPasswordReset({ body: { email } }));
    if (reset.failure !== undefined) throw reset.failure.error;
  }

  const openAuth = (id: SocialProvider | undefined) =>
    createAuth({
      db,
      secret,
      origin,
      log,
      social: id && socialConfig(id, social),
      hashCost: options.hashCost,
      otherOrigins: (request) => sameMachine(origin, request),
      onResetRequested: async ({ email, token }) => {
        const link = passwordLink(origin, { email, token });
        if (realEmail(email) === undefined) return;
        await mail.send({ to: email, ...renderMail(site, resetPassword, { link }) }).catch((error: unknown) => {
          const reset = resets.getStore();
          if (reset === undefined) throw error;
          reset.failure = { error };
        });
      },
      onPasswordReset: async (account) => {
        await dropLinks(db, account.subject);
        await options.onPasswordChanged(account);
        inBackground('A mail was not written', () =>
          mail.send({ to: account.email, ...renderMail(site, passwordChanged, {}) }),
        );
      },
    });

  const auth = openAuth(undefined);
  await auth.$context;
  const provider = createProvider({
    db,
    auth,
    site,
    mail,
    inBackground,
    requestPasswordReset,
    onPasswordChanged: options.onPasswordChanged,
  });

  /**
   * One per provider, opened at its first use, so that an unreachable Google delays neither the start nor the others.
   */
  const opened = new Map<SocialProvider, Promise<Auth>>();
  async function openSocial(id: SocialProvider): Promise<Auth | undefined> {
    if (socialConfig(id, social) === undefined) return undefined;
    let opening = opened.get(id);
    if (opening === undefined) {
      opening = whenReachable(id, openAuth(id));
      opened.set(id, opening);
      opening.catch(() => opened.delete(id));
    }
    return opening;
  }

  /** Final URL of the window, on success or error. Nothing in it comes from a request. */
  const done = (error?: string) =>
    `${origin}${identityPath}/done${error === undefined ? '' : `?error=${encodeURIComponent(error)}`}`;

  async function start(id: string | null): Promise<Response> {
    const socialAuth = isSocialProvider(id) ? await openSocial(id) : undefined;
    if (socialAuth === undefined) return redirect(done('not_configured'));
    const { headers, response } = await socialAuth.api.signInSocial({
      body: {
        provider: id as 'google',
        callbackURL: done(),
        errorCallbackURL: done(),
        disableRedirect: true,
      },
      returnHeaders: true,
    });
    return response.url === undefined ? redirect(done('unavailable')) : redirect(response.url, headers);
  }

  async function requestReset(request: Request): Promise<Response> {
    const { email } = (await request.json()) as { email: string };
    // The rest takes longer for a known address, so it runs in the background.
    inBackground('A new password could not be prepared', () => requestPasswordReset(email));
    return Response.json({ status: true });
  }

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.startsWith(`${identityPath}/`) ? url.pathname.slice(identityPath.length) : '';
    const call = `${request.method} ${path}`;
    if (request.method === 'POST' && !isOwnCall(origin, request)) return new Response(null, { status: 403 });
    if (direct.has(call)) return auth.handler(request);
    if (call === 'POST /request-password-reset') return requestReset(request);
    if (call === 'GET /start') return patiently(() => start(url.searchParams.get('provider')));
    const id = /^GET \/callback\/(\w+)$/.exec(call)?.[1] ?? null;
    if (!isSocialProvider(id)) return new Response(null, { status: 404 });
    return patiently(async () => (await openSocial(id))?.handler(request) ?? redirect(done('not_configured')));
  }

  async function patiently(work: () => Promise<Response>): Promise<Response> {
    try {
      return await within(callLimits.social.wholeMs, work);
    } catch (error) {
      if (!(error instanceof SocialUnavailableError)) throw error;
      log.warn({ err: error }, 'A social sign-in could not be carried out');
      return redirect(done('unavailable'));
    }
  }

  return {
    provider,
    handle,
    async purgeExpired(signal) {
      await purgeExpired(db, signal);
      await db.delete(providerKeys).where(lt(providerKeys.expiresAt, new Date(Date.now() - dayMs)));
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** A social provider did not answer, or answered with an error. */
class SocialUnavailableError extends Error {
  override name = 'SocialUnavailableError';
}

async function whenReachable(id: SocialProvider, auth: Auth): Promise<Auth> {
  const { socialProviders } = await within(callLimits.socialDiscovery.answerMs, () => auth.$context);
  // better-auth omits a provider whose discovery document it could not read.
  if (!socialProviders.some((provider) => provider.id === id))
    throw new SocialUnavailableError(`${id} gave no usable discovery document`);
  return auth;
}

async function within<Value>(limitMs: number, work: () => Promise<Value>): Promise<Value> {
  try {
    return await inTime(limitMs, work);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ETIMEDOUT') throw error;
    throw new SocialUnavailableError('no answer in time', { cause: error });
  }
}

function redirect(location: string, from?: Headers): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of from?.getSetCookie() ?? []) headers.append('set-cookie', cookie);
  return new Response(null, { status: 302, headers });
}

/** better-auth checks this only with cookies. Requests without an `Origin` do not come from a browser. */
function isOwnCall(origin: string, request: Request): boolean {
  const from = request.headers.get('origin');
  return from === null || from === origin || sameMachine(origin, request).includes(from);
}

/** Locally the site has several names (`localhost`, `127.0.0.1`); a call from the requested one is its own. */
function sameMachine(origin: string, request: Request | undefined): string[] {
  if (request === undefined) return [];
  const { protocol, host } = new URL(origin);
  const requested = new URL(request.url).host;
  return isLocal(host) && isLocal(requested) ? [`${protocol}//${requested}`] : [];
}

function isLocal(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host);
}
