import { readKey, sealJson, unsealJson } from './sealing.ts';

/** Holds encrypted values. Their key is in IndexedDB, so nothing readable remains of a deleted value. */
type Storage = { get(key: string): string | null; set(key: string, value: string): void };

/** Name of their key, which stays when the downloads are removed. */
export const valuesKey = 'values-key';

/**
 * Values with titles or search terms, encrypted in the browser's storage, so that its files do not reveal them.
 * @returns undefined for a missing or unreadable value
 */
export async function readSealed<Value>(storage: Storage, name: string): Promise<Value | undefined> {
  const text = storage.get(name);
  if (!text) return undefined;
  try {
    const key = await readKey({ name: valuesKey });
    return key && (await unsealJson<Value>(key, bytesOf(text), name));
  } catch {
    return undefined;
  }
}

/** Stores nothing in browsers without encryption or IndexedDB. @param value undefined removes it */
export async function writeSealed(storage: Storage, name: string, value: unknown): Promise<void> {
  if (value === undefined) return storage.set(name, '');
  try {
    const key = await readKey({ name: valuesKey, create: true });
    if (key !== undefined) storage.set(name, textOf(await sealJson(key, value, name)));
  } catch {
    storage.set(name, '');
  }
}

/** In a loop: spreading into `fromCharCode` would exceed the limit on arguments. */
function textOf(bytes: ArrayBuffer): string {
  let binary = '';
  for (const byte of new Uint8Array(bytes)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
}
