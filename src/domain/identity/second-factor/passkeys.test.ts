import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createSession, createUser } from '#test/support/factories.ts';
import { addPasskey, listPasskeys, startPasskey } from './passkeys.ts';
import { sessions } from '../tables.ts';

const { db } = await createTestDatabase();
const site = { siteName: 'Sotto', siteUrl: 'https://sotto.example' };

/** The answer of a new authenticator without attestation (WebAuthn level 3, §6.5.4 and §8.7). */
function registered(challenge: string): RegistrationResponseJSON {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  // COSE: an EC2 key for ES256 on P-256.
  const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  // User present and verified, with a credential.
  const flags = 0b0100_0101;
  const authData = Buffer.concat([
    createHash('sha256').update('sotto.example').digest(),
    Buffer.from([flags, 0, 0, 0, 0]),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    isoCBOR.encode(key),
  ]);
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)],
  ]) as Parameters<typeof isoCBOR.encode>[0];
  const clientData = { type: 'webauthn.create', challenge, origin: 'https://sotto.example', crossOrigin: false };
  return {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
    },
  };
}

test.each([
  ['4 minutes 50 seconds', 1],
  ['5 minutes 1 second', 0],
])('a passkey whose challenge is %s old is added: %i', async (age, added) => {
  const { id: userId } = await createUser(db);
  const { id: sessionId } = await createSession(db, userId);
  const { challenge } = await startPasskey(db, site, { id: userId, name: 'ada' }, sessionId);
  await db
    .update(sessions)
    .set({ passkeyChallengeUntil: sql`${sessions.passkeyChallengeUntil} - ${age}::interval` })
    .where(eq(sessions.id, sessionId));
  await addPasskey(db, site, userId, sessionId, { name: 'Phone', response: registered(challenge) });
  expect(await listPasskeys(db, userId)).toHaveLength(added);
});

test('a challenge counts once', async () => {
  const { id: userId } = await createUser(db);
  const { id: sessionId } = await createSession(db, userId);
  const { challenge } = await startPasskey(db, site, { id: userId, name: 'ada' }, sessionId);
  for (const name of ['Phone', 'Laptop'])
    await addPasskey(db, site, userId, sessionId, { name, response: registered(challenge) });
  expect(await listPasskeys(db, userId)).toMatchObject([{ name: 'Phone' }]);
});
