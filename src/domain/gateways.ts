/** Interfaces of external services; implementations are in `src/gateways/`. */

/** Bytes `start` to `end`, both included, as in RFC 9110 §14.1.2. */
export type ByteRange = { start: number; end: number };

export type BlobInfo = {
  key: string;
  bytes: number;
  modifiedAt: Date;
  /** SHA-256 of the content in hex. Only `stat` returns it, and only if the storage keeps hashes. */
  sha256?: string;
};

/** Files by key (`audio/3f9c….mp3`, `images/77ab….webp`). A key is `[a-z0-9/._-]`, never absolute, never with `..`. */
export type Blobs = {
  /** Undefined for a missing blob and for an invalid key. */
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Throws when the blob is missing. Reads no faster than the consumer takes. */
  read(key: string, range?: ByteRange): ReadableStream<Uint8Array>;
  /**
   * All or nothing: a reader never sees half a file, and it is stored durably when this resolves.
   * @param expected SHA-256 in hex; content with another hash is refused
   */
  write(key: string, content: Uint8Array | ReadableStream<Uint8Array>, expected?: string): Promise<BlobInfo>;
  /** Copies a file of this machine in; the source stays. */
  importFile(key: string, path: string): Promise<BlobInfo>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<BlobInfo>;
  /** Set for storage behind a network, where each call takes time and may fail. */
  remote?: RemoteBlobs;
};

/** Further calls of storage behind a network. Contents never change under a key (decision 005). */
export type RemoteBlobs = {
  /**
   * Opens a range in one call, so that a failure is known before an answer begins; `size` is of the whole blob.
   * @returns undefined for a missing blob, and for a range outside of it
   */
  open(key: string, range: ByteRange): Promise<{ size: number; body: ReadableStream<Uint8Array> } | undefined>;
  /** Milliseconds that its clock is ahead of this machine's, by its latest answer. */
  clockAhead(): number;
  /** Undefined: listeners get files only through the site. */
  links?: BlobLinks;
};

/** Addresses at which anyone who has them gets a file from the storage itself, for some minutes. */
export type BlobLinks = {
  /** Scheme, host and port of all of them. */
  origin: string;
  sign(key: string, options: { method: 'GET' | 'HEAD'; mime: string }): Promise<string>;
};

export const imageWidths = [48, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1280, 1600, 2000] as const;
/** Height to width ratios of cropped pictures. */
export const imageRatios = [9 / 16, 2 / 3, 1, 3 / 2, 16 / 9] as const;
export const imageQualities = [40, 60, 80, 95] as const;
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
  /**
   * The source scaled (never up) and encoded; `undefined` without a source.
   * @param asker clients take turns; cancelled requests are not encoded
   * @throws DomainError `request/too-many`
   */
  variant(
    key: string,
    variant: ImageVariant,
    asker?: { client: string; signal: AbortSignal },
  ): Promise<{ bytes: Uint8Array; mime: string; etag: string } | undefined>;
  /** Pixels of the source's smaller side; `undefined` when there is no such source. */
  smallerSide(key: string): Promise<number | undefined>;
};

/** Podcast directories refuse square covers below it (Apple: 1,400 to 3,000 px). */
export const leastFeedCover = 1400;

/** Content and tags of a sound file. Texts are unchecked: any length, any character. */
export type SoundFile = {
  /** SHA-256 of the whole file, lower-case hex. */
  sha256: string;
  bytes: number;
  mime: string;
  /** With its dot, by content and not by name. */
  extension: '.mp3' | '.m4a' | '.ogg' | '.opus' | '.flac' | '.wav';
  durationMs: number;
  title: string | undefined;
  artist: string | undefined;
  albumArtist: string | undefined;
  album: string | undefined;
  /** Counted from 1. */
  track: number | undefined;
  disk: number | undefined;
  genres: string[];
  description: string | undefined;
  /** Unmodified; may not be an image at all. */
  picture: Uint8Array | undefined;
};

export type SoundFileResult =
  | { ok: true; file: SoundFile }
  | { ok: false; reason: 'unreadable' | 'damaged' | 'not-playable'; detail: string };

export type AudioTags = {
  /** Reads a file of this machine. `detail` is the second half of a sentence that begins with the file's name. */
  read(path: string): Promise<SoundFileResult>;
};

export type Covers = {
  /** A picture prepared for storage: WebP, upright, at most 2048 px; `undefined` when it cannot be decoded. */
  encode(picture: Uint8Array): Promise<Uint8Array | undefined>;
  /** The whole picture for cutting covers out of it: WebP, upright, at most 4096 px; `undefined` as `encode`. */
  keep(picture: Uint8Array): Promise<{ image: Uint8Array; width: number; height: number } | undefined>;
  /** Pixels of a stored image; `undefined` when it cannot be decoded. */
  measure(image: Uint8Array): Promise<{ width: number; height: number } | undefined>;
  /** A square of a stored image, in its pixels, as `encode` makes covers; `undefined` when it cannot be decoded. */
  cut(image: Uint8Array, area: { x: number; y: number; size: number }): Promise<Uint8Array | undefined>;
  /** A cover for an audio without a picture; the same for the same seed. */
  draw(seed: string): Promise<Uint8Array>;
  /** Whether the stored image can be shown. */
  isDecodable(image: Uint8Array): Promise<boolean>;
};

export type MailMessage = { to: string; subject: string; text: string; html: string };

export type Mail = {
  /** Resolves when the message is sent or stored for a retry; callers cannot tell which. */
  send(message: MailMessage): Promise<void>;
  /** Deletes all stored mails to an address, for a deleted account. */
  purge(to: string): Promise<void>;
};

/** Content of a link preview picture. */
export type Card = {
  title: string;
  /** Subtitle, for example the voice and the duration. */
  line: string;
  /** A blob under `images/`; null without a picture. */
  imageKey: string | null;
};

export type Cards = {
  /** A JPEG of 1200 × 630. */
  draw(card: Card): Promise<Uint8Array>;
};
