import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '#domain/kernel/errors.ts';
import type { BlobInfo, Blobs, Images, ImageVariant } from '#domain/gateways.ts';
import { replaceFile } from './disk-blobs.ts';
import { smallerSideOf } from './covers.ts';
import { orUndefined, shownPictures } from './pictures/pictures.ts';

const maxSourceBytes = 64 * 1024 * 1024;

/** Minimum time between writes of a use to the file's timestamp, which orders the cache after a restart. */
const touchEveryMs = 60 * 60 * 1000;

/** Scales and encodes images of `blobs` with sharp, each variant once. */
export function openImages(options: {
  blobs: Blobs;
  /** Holds encoded variants and nothing else; may be emptied at any time. One process per folder. */
  cacheDir: string;
  /** Above this size the least recently used variants are removed. */
  maxCacheBytes: number;
  /** Concurrent encodes. Each holds one of Node's four file threads, so with more than 2 file reads wait. */
  concurrency: number;
  /** Different variants that may wait for an encode; one more is refused with `request/too-many`. */
  maxWaiting?: number;
  /** Waiting images per client. A page of covers asks for a hundred at most. */
  maxWaitingOfOne?: number;
}): Images {
  const { blobs, cacheDir, maxCacheBytes, concurrency, maxWaiting = 1000, maxWaitingOfOne = 100 } = options;
  const cache = openVariantCache(cacheDir, maxCacheBytes);
  const encodeInTurn = takeTurns({ limit: concurrency, maxWaiting, maxWaitingOfOne });
  const inFlight = new Map<string, { result: ReturnType<Images['variant']>; askers: number; stop: AbortController }>();

  async function findSource(key: string): Promise<BlobInfo | undefined> {
    const source = await blobs.stat(key);
    return source !== undefined && source.bytes > 0 && source.bytes <= maxSourceBytes ? source : undefined;
  }

  /** @param known undefined: read only when no cached variant is found */
  async function produce(
    key: string,
    known: BlobInfo | undefined,
    { variant, etag, client, signal }: { variant: ImageVariant; etag: string; client: string; signal: AbortSignal },
  ): ReturnType<Images['variant']> {
    const name = `${etag}.${variant.format}`;
    const mime = `image/${variant.format}`;
    const cached = await cache.read(name);
    if (cached) return { bytes: cached, mime, etag };
    const source = known ?? (await findSource(key));
    if (source === undefined) return undefined;
    const bytes = await encodeInTurn({ client, signal }, async () => {
      const content = await readWhole(blobs, source);
      return orUndefined(shownPictures.run('variant', content, variant));
    });
    if (!bytes) return undefined;
    await cache.write(name, bytes);
    return { bytes, mime, etag };
  }

  return {
    async smallerSide(key) {
      const source = await findSource(key);
      return source && smallerSideOf(await readWhole(blobs, source));
    },

    async variant(key, variant, { client, signal } = { client: '', signal: new AbortController().signal }) {
      // In remote storage a key identifies its content, so cached variants need no call and survive an outage.
      const source = blobs.remote === undefined ? await findSource(key) : undefined;
      if (source === undefined && blobs.remote === undefined) return undefined;
      const etag = variantTag(source ?? { key }, variant);
      let entry = inFlight.get(etag);
      if (!entry || entry.stop.signal.aborted) {
        const stop = new AbortController();
        const result = produce(key, source, { variant, etag, client, signal: stop.signal });
        const made = { result, askers: 0, stop };
        const purge = () => void (inFlight.get(etag) === made && inFlight.delete(etag));
        result.then(purge, purge);
        inFlight.set(etag, made);
        entry = made;
      }
      const { result, stop } = entry;
      entry.askers += 1;
      const leave = () => {
        entry.askers -= 1;
        if (entry.askers === 0) stop.abort();
      };
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
      return result.finally(() => signal.removeEventListener('abort', leave));
    },
  };
}

/** Identifies the bytes of a variant: another source under the same key, or other settings, give another name. */
function variantTag(
  { key, bytes, modifiedAt }: { key: string; bytes?: number; modifiedAt?: Date },
  { width, height, quality, format, fit, isEnlarged }: ImageVariant,
): string {
  const parts = ['1', key, bytes ?? '', modifiedAt?.getTime() ?? '', format, width];
  // Settings without effect on the result must not change the name.
  if (height !== undefined) parts.push(`h${height}`, fit);
  if (isEnlarged) parts.push('enlarged');
  if (format !== 'png') parts.push(`q${quality}`);
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40);
}

