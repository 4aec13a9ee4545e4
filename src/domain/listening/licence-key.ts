import { createECDH, hkdfSync } from 'node:crypto';
import { type CryptoKey, type JWK, importJWK, SignJWT } from 'jose';
import { type LicenceClaims, licenceAlgorithm } from './rules.ts';

const curve = 'prime256v1';

export type LicenceKey = ReturnType<typeof openLicenceKey>;

/** Derived from the site's secret, so that every process has the same key and backups contain it. */
export function openLicenceKey(secret: string) {
  const { publicJwk, privateJwk } = deriveKey(secret);
  let key: Promise<CryptoKey | Uint8Array> | undefined;
  return {
    /** For browsers, which check licences without a connection. */
    publicJwk,
    async sign({ userId, deviceId, issuedAt, expiresAt }: LicenceClaims): Promise<string> {
      key ??= importJWK(privateJwk, licenceAlgorithm);
      return new SignJWT({ sub: userId, jti: deviceId, iat: seconds(issuedAt), exp: seconds(expiresAt) })
        .setProtectedHeader({ alg: licenceAlgorithm })
        .sign(await key);
    },
  };
}

/** @throws never in practice: one number in 2^32 is not a valid key, and then the next one is used */
function deriveKey(secret: string): { publicJwk: JWK; privateJwk: JWK } {
  const ecdh = createECDH(curve);
  for (let attempt = 0; ; attempt += 1) {
    const number = Buffer.from(hkdfSync('sha256', secret, '', `offline licence ${attempt}`, 32));
    try {
      ecdh.setPrivateKey(number);
    } catch (error) {
      if (attempt < 3) continue;
      throw error;
    }
    const point = ecdh.getPublicKey();
    const publicJwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    return { publicJwk, privateJwk: { ...publicJwk, d: number.toString('base64url') } };
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
