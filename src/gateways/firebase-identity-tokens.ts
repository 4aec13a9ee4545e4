import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  UnsecuredJWT,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { DomainError } from '#domain/kernel/errors.ts';
import type { SignInMethod, VerifiedIdentity } from '#domain/identity/provider.ts';
import { isSocialProvider } from '#domain/identity/social-rules.ts';
import { normalizeEmail } from '#domain/identity/rules.ts';

const keysAddress = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';

/** Allowed clock skew. */
const toleranceSeconds = 10;
const longestToken = 10_000;
/** Minimum time between key requests: a token may name a newer key, or an invalid one. */
const askAgainAfterMs = 60_000;

type Ask = (address: string, init?: RequestInit) => Promise<Response>;

/**
 * Verifies Firebase's ID tokens (docs: "Verify ID tokens using a third-party JWT library").
 * @param ask fetches with a time limit
 * @returns undefined for an invalid token
 */
export function openTokenVerifier(options: {
  projectId: string;
  ask: Ask;
  /** The emulator's tokens are not signed at all. */
  emulated: boolean;
}): (idToken: string) => Promise<VerifiedIdentity | undefined> {
  const { projectId, ask, emulated } = options;
  const findKey = openKeys(ask);
  const claims = {
    issuer: `https://securetoken.google.com/${projectId}`,
    audience: projectId,
    clockTolerance: toleranceSeconds,
    requiredClaims: ['sub', 'iat', 'exp', 'auth_time'],
  };
  return async (idToken) => {
    if (idToken.length > longestToken) return undefined;
    try {
      const { payload } = emulated
        ? UnsecuredJWT.decode(idToken, claims)
        : await jwtVerify(idToken, findKey, { ...claims, algorithms: ['RS256'] });
      return toIdentity(payload, projectId);
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}

/** Google's keys, cached as long as its answer allows. */
function openKeys(ask: Ask): JWTVerifyGetKey {
  let kept: { find: ReturnType<typeof createLocalJWKSet>; askedAt: number; until: number } | undefined;
  let asking: Promise<NonNullable<typeof kept>> | undefined;

  async function fetchKeys(): Promise<NonNullable<typeof kept>> {
    const response = await ask(keysAddress);
    if (!response.ok) throw new DomainError('server/unavailable');
    const seconds = Number(/\bmax-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1] ?? 0);
    const find = createLocalJWKSet(await readKeys(response));
    kept = { find, askedAt: Date.now(), until: Date.now() + Math.max(seconds * 1000, askAgainAfterMs) };
    return kept;
  }

  /** Concurrent callers share one request for the keys. */
  function askKeys(): Promise<NonNullable<typeof kept>> {
    asking ??= fetchKeys().finally(() => (asking = undefined));
    return asking;
  }

  return async (header, token) => {
    const current = kept !== undefined && kept.until > Date.now() ? kept : await askKeys();
    try {
      return await current.find(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey && Date.now() - current.askedAt > askAgainAfterMs;
      if (!isUnknown) throw error;
      return (await askKeys()).find(header, token);
    }
  };
}

async function readKeys(response: Response): Promise<JSONWebKeySet> {
  const set = (await response.json().catch(() => undefined)) as JSONWebKeySet | undefined;
  if (!Array.isArray(set?.keys)) throw new DomainError('server/unavailable');
  return set;
}

function toIdentity(payload: JWTPayload, projectId: string): VerifiedIdentity | undefined {
  const { sub, aud, iat, exp, auth_time: authTime, email, firebase } = payload;
  const latest = Date.now() / 1000 + toleranceSeconds;
  if (typeof sub !== 'string' || sub === '' || sub.length > 128) return undefined;
  // The library would accept a list of audiences.
  if (aud !== projectId || typeof iat !== 'number' || typeof exp !== 'number' || typeof authTime !== 'number')
    return undefined;
  if (iat > latest || authTime > latest) return undefined;
  const { sign_in_provider: method } = (firebase ?? {}) as { sign_in_provider?: string };
  return {
    subject: sub,
    email: typeof email === 'string' && email !== '' ? normalizeEmail(email) : undefined,
    signInMethod: toMethod(method),
    signedInAt: new Date(authTime * 1000),
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date(exp * 1000),
  };
}

function toMethod(name: string | undefined): SignInMethod {
  if (name === 'password') return name;
  const id = name?.replace(/\.com$/, '');
  return name?.endsWith('.com') && isSocialProvider(id) ? id : 'other';
}
