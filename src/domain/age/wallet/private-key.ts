import { webcrypto } from 'node:crypto';

export type PrivateKey = { kty: string; crv: string; x: string; y: string; d: string };

/** The secret parts of a request: each is answered once. */
export type WalletRequest = { nonce: string; privateKey: PrivateKey };

/** For answers that are encrypted for one request. */
export async function newPrivateKey(): Promise<PrivateKey> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const { kty = '', crv = '', x = '', y = '', d = '' } = await webcrypto.subtle.exportKey('jwk', keys.privateKey);
  return { kty, crv, x, y, d };
}
