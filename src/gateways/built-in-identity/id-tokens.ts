import { and, eq } from 'drizzle-orm';
import { type CryptoKey, type JWTHeaderParameters, type JWTPayload, errors, importJWK, jwtVerify } from 'jose';
import type { Db } from '#domain/kernel/db.ts';
import type { VerifiedIdentity } from '#domain/identity/provider.ts';
import { isSocialProvider } from '#domain/identity/social-rules.ts';
import { idTokenAlgorithm, idTokenSeconds } from './auth.ts';
import { realEmail } from './social.ts';
import { providerAccounts, providerKeys, providerUsers } from './tables.ts';

/** Allowed clock skew between processes of one site. */
const clockToleranceSeconds = 5;

/**
 * Verifies by RFC 7519 and RFC 8725: algorithm, issuer, audience and times. The account must exist and its password be
 * unchanged since the sign-in. Keys are read each time, because another process may have made one.
 * @param origin issuer and audience
 */
export async function verifyIdToken(db: Db, origin: string, idToken: string): Promise<VerifiedIdentity | undefined> {
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(idToken, (header) => findKey(db, header), {
      algorithms: [idTokenAlgorithm],
      issuer: origin,
      audience: origin,
      requiredClaims: ['sub', 'iat', 'exp', 'auth_time'],
      maxTokenAge: idTokenSeconds,
      clockTolerance: clockToleranceSeconds,
    }));
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
  const { sub = '', iat = 0, exp = 0, auth_time: authTime, sign_in_method: method } = payload;
  if (typeof authTime !== 'number') return undefined;
  const account = await findAccount(db, sub);
  if (account === undefined || authTime < account.passwordSetAt) return undefined;
  return {
    subject: sub,
    email: realEmail(account.email),
    signInMethod: method === 'password' || isSocialProvider(method) ? method : 'other',
    signedInAt: new Date(Math.round(authTime * 1000)),
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date(exp * 1000),
  };
}

async function findKey(db: Db, { kid, alg }: JWTHeaderParameters): Promise<CryptoKey | Uint8Array> {
  const id = typeof kid === 'string' && /^[\w-]{1,64}$/.test(kid) ? kid : undefined;
  const [row] =
    id === undefined || alg !== idTokenAlgorithm
      ? []
      : await db
          .select({ publicKey: providerKeys.publicKey })
          .from(providerKeys)
          .where(and(eq(providerKeys.id, id), eq(providerKeys.alg, idTokenAlgorithm)))
          .limit(1);
  if (row === undefined) throw new errors.JWKSNoMatchingKey();
  return importJWK(JSON.parse(row.publicKey), idTokenAlgorithm);
}

/** `passwordSetAt` in whole seconds, as tokens count; 0 without a password. */
async function findAccount(db: Db, subject: string): Promise<{ email: string; passwordSetAt: number } | undefined> {
  const [row] = await db
    .select({ email: providerUsers.email, updatedAt: providerAccounts.updatedAt })
    .from(providerUsers)
    .leftJoin(
      providerAccounts,
      and(eq(providerAccounts.userId, providerUsers.id), eq(providerAccounts.providerId, 'credential')),
    )
    .where(eq(providerUsers.id, subject))
    .limit(1);
  return row && { email: row.email, passwordSetAt: Math.floor((row.updatedAt?.getTime() ?? 0) / 1000) };
}
