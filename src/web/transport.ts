const nonceBytes = 12;

export type Transport = {
  /** @returns the answer with its body in plain JSON again; undefined where this key does not open it */
  fetch(address: string, init: RequestInit): Promise<Response | undefined>;
};

/**
 * The browser's side of the v2 transport (docs/decisions/009-transport.md; the site's side is src/http/transport.ts).
 * @param key 32 bytes in base64
 */
export async function openTransport(key: string): Promise<Transport> {
  const opened = await crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['encrypt', 'decrypt']);

  async function encrypt(text: string, bound: string): Promise<string> {
    const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
    const sealed = await crypto.subtle.encrypt(algorithm(nonce, bound), opened, new TextEncoder().encode(text));
    const whole = new Uint8Array(nonceBytes + sealed.byteLength);
    whole.set(nonce);
    whole.set(new Uint8Array(sealed), nonceBytes);
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
          ? JSON.stringify({ rpc: await encrypt(init.body, `request ${call}`) })
          : init.body;
      const response = await fetch(address, { ...init, body });
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
  return { name: 'AES-GCM', iv: nonce, additionalData: new TextEncoder().encode(bound) };
}

/** Not by spreading into `fromCharCode`: an answer has more bytes than a call has arguments. */
function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
