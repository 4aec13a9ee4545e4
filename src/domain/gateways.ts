/** The outside world as the domain sees it; implementations live in `src/gateways/`. */

/** Bytes `start` to `end`, both included, as in RFC 9110 §14.1.2. */
export type ByteRange = { start: number; end: number };

export type BlobInfo = { key: string; bytes: number; modifiedAt: Date };

/** Files by key (`audio/3f9c….mp3`, `images/77ab….webp`). A key is `[a-z0-9/._-]`, never absolute, never with `..`. */
export type Blobs = {
  /** Absence, and a key that is no key, are both `undefined`. */
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Throws when the blob is missing. Reads no faster than the consumer takes. */
  read(key: string, range?: ByteRange): ReadableStream<Uint8Array>;
  /** All or nothing: a reader never sees half a file, and it is on disk when this resolves. */
  write(key: string, content: Uint8Array | ReadableStream<Uint8Array>): Promise<BlobInfo>;
  /** Copies a file of this machine in; the source stays. */
  importFile(key: string, path: string): Promise<BlobInfo>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<BlobInfo>;
};

export const imageWidths = [48, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1280, 1600, 2000] as const;
export const imageFormats = ['avif', 'webp', 'jpeg', 'png'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export type ImageVariant = {
  /** One of `imageWidths`. */
  width: number;
  height?: number;
  /** 1–100. */
  quality: number;
  format: ImageFormat;
  fit: 'cover' | 'contain' | 'inside';
};

export type Images = {
  /** The source scaled (never up) and encoded; `undefined` when there is no such source. */
  variant(key: string, variant: ImageVariant): Promise<{ bytes: Uint8Array; mime: string; etag: string } | undefined>;
};
