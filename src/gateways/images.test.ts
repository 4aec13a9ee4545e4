import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Blobs, ImageFormat, ImageVariant } from '#domain/gateways.ts';
import { openDiskBlobs } from './disk-blobs.ts';
import { openImages } from './images.ts';

let blobFolder: string;
let blobs: Blobs;
let cacheDir: string;

/** Neither flat nor noise, so that encoders behave as on photographs. */
function picture(width: number, height: number) {
  const gradient = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g"><stop stop-color="#802030"/><stop offset="1" stop-color="#f0c0a0"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/><circle cx="40%" cy="60%" r="25%" fill="#304060"/></svg>`;
  return sharp(Buffer.from(gradient)).removeAlpha();
}

beforeAll(async () => {
  blobFolder = await mkdtemp(join(tmpdir(), 'sotto-images-'));
  blobs = openDiskBlobs({ dir: blobFolder });
  await blobs.write('images/cover.webp', await picture(1000, 800).webp().toBuffer());
  await blobs.write('images/small.png', await picture(100, 60).png().toBuffer());
  await blobs.write(
    'images/turned.jpg',
    await picture(300, 200)
      .withExif({ IFD0: { Copyright: 'secret', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer(),
  );
  await blobs.write(
    'images/clear.png',
    await sharp({ create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer(),
  );
  await blobs.write('images/text.png', Buffer.from('This is no image.'));
  await blobs.write(
    'images/drawing.svg',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
  );
  await blobs.write('images/broken.jpg', (await picture(300, 200).jpeg().toBuffer()).subarray(0, 400));
  await blobs.write('images/empty.png', new Uint8Array());
  // 65 million pixels in a few hundred kilobytes.
  await blobs.write(
    'images/bomb.png',
    await sharp({ create: { width: 13_000, height: 5_000, channels: 3, background: 'black' } })
      .png({ compressionLevel: 9 })
      .toBuffer(),
  );
});

afterAll(() => rm(blobFolder, { recursive: true, force: true }));

beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'sotto-image-cache-'));
});

afterEach(() => rm(cacheDir, { recursive: true, force: true }));

const open = (settings: { maxCacheBytes?: number; concurrency?: number; maxWaiting?: number } = {}) =>
  openImages({ blobs, cacheDir, maxCacheBytes: 10_000_000, concurrency: 2, ...settings });

const variant = (changes: Partial<ImageVariant> = {}): ImageVariant => ({
  width: 320,
  quality: 80,
  format: 'webp',
  fit: 'cover',
  ...changes,
});

const cachedFiles = async () =>
  (await readdir(cacheDir, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);

describe('a variant', () => {
  test.each<[ImageFormat, string, string]>([
    ['avif', 'image/avif', 'heif'],
    ['webp', 'image/webp', 'webp'],
    ['jpeg', 'image/jpeg', 'jpeg'],
    ['png', 'image/png', 'png'],
  ])('is scaled and encoded as %s', async (format, mime, name) => {
    const image = await open().variant('images/cover.webp', variant({ format }));
    expect(image?.mime).toBe(mime);
    expect(await sharp(image?.bytes).metadata()).toMatchObject({ format: name, width: 320, height: 256 });
  });

  test.each<[string, Partial<ImageVariant>, [number, number]]>([
    ['fills the frame and is cut', { width: 320, height: 320, fit: 'cover' }, [320, 320]],
    ['fits in the frame with a margin', { width: 320, height: 320, fit: 'contain' }, [320, 320]],
    ['fits in the frame without one', { width: 320, height: 320, fit: 'inside' }, [320, 256]],
  ])('%s', async (_name, changes, [width, height]) => {
    const image = await open().variant('images/cover.webp', variant(changes));
    expect(await sharp(image?.bytes).metadata()).toMatchObject({ width, height });
  });

  test.each<[string, Partial<ImageVariant>, [number, number]]>([
    ['by width', { width: 640 }, [100, 60]],
    ['in a frame to fill, whose shape it keeps', { width: 640, height: 640, fit: 'cover' }, [60, 60]],
    ['in a frame with a margin', { width: 640, height: 640, fit: 'contain' }, [100, 100]],
    ['in a frame without one', { width: 640, height: 640, fit: 'inside' }, [100, 60]],
  ])('is never larger than its source: %s', async (_name, changes, [width, height]) => {
    const image = await open().variant('images/small.png', variant(changes));
    expect(await sharp(image?.bytes).metadata()).toMatchObject({ width, height });
  });

  test('is upright and has no metadata', async () => {
    const source = await sharp(await readFile(join(blobFolder, 'images/turned.jpg'))).metadata();
    expect(source).toMatchObject({ orientation: 6, exif: expect.anything() });
    const image = await open().variant('images/turned.jpg', variant({ width: 128, format: 'jpeg' }));
    const made = await sharp(image?.bytes).metadata();
    expect(made).toMatchObject({ width: 128, height: 192 });
    expect(made.exif).toBeUndefined();
    expect(made.orientation).toBeUndefined();
    expect(Buffer.from(image?.bytes ?? []).includes('secret')).toBe(false);
  });

  test('keeps transparency, or is white behind it when the format has none', async () => {
    const images = open();
    const webp = await images.variant('images/clear.png', variant({ width: 48 }));
    expect((await sharp(webp?.bytes).metadata()).hasAlpha).toBe(true);
    const jpeg = await images.variant('images/clear.png', variant({ width: 48, format: 'jpeg' }));
    expect((await sharp(jpeg?.bytes).stats()).channels[0]?.min).toBeGreaterThan(250);
  });

  test('of lower quality is smaller', async () => {
    const images = open();
    for (const format of ['avif', 'webp', 'jpeg'] as const) {
      const good = await images.variant('images/cover.webp', variant({ format, quality: 90 }));
      const poor = await images.variant('images/cover.webp', variant({ format, quality: 30 }));
      expect(poor?.bytes.length).toBeLessThan(good?.bytes.length ?? 0);
    }
  });

  test.each([
    'images/missing.webp',
    'images/text.png',
    'images/drawing.svg',
    'images/broken.jpg',
    'images/empty.png',
    'images/bomb.png',
    'images',
    '../images/cover.webp',
    'images/cover.webp\0',
  ])('of %j is none', async (key) => {
    expect(await open().variant(key, variant())).toBeUndefined();
    expect(await cachedFiles()).toEqual([]);
  });
});

describe('the cache', () => {
  test('keeps a variant across a restart, and recreates it when the file is missing', async () => {
    const first = await open().variant('images/cover.webp', variant());
    const [name = ''] = await cachedFiles();
    await writeFile(join(cacheDir, name), 'from the disk');
    const second = await open().variant('images/cover.webp', variant());
    expect(Buffer.from(second?.bytes ?? []).toString()).toBe('from the disk');
    expect(second?.etag).toBe(first?.etag);
    await rm(cacheDir, { recursive: true });
    const images = open();
    await rm(cacheDir, { recursive: true });
    const third = await images.variant('images/cover.webp', variant());
    expect(Buffer.from(third?.bytes ?? []).equals(Buffer.from(first?.bytes ?? []))).toBe(true);
    expect(await cachedFiles()).toEqual([name]);
  });

  test('does not serve a file that a power failure left empty', async () => {
    const first = await open().variant('images/cover.webp', variant());
    const [name = ''] = await cachedFiles();
    await writeFile(join(cacheDir, name), '');
    const second = await open().variant('images/cover.webp', variant());
    expect(second?.bytes.length).toBe(first?.bytes.length);
  });

  test('distinguishes a replaced source from the old one', async () => {
    await blobs.write('images/changing.png', await picture(200, 200).png().toBuffer());
    const images = open();
    const old = await images.variant('images/changing.png', variant({ width: 48 }));
    await blobs.write('images/changing.png', await picture(200, 100).png().toBuffer());
    const fresh = await images.variant('images/changing.png', variant({ width: 48 }));
    expect(fresh?.etag).not.toBe(old?.etag);
    expect(await sharp(fresh?.bytes).metadata()).toMatchObject({ width: 48, height: 24 });
  });

  test('has one file for settings that give the same bytes', async () => {
    const images = open();
    await images.variant('images/cover.webp', variant({ format: 'png', quality: 30 }));
    await images.variant('images/cover.webp', variant({ format: 'png', quality: 90, fit: 'contain' }));
    expect(await cachedFiles()).toHaveLength(1);
  });

  test('stays within its size limit and evicts the least recently used', async () => {
    const widths = [256, 320, 384, 512] as const;
    const sizes = await Promise.all(
      widths.map(async (width) => (await open().variant('images/cover.webp', variant({ width })))?.bytes.length ?? 0),
    );
    const [a = 0, b = 0, c = 0, d = 0] = sizes;
    await rm(cacheDir, { recursive: true });
    const images = open({ maxCacheBytes: a + c + d });
    const use = (width: number) => images.variant('images/cover.webp', variant({ width }));
    await use(256);
    await use(320);
    await use(384);
    await use(256);
    await use(512);
    const kept = await Promise.all((await cachedFiles()).map(async (name) => (await stat(join(cacheDir, name))).size));
    expect(kept.toSorted((x, y) => x - y)).toEqual([a, c, d].toSorted((x, y) => x - y));
    expect(kept).not.toContain(b);
  });

  test('keeps the order of use across a restart', async () => {
    const before = open();
    for (const width of [256, 320, 384]) await before.variant('images/cover.webp', variant({ width }));
    const files = await Promise.all(
      (await cachedFiles()).map(async (name) => ({ name, bytes: (await stat(join(cacheDir, name))).size })),
    );
    const [small, middle, large] = files.toSorted((x, y) => x.bytes - y.bytes);
    if (!small || !middle || !large) throw new Error('Three files were written');
    const daysAgo = (days: number) => Date.now() / 1000 - days * 86_400;
    await utimes(join(cacheDir, small.name), daysAgo(2), daysAgo(2));
    await utimes(join(cacheDir, middle.name), daysAgo(9), daysAgo(9));
    await utimes(join(cacheDir, large.name), daysAgo(5), daysAgo(5));
    const after = open({ maxCacheBytes: small.bytes + middle.bytes + large.bytes });
    await after.variant('images/cover.webp', variant({ width: 64 }));
    const kept = await cachedFiles();
    expect(kept).not.toContain(middle.name);
    expect(kept).toHaveLength(3);
  });

  test('that is not writable makes the site slower, not broken', async () => {
    const images = open();
    await rm(cacheDir, { recursive: true });
    await writeFile(cacheDir, 'a file stands in the way');
    expect(await images.variant('images/cover.webp', variant())).toMatchObject({ mime: 'image/webp' });
  });
});

describe('many at once', () => {
  /** Blobs that count the reads, and hold them until `release`. */
  function heldBlobs() {
    const reads: string[] = [];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const held: Blobs = {
      ...blobs,
      read(key, range) {
        reads.push(key);
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        void released.then(() => blobs.read(key, range).pipeTo(writable));
        return readable;
      },
    };
    return { held, reads, release };
  }

  test('the same variant is encoded once', async () => {
    const { held, reads, release } = heldBlobs();
    const images = openImages({ blobs: held, cacheDir, maxCacheBytes: 10_000_000, concurrency: 4 });
    const requests = Array.from({ length: 20 }, () => images.variant('images/cover.webp', variant()));
    await vi.waitFor(() => expect(reads.length).toBeGreaterThan(0));
    release();
    const results = await Promise.all(requests);
    expect(new Set(results.map((result) => result?.etag)).size).toBe(1);
    expect(reads).toHaveLength(1);
  });

  test.each([{ maxWaiting: 3 }, { maxWaitingOfOne: 3 }])(
    'different ones take turns, and too many are refused instead of filling the memory: %o',
    async (max) => {
      const { held, reads, release } = heldBlobs();
      const images = openImages({ blobs: held, cacheDir, maxCacheBytes: 10_000_000, concurrency: 2, ...max });
      const settled: number[] = [];
      const requests = [48, 64, 96, 128, 192, 256, 320].map(async (width) => {
        try {
          return (await images.variant('images/cover.webp', variant({ width })))?.mime;
        } catch (error) {
          settled.push(width);
          return (error as { code: string }).code;
        }
      });
      await vi.waitFor(() => expect(settled).toHaveLength(2));
      expect(reads).toHaveLength(2);
      release();
      const outcomes = (await Promise.all(requests)).toSorted();
      expect(outcomes).toEqual([...Array<string>(5).fill('image/webp'), ...Array<string>(2).fill('request/too-many')]);
      expect(await images.variant('images/cover.webp', variant({ width: 384 }))).toMatchObject({ mime: 'image/webp' });
    },
  );

  test('clients take turns, and cancelled requests are not encoded', async () => {
    const { held, reads, release } = heldBlobs();
    const images = openImages({ blobs: held, cacheDir, maxCacheBytes: 10_000_000, concurrency: 1 });
    const done: string[] = [];
    const ask = async (client: string, width: number, signal = new AbortController().signal) =>
      images.variant('images/cover.webp', variant({ width }), { client, signal }).then(
        () => done.push(`${client} ${width}`),
        (error: { code: string }) => error.code,
      );
    const gone = new AbortController();
    const asked = [
      ask('many', 48),
      ask('many', 64),
      ask('many', 96),
      ask('many', 128),
      ask('many', 192, gone.signal),
      ask('many', 256, gone.signal),
    ];
    await vi.waitFor(() => expect(reads).toHaveLength(1));
    const innocent = ask('innocent', 384);
    // Another request still needs the same picture.
    const other = ask('other', 256);
    // Each request checks the cache folder before it queues; these checks run after theirs.
    for (let looks = 0; looks < 10; looks += 1) await stat(cacheDir);
    gone.abort();
    release();
    await Promise.all([...asked, innocent, other]);
    expect(done.indexOf('innocent 384')).toBeLessThan(3);
    expect(done).toContain('other 256');
    expect(done).not.toContain('many 192');
    expect(reads).toHaveLength(6);
  });
});
