/** Checks a licence's signature (ES256, RFC 7515) with the site's public key. */
export function createLicenceCheck(publicJwk: JsonWebKey) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  let key: Promise<CryptoKey> | undefined;
  // The last checked one, because each range of a file asks.
  let checked: { licence: string; expiresAt: number | undefined } | undefined;

  async function check(licence: string): Promise<number | undefined> {
    try {
      const [head = '', body = '', signature = ''] = licence.split('.');
      if (textOf(head).alg !== 'ES256') return undefined;
      key ??= crypto.subtle.importKey('jwk', publicJwk, algorithm, false, ['verify']);
      const signed = new TextEncoder().encode(`${head}.${body}`);
      const isGood = await crypto.subtle.verify(
        { name: 'ECDSA', hash: 'SHA-256' },
        await key,
        bytesOf(signature),
        signed,
      );
      const { exp } = textOf(body);
      return isGood && typeof exp === 'number' ? exp * 1000 : undefined;
    } catch {
      return undefined;
    }
  }

  /** @returns its end in milliseconds; undefined without a valid signature of this site */
  return async (licence: string): Promise<number | undefined> => {
    if (checked?.licence !== licence) checked = { licence, expiresAt: await check(licence) };
    return checked.expiresAt;
  };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function textOf(base64url: string): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(bytesOf(base64url))) as Record<string, unknown>;
}
