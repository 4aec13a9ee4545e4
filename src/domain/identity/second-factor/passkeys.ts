import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { isLoopback } from '../../kernel/rules.ts';
import { passkeys, sessions } from '../tables.ts';

/** Passkeys (WebAuthn level 3) as a second factor: they work at the site's own address only. */

const challengeMinutes = 5;

/** Loaded at the first use of a passkey: it takes 5 MB, and most processes never need it. */
const loadWebAuthn = () => import('@simplewebauthn/server');
export const maxPasskeys = 20;

export type PasskeySite = { siteName: string; siteUrl: string };
export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** The relying party of WebAuthn. It cannot be an IP address, so a site on this machine is `localhost`. */
export function relyingParty(siteUrl: string): { id: string; origin: string } {
  const url = new URL(siteUrl);
  if (!isLoopback(url.hostname)) return { id: url.hostname, origin: url.origin };
  return { id: 'localhost', origin: `${url.protocol}//localhost${url.port === '' ? '' : `:${url.port}`}` };
}

export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .select({
      id: passkeys.id,
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.id))
    .limit(maxPasskeys);
}

/** For `navigator.credentials.create`. */
export async function startPasskey(
  db: Db,
  site: PasskeySite,
  user: { id: string; name: string },
  sessionId: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: site.siteName,
    rpID: relyingParty(site.siteUrl).id,
    userName: user.name,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    excludeCredentials: await listCredentials(db, user.id),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  await keepChallenge(db, sessionId, options.challenge);
  return options;
}

/** @returns undefined when the browser's answer does not belong to the last challenge of this session */
export async function addPasskey(
  db: Db,
  site: PasskeySite,
  userId: string,
  sessionId: string,
  { name, response }: { name: string; response: RegistrationResponseJSON },
): Promise<string | undefined> {
  const expectedChallenge = await takeChallenge(db, sessionId);
  if (expectedChallenge === undefined) return undefined;
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(site.siteUrl);
  const { verified, registrationInfo } = await tryTo(async () =>
    (await loadWebAuthn()).verifyRegistrationResponse({ response, expectedChallenge, expectedRPID, expectedOrigin }),
  );
  if (!verified || registrationInfo === undefined) return undefined;
  const { credential } = registrationInfo;
  const id = newId();
  const added = await db
    .insert(passkeys)
    .values({
      id,
      userId,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
    })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  return added[0]?.id;
}

/** For `navigator.credentials.get`. */
export async function askForPasskey(
  db: Db,
  site: PasskeySite,
  userId: string,
  sessionId: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(site.siteUrl).id,
    allowCredentials: await listCredentials(db, userId),
    userVerification: 'required',
  });
  await keepChallenge(db, sessionId, options.challenge);
  return options;
}

/** Each challenge counts once. */
export async function checkPasskey(
  db: Db,
  site: PasskeySite,
  userId: string,
  sessionId: string,
  response: AuthenticationResponseJSON,
): Promise<boolean> {
  const expectedChallenge = await takeChallenge(db, sessionId);
  const [passkey] = await db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.credentialId, response.id)))
    .limit(1);
  if (expectedChallenge === undefined || passkey === undefined) return false;
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(site.siteUrl);
  const { verified, authenticationInfo } = await tryTo(async () =>
    (await loadWebAuthn()).verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedRPID,
      expectedOrigin,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: passkey.transports as AuthenticatorTransportFuture[],
      },
    }),
  );
  if (!verified || authenticationInfo === undefined) return false;
  await db
    .update(passkeys)
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: new Date() })
    .where(eq(passkeys.id, passkey.id));
  return true;
}

/** The library throws for every response that it rejects. */
async function tryTo<Result extends { verified: boolean }>(
  verify: () => Promise<Result>,
): Promise<Result | { verified: false; registrationInfo?: never; authenticationInfo?: never }> {
  try {
    return await verify();
  } catch {
    return { verified: false };
  }
}

async function listCredentials(db: Db, userId: string) {
  const rows = await db
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(maxPasskeys);
  return rows.map(({ id, transports }) => ({ id, transports: transports as AuthenticatorTransportFuture[] }));
}

async function keepChallenge(db: Db, sessionId: string, challenge: string): Promise<void> {
  await db
    .update(sessions)
    .set({
      passkeyChallenge: challenge,
      passkeyChallengeUntil: sql`now() + make_interval(mins => ${challengeMinutes})`,
    })
    .where(eq(sessions.id, sessionId));
}

async function takeChallenge(db: Db, sessionId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ challenge: string }>(sql`
    update sessions s set passkey_challenge = null, passkey_challenge_until = null
    from (select id, passkey_challenge, passkey_challenge_until from sessions where id = ${sessionId} for update) was
    where s.id = was.id and was.passkey_challenge_until > now()
    returning was.passkey_challenge as challenge`);
  return rows[0]?.challenge;
}