async function readWhole(blobs: Blobs, { key, bytes }: BlobInfo): Promise<Uint8Array> {
  return new Uint8Array(await new Response(blobs.read(key, { start: 0, end: bytes - 1 })).arrayBuffer());
}

type Asker = { client: string; signal: AbortSignal };

/**
 * Runs at most `limit` tasks at once. Clients take turns, so that one with a hundred tasks delays another by one turn.
 * A task without waiting requests leaves the queue.
 */
function takeTurns(options: { limit: number; maxWaiting: number; maxWaitingOfOne: number }) {
  const { limit, maxWaiting, maxWaitingOfOne } = options;
  /** By client, in turn order. */
  const lines = new Map<string, Set<() => void>>();
  let running = 0;
  let waiting = 0;

  function turn({ client, signal }: Asker): Promise<void> {
    const line = lines.get(client) ?? new Set<() => void>();
    if (signal.aborted || waiting >= maxWaiting || line.size >= maxWaitingOfOne)
      throw new DomainError('request/too-many');
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', abandon);
        line.delete(called);
        waiting -= 1;
        if (line.size === 0) lines.delete(client);
      };
      const called = () => {
        // To the end of the queue.
        lines.delete(client);
        lines.set(client, line);
        leave();
        resolve();
      };
      const abandon = () => {
        leave();
        reject(new DomainError('request/too-many'));
      };
      signal.addEventListener('abort', abandon, { once: true });
      line.add(called);
      lines.set(client, line);
      waiting += 1;
    });
  }

  return async <T>(asker: Asker, task: () => Promise<T>): Promise<T> => {
    if (running >= limit || asker.signal.aborted) await turn(asker);
    else running += 1;
    try {
      return await task();
    } finally {
      // A finished task hands its slot over, so that no new task takes it first.
      const [line] = lines.values();
      const [next] = line ?? [];
      if (next) next();
      else running -= 1;
    }
  };
}

type VariantCache = {
  read(name: string): Promise<Uint8Array | undefined>;
  /** Ignores missing space and permissions: without its cache the site is slower, not broken. */
  write(name: string, bytes: Uint8Array): Promise<void>;
};

function openVariantCache(dir: string, maxBytes: number): VariantCache {
  const temporaryDir = join(dir, 'incoming');
  // Removes half-written files of killed processes.
  rmSync(temporaryDir, { recursive: true, force: true });
  mkdirSync(temporaryDir, { recursive: true });
  /** Least recently used first; `touchedAt` is the file's timestamp. */
  const entries = new Map<string, { bytes: number; touchedAt: number }>();
  let total = 0;
  const loaded = load().catch(() => {});

  /** Adds the files of earlier runs as older than those used since the start. */
  async function load(): Promise<void> {
    const found: [string, { bytes: number; touchedAt: number }][] = [];
    for (const entry of await readdir(dir, { withFileTypes: true })) {
      const info = entry.isFile() ? await stat(join(dir, entry.name)).catch(() => undefined) : undefined;
      if (info) found.push([entry.name, { bytes: info.size, touchedAt: info.mtimeMs }]);
    }
    const used = [...entries];
    entries.clear();
    total = 0;
    for (const [name, entry] of found.toSorted(([, a], [, b]) => a.touchedAt - b.touchedAt))
      remember(name, entry.bytes, entry.touchedAt);
    for (const [name, entry] of used) remember(name, entry.bytes, entry.touchedAt);
  }

  function remember(name: string, bytes: number, touchedAt: number): void {
    purge(name);
    entries.set(name, { bytes, touchedAt });
    total += bytes;
  }

  function purge(name: string): void {
    total -= entries.get(name)?.bytes ?? 0;
    entries.delete(name);
  }

  return {
    async read(name) {
      const bytes = await readFile(join(dir, name)).catch(() => undefined);
      if (!bytes || bytes.length === 0) {
        purge(name);
        return undefined;
      }
      const now = Date.now();
      const touchedAt = entries.get(name)?.touchedAt ?? 0;
      const touch = now - touchedAt > touchEveryMs;
      remember(name, bytes.length, touch ? now : touchedAt);
      if (touch) await utimes(join(dir, name), now / 1000, now / 1000).catch(() => {});
      return bytes;
    },

    async write(name, bytes) {
      try {
        await mkdir(temporaryDir, { recursive: true });
        await replaceFile(join(dir, name), temporaryDir, (temporary) => writeFile(temporary, bytes));
        remember(name, bytes.length, Date.now());
        await loaded;
        for (const oldest of entries.keys()) {
          if (total <= maxBytes) break;
          purge(oldest);
          await rm(join(dir, oldest), { force: true });
        }
      } catch {
        purge(name);
      }
    },
  };
}
