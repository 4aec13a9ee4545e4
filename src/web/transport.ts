import { gcm } from '@noble/ciphers/aes.js';
import { type TimedInit, timedFetch } from '#player/timed-fetch.ts';

const nonceBytes = 12;

export type Transport = {
  /**
   * Sends before it returns.
   * @returns the response with its body in plain JSON; undefined when this key cannot decrypt it
   */
  fetch(address: string, init: TimedInit): Promise<Response | undefined>;
};

/**
 * Browser side of the v2 transport (docs/decisions/009-transport.md; server side: src/http/transport.ts).
 * @param key 32 bytes in base64
 */
export async function openTransport(key: string): Promise<Transport> {
  const secret = fromBase64(key);
  const opened = await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['decrypt']);

  /** Synchronous, unlike WebCrypto: a closing page gets no further turn of the event loop. */
  function encrypt(text: string, bound: string): string {
    const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
    const sealed = gcm(secret, nonce, bytesOf(bound)).encrypt(bytesOf(text));
    const whole = new Uint8Array(nonceBytes + sealed.length);
    whole.set(nonce);
    whole.set(sealed, nonceBytes);
    return toBase64(whole);
  }

  async function decrypt(text: string, bound: string): Promise<string | undefined> {
    try {
      const whole = fromBase64(text);
      const nonce = whole.subarray(0, nonceBytes);
      const plain = await crypto.subtle.decrypt(algorithm(nonce, bound), opened, whole.subarray(nonceBytes));
      return new TextDecoder().decode(plain);
    } catch {
      return undefined;
    }
  }

  return {
    async fetch(address, init) {
      const call = `${init.method ?? 'GET'} ${new URL(address, globalThis.location?.href ?? 'http://localhost').pathname}`;
      const isJson = new Headers(init.headers).get('content-type')?.startsWith('application/json') === true;
      const body =
        isJson && typeof init.body === 'string'
          ? JSON.stringify({ rpc: encrypt(init.body, `request ${call}`) })
          : init.body;
      const response = await timedFetch(address, { ...init, body });
      if (response.headers.get('content-type')?.startsWith('text/html') !== true) return response;
      const text = await response.text();
      const plain = text === '' ? '' : await decrypt(text, `answer ${call}`);
      if (plain === undefined) return undefined;
      const headers = new Headers(response.headers);
      headers.set('content-type', 'application/json');
      return new Response(plain === '' ? null : plain, { status: response.status, headers });
    },
  };
}

function algorithm(nonce: Uint8Array<ArrayBuffer>, bound: string): AesGcmParams {
  return { name: 'AES-GCM', iv: nonce, additionalData: bytesOf(bound) };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** In a loop: spreading into `fromCharCode` would exceed the limit on arguments. */
function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
