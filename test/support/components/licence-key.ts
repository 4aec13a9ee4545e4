import { generateKeyPairSync } from 'node:crypto';
import type { Plugin } from 'vite';

/** Signs licences of downloads in the site's place: `inject('licenceKey')`. The configuration is loaded twice. */
export const licenceKey = JSON.parse((process.env['SOTTO_TEST_LICENCE_KEY'] ??= makeKey())) as JsonWebKey;

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}

/** Inserts the public key into the service worker's code, as the site does (http/pages/installable.ts). */
export function withLicenceKey(): Plugin {
  return {
    name: 'sotto:with-licence-key',
    transform: {
      filter: { id: /\/src\/service-worker\/serve-download\.ts$/ },
      handler: (code) => ({ code: code.replace('__LICENCE_KEY__', `${licenceKey.x}.${licenceKey.y}`), map: null }),
    },
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    licenceKey: JsonWebKey;
  }
}
