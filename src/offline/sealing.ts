import { read, writeFirst } from './database.ts';

/**
 * Everything on the device is encrypted (AES-256-GCM) with a key that scripts cannot export: files of the browser's
 * profile reveal no title, and reading a modified file fails.
 */
const keyName = 'key';
const nonceBytes = 12;

/**
 * The key of the downloads, or another key of this device.
 * @param options.create a missing key is created
 */
export async function readKey({ create = false, name = keyName } = {}): Promise<CryptoKey | undefined> {
  const key = await read<CryptoKey>('state', name);
  if (key !== undefined || !create) return key;
  const generated = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  // Another tab may have created one meanwhile.
  return writeFirst('state', name, generated);
}

/** @param about authenticated context, which must be the same for decryption */
export async function seal(key: CryptoKey, bytes: BufferSource, about: string): Promise<ArrayBuffer> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(about) }, key, bytes);
  const whole = new Uint8Array(nonceBytes + sealed.byteLength);
  whole.set(iv);
  whole.set(new Uint8Array(sealed), nonceBytes);
  return whole.buffer;
}

/** @throws for a modified value, another key, or another context */
export async function unseal(key: CryptoKey, sealed: ArrayBuffer, about: string): Promise<Uint8Array<ArrayBuffer>> {
  const iv = sealed.slice(0, nonceBytes);
  const params = { name: 'AES-GCM', iv, additionalData: bytesOf(about) };
  return new Uint8Array(await crypto.subtle.decrypt(params, key, sealed.slice(nonceBytes)));
}

export async function sealJson(key: CryptoKey, value: unknown, about: string): Promise<ArrayBuffer> {
  return seal(key, bytesOf(JSON.stringify(value)), about);
}

/** @returns undefined for an unreadable value */
export async function unsealJson<Value>(key: CryptoKey, sealed: unknown, about: string): Promise<Value | undefined> {
  if (!(sealed instanceof ArrayBuffer)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(await unseal(key, sealed, about))) as Value;
  } catch {
    return undefined;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}
