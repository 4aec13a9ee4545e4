import { inject, onTestFinished } from 'vitest';
import { clearAll } from '#offline/database.ts';
import { writeLicence } from '#offline/licence.ts';

/** Stores a licence of the downloads, signed as the site signs it. @param minutes until its end */
export async function licenceFor(minutes: number, signedBy = inject('licenceKey')): Promise<void> {
  const coded = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const part = (value: object) => coded(new TextEncoder().encode(JSON.stringify(value)));
  const text = `${part({ alg: 'ES256' })}.${part({ exp: Math.floor(Date.now() / 1000) + minutes * 60 })}`;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const signer = await crypto.subtle.importKey('jwk', signedBy, algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    signer,
    new TextEncoder().encode(text),
  );
  const licence = `${text}.${coded(signature)}`;
  // Files share one page: the tab's downloads would renew it, with calls that later tests do not expect.
  onTestFinished(() => clearAll(''));
  await writeLicence({ deviceId: 'd1', userId: 'u1', licence, skew: 0, latest: 0 });
}
