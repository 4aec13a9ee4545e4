import { seal, unseal } from './sealing.ts';

/** The files of downloads in Cache Storage, encrypted, each under a random id of its audio. */
const cacheName = 'kept';

/** A sound chunk by number, the cover, or the audio's page. */
type Part = number | 'cover' | 'page';

function addressOf(id: string, part: Part): string {
  return `/kept/${id}/${part}`;
}

/** The service worker answers it with the sound. */
export function soundAddress(id: string): string {
  return `/kept/${id}/sound`;
}

/** The service worker answers it with the cover, in any size. */
export function coverAddress(id: string): string {
  return addressOf(id, 'cover');
}

/** Thrown by cache and database alike. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** @throws DOMException QuotaExceededError when the disk is full */
export async function writePart(key: CryptoKey, id: string, part: Part, bytes: BufferSource): Promise<void> {
  const cache = await caches.open(cacheName);
  const sealed = await seal(key, bytes, `${id} ${part}`);
  await cache.put(addressOf(id, part), new Response(sealed));
}

/** @returns undefined for a missing or modified part */
export async function readPart(key: CryptoKey, id: string, part: Part): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const cache = await caches.open(cacheName);
  const response = await cache.match(addressOf(id, part));
  if (response === undefined) return undefined;
  return unseal(key, await response.arrayBuffer(), `${id} ${part}`).catch(() => undefined);
}

export async function countChunks(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { url } of await (await caches.open(cacheName)).keys()) {
    const [, id, part] = /\/kept\/([\w-]+)\/(\w+)$/.exec(url) ?? [];
    if (id !== undefined && /^\d+$/.test(part ?? '')) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

export async function removeFiles(id: string): Promise<void> {
  const cache = await caches.open(cacheName);
  const own = `/kept/${id}/`;
  const requests = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(own));
  await Promise.all(requests.map((request) => cache.delete(request)));
}

export async function removeAllFiles(): Promise<void> {
  await caches.delete(cacheName);
}
