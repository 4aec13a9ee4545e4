import { randomUUID } from 'node:crypto';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { type GenericOAuthConfig, genericOAuth, jwt } from 'better-auth/plugins';
import type { Logger } from 'pino';
import type { Db } from '#domain/kernel/db.ts';
import type { SignInMethod } from '#domain/identity/provider.ts';
import { passwordLength } from '#domain/identity/rules.ts';
import { isSocialProvider } from '#domain/identity/social-rules.ts';
import { readKeys } from './keys.ts';
import { readingWrapped, wrapEmail } from './wrapped-email.ts';
import { type HashCost, hashPassword, verifyPassword } from './password-hash.ts';
import { providerAccounts, providerKeys, providerSessions, providerUsers, providerVerifications } from './tables.ts';

/** Path prefix of better-auth. */
export const identityPath = '/identity';

/** Lifetime of a link in a mail. */
export const linkSeconds = 60 * 60;

/** Lifetime of a link for a first password: people who were brought in do not wait for it. */
export const invitationDays = 14;

/** The page tells password managers which account this is; browsers never send the fragment (#). */
export function passwordLink(origin: string, { email, token }: { email: string; token: string }): string {
  return `${origin}/reset-password?token=${encodeURIComponent(token)}#email=${encodeURIComponent(email)}`;
}

/** Long enough to fetch an ID token and sign out: the site has its own sessions. */
const sessionSeconds = 10 * 60;

export const idTokenSeconds = 5 * 60;
export const idTokenAlgorithm = 'EdDSA';

/** A key signs for a month and is kept until an hour after its last token expires. */
const keySeconds = 30 * 24 * 60 * 60;

export type AuthOptions = {
  db: Db;
  secret: string;
  /** Issuer and audience of ID tokens, and the only origin that may call. */
  origin: string;
  log: Pick<Logger, 'warn' | 'debug'>;
  social: GenericOAuthConfig | undefined;
  /** Cost of new password hashes; default: as recommended. */
  hashCost?: HashCost | undefined;
  /** Other origins, besides the site's own, that this request may come from. */
  otherOrigins(request: Request | undefined): string[];
  onResetRequested(reset: { email: string; token: string }): Promise<void>;
  onPasswordReset(account: { subject: string; email: string }): Promise<void>;
};

/** better-auth, with everything disabled that this site does not need. */
export function createAuth(options: AuthOptions) {
  const { db, secret, origin, log, social } = options;
  return betterAuth({
    appName: 'Sotto',
    baseURL: origin,
    basePath: identityPath,
    secret,
    trustedOrigins: (request) => [origin, ...options.otherOrigins(request)],
    database: readingWrapped(
      drizzleAdapter(db, {
        provider: 'pg',
        transaction: true,
        schema: {
          user: providerUsers,
          account: providerAccounts,
          session: providerSessions,
          verification: providerVerifications,
          jwks: providerKeys,
        },
      }),
    ),
    hooks: {
      before: createAuthMiddleware(async ({ body }: { body?: { email?: unknown } }) =>
        typeof body?.email === 'string' ? { context: { body: { ...body, email: wrapEmail(body.email) } } } : undefined,
      ),
    },
    emailAndPassword: {
      enabled: true,
      // Only the site's own register call creates accounts.
      disableSignUp: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: {
        hash: (password) => hashPassword(password, options.hashCost),
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
      resetPasswordTokenExpiresIn: linkSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => options.onResetRequested({ email: user.email, token }),
      onPasswordReset: ({ user }) => options.onPasswordReset({ subject: user.id, email: user.email }),
    },
    plugins: [
      jwt({
        disableSettingJwtHeader: true,
        adapter: { getJwks: () => readKeys(db, secret) },
        jwks: {
          keyPairConfig: { alg: idTokenAlgorithm, crv: 'Ed25519' },
          rotationInterval: keySeconds,
          gracePeriod: 60 * 60,
        },
        jwt: {
          issuer: origin,
          audience: origin,
          expirationTime: `${idTokenSeconds}s`,
          definePayload: ({ user, session }) => ({
            // Signing is deterministic: two log-ins within a second would get the same token, which works only once.
            jti: randomUUID(),
            email: user.email,
            sign_in_method: session['signInMethod'],
            // With milliseconds, to tell sign-ins just before a log-out everywhere from those just after.
            auth_time: session.createdAt.getTime() / 1000,
          }),
        },
      }),
      genericOAuth({ config: social === undefined ? [] : [social] }),
    ],
    session: {
      expiresIn: sessionSeconds,
      disableSessionRefresh: true,
      additionalFields: { signInMethod: { type: 'string', required: false, input: false } },
    },
    account: {
      // The same address alone does not prove that two accounts belong to one person.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      // In a cookie, so that opening windows does not fill the database.
      storeStateStrategy: 'cookie',
    },
    verification: { storeIdentifier: 'hashed' },
    databaseHooks: {
      session: {
        create: {
          before: async (_session, context) => ({
            data: { ipAddress: null, userAgent: null, signInMethod: signInMethodOf(context) },
          }),
        },
      },
      account: {
        create: {
          // The site makes no calls to social providers for a user, so it stores no tokens.
          before: async () => ({
            data: {
              accessToken: null,
              refreshToken: null,
              idToken: null,
              accessTokenExpiresAt: null,
              refreshTokenExpiresAt: null,
              scope: null,
            },
          }),
        },
      },
    },
    // The site limits attempts itself, in the database.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'sotto_identity',
      useSecureCookies: origin.startsWith('https:'),
      defaultCookieAttributes: { path: identityPath, httpOnly: true, sameSite: 'lax' },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { disableIpTracking: true },
    },
    onAPIError: {
      errorURL: `${origin}${identityPath}/done`,
      // Errors that are not better-auth's own answers go to the error reporting.
      onError(error) {
        if (!isAPIError(error)) throw error;
      },
    },
    logger: { level: 'error', log: (_level, message, ...details) => writeLog(log, message, details) },
  });
}

export type Auth = ReturnType<typeof createAuth>;

function signInMethodOf(context: { path?: string; params?: Record<string, string | undefined> } | null): SignInMethod {
  if (context?.path === '/sign-in/email') return 'password';
  const provider = context?.path?.startsWith('/callback/') === true ? context.params?.['id'] : undefined;
  return isSocialProvider(provider) ? provider : 'other';
}

/** better-auth appends visitor input after the colon, so it is cut off. */
function writeLog(log: Pick<Logger, 'warn' | 'debug'>, message: string, details: unknown[]): void {
  const line = `Identity provider: ${message.replace(/:.*$/s, '')}`;
  const error = details.find((detail) => detail instanceof Error);
  if (error === undefined || error.name === 'StateError' || isAPIError(error)) log.debug(line);
  else log.warn({ err: error }, line);
}
