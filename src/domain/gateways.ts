/** The outside world as the domain sees it; implementations live in `src/gateways/`. */

import type { TakenEvent } from './insight/events.ts';

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

/** What a sound file holds and says of itself. Texts are as they stand in the file: any length, any character. */
export type SoundFile = {
  /** Of the whole file, lower-case hex. */
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
  /** As it stands in the file; may not be an image at all. */
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
  /** A picture made fit to be kept: WebP, upright, at most 2048 px; `undefined` when it cannot be decoded. */
  encode(picture: Uint8Array): Promise<Uint8Array | undefined>;
  /** Whether the stored image can be shown. */
  isDecodable(image: Uint8Array): Promise<boolean>;
};

export type MailMessage = { to: string; subject: string; text: string; html: string };

export type Mail = {
  /** Resolves once the message is handed over or safely kept for a later try; who waits for it learns nothing of which. */
  send(message: MailMessage): Promise<void>;
  /** Drops what is kept for an address, sent or not: its account is deleted. */
  forget(to: string): Promise<void>;
};

/** Passes the events on to an analytics service of the operator. Nothing waits for it, and what it cannot pass on is lost. */
export type EventForwarder = {
  forward(events: TakenEvent[]): void;
  /** Only of who consented. */
  identify(user: { id: string; email: string | null }): void;
};

/** What the picture of a link preview says. */
export type Card = {
  title: string;
  /** Beneath it, such as the voice and how long it takes. */
  line: string;
  /** A blob under `images/`; null where there is no picture. */
  imageKey: string | null;
};

export type Cards = {
  /** A JPEG of 1200 × 630. */
  draw(card: Card): Promise<Uint8Array>;
};
