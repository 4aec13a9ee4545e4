import { z } from 'zod';
import type { Chapter } from './catalogue/chapter-rules.ts';
import type { SyntheticVoice } from './catalogue/rules.ts';
import type { Db } from './kernel/db.ts';

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
  /** Throws when the blob is missing. Reads only as fast as the consumer. */
  read(key: string, range?: ByteRange): ReadableStream<Uint8Array>;
  /**
   * All or nothing: a reader never sees half a file, and it is stored durably when this resolves.
   * @param expected SHA-256 in hex; content with another hash is refused
   */
  write(key: string, content: Uint8Array | ReadableStream<Uint8Array>, expected?: string): Promise<BlobInfo>;
  /**
   * Stores a copy of a local file; the source stays.
   * @param options `mayLink`: the source never changes again, so a hard link is enough
   */
  importFile(key: string, path: string, options?: { mayLink?: boolean }): Promise<BlobInfo>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<BlobInfo>;
  /** The blob as a read-only local file; absent when the storage is not a local folder. */
  localPath?(key: string): Promise<string | undefined>;
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
  /** Copies a blob within the storage. @param sha256 of the content, kept with the copy */
  copy(from: string, to: string, sha256: string): Promise<void>;
  /** Milliseconds that its clock is ahead of this machine's, by its latest answer. */
  clockAhead(): number;
  /** Undefined: listeners get files only through the site. */
  links?: BlobLinks;
};

/** URLs that let anyone download a file directly from the storage, for some minutes. */
export type BlobLinks = {
  /** Their common scheme, host and port. */
  origin: string;
  sign(key: string, options: { method: 'GET' | 'HEAD'; mime: string }): Promise<string>;
};

/**
 * Uploads in progress: files that arrive in parts until they are complete and stored as blobs. Ids are those of
 * uploads.
 */
export type IncomingFiles = {
  /** Received bytes; undefined: there is no such file. */
  received(id: string): Promise<number | undefined>;
  /** SHA-256 of the received bytes, in hex. Reads the file once, in parts. */
  hash(id: string, signal?: AbortSignal): Promise<string>;
  /** Stores the complete file as a blob; the upload stays as well. */
  keepAs(id: string, key: string, sha256: string): Promise<void>;
  /** No error when there is none. */
  remove(id: string): Promise<void>;
  list(): AsyncIterable<{ id: string; changedAt: Date }>;
  /** Bytes that still fit below the disk limit; undefined: no limit. */
  room(): Promise<number | undefined>;
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
  /** Smaller sources are enlarged, for readers that refuse small pictures. Needs a height. */
  isEnlarged?: true;
};

export type Images = {
  /**
   * The source scaled (up only when the variant says so) and encoded; `undefined` without a source.
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

/** Minimum size of square covers for podcast directories (Apple: 1,400 to 3,000 px). */
export const minFeedCover = 1400;

/** Content and tags of a sound file. Texts are unchecked: any length, any character. */
export type SoundFile = {
  /** SHA-256 of the whole file, lower-case hex. */
  sha256: string;
  bytes: number;
  mime: string;
  /** With its dot, by content and not by name. */
  extension: '.mp3' | '.m4a' | '.ogg' | '.opus' | '.flac' | '.wav';
  durationMs: number;
  /** It states more than it holds. */
  endsEarly: boolean;
  title: string | undefined;
  artist: string | undefined;
  albumArtist: string | undefined;
  album: string | undefined;
  /** Counted from 1. */
  track: number | undefined;
  disk: number | undefined;
  genres: string[];
  description: string | undefined;
  /** By IPTC’s terms; undefined: it says nothing. */
  syntheticVoice: SyntheticVoice | undefined;
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
  /**
   * A part of a stored image, in its pixels, as `encode` makes covers; `undefined` when it cannot be decoded.
   * @param area.height default: a square
   */
  cut(
    image: Uint8Array,
    area: { x: number; y: number; size: number; height?: number },
  ): Promise<Uint8Array | undefined>;
  /** A picture or SVG in one size, never larger than it is except for SVG; `undefined` when it cannot be decoded. */
  render(
    picture: Uint8Array,
    to: {
      width: number;
      height: number;
      fit: 'cover' | 'contain' | 'inside';
      format: 'png' | 'jpeg' | 'webp';
      /** Empty share of each side. */
      margin?: number;
    },
  ): Promise<{ image: Uint8Array; width: number; height: number } | undefined>;
  /** A cover for an audio without a picture; the same for the same seed. */
  draw(seed: string): Promise<Uint8Array>;
  /** Whether the stored image can be shown. */
  isDecodable(image: Uint8Array): Promise<boolean>;
};

/** Measured facts about a recording. */
export const SoundFacts = z.object({
  /** Such as `WAV` or `MP3`. */
  format: z.string(),
  /** Hertz. */
  sampleRate: z.number(),
  /** Bits per sample; absent where the format has none. */
  bits: z.number().optional(),
  channels: z.number(),
  /** Measured while decoding: a damaged file may claim more. */
  durationMs: z.number().int(),
  /** Integrated loudness (EBU R128) before and after, in LUFS. */
  loudnessBefore: z.number(),
  loudnessAfter: z.number(),
  /** Largest true peak of the listening file, in dBTP. */
  truePeakAfter: z.number(),
  /** Seconds by which the stated length exceeds the content, when more than one; 0: it ends early by an unknown time. */
  missingSeconds: z.number().optional(),
});
export type SoundFacts = z.output<typeof SoundFacts>;

/** Points along a recording in `RecordingMeasures.peaks`; two bytes each: peak and loudness. */
export const peakPoints = 1200;

/** Measures of a recording, for its waveform and its checks. */
export type RecordingMeasures = {
  facts: SoundFacts;
  /** `peakPoints` pairs of bytes: largest and mean (RMS) amplitude, 0 to 255. */
  peaks: Uint8Array;
};

export type ProcessedFile = {
  path: string;
  mime: string;
  /** With its dot. */
  extension: string;
  bytes: number;
  /** SHA-256 of the whole file, lower-case hex. */
  sha256: string;
};

/** A local or a stored file. */
export type SoundSource = { path: string } | { key: string };

export type ProcessedSound = RecordingMeasures & {
  /** For every browser: AAC in MP4, at the site's loudness. */
  listening: ProcessedFile;
  /** For browsers that save data: Opus, half the size. */
  small: ProcessedFile;
  /** As the file states them, where they can be used. */
  chapters: Chapter[];
};

export type SoundStep = 'reading' | 'loudness' | 'encoding' | 'waveform';

/** Reasons that the program finds itself. */
export const soundRefusals = [
  'empty',
  'not-sound',
  'video',
  'damaged',
  'too-short',
  'too-long',
  'daily-limit',
  'no-space',
  'silent',
  'engine-missing',
  'failed',
] as const;

/**
 * `killed`: its program was ended from outside; the file may be fine. `detail` is the second half of a sentence that
 * begins with the file's name.
 */
export type SoundRefusal = {
  ok: false;
  reason: (typeof soundRefusals)[number] | 'takes-too-much' | 'killed';
  detail: string;
};

export type SoundWork = {
  /** Rejects with the signal's reason when it is aborted. */
  signal?: AbortSignal | undefined;
  /** @param percent of the step */
  onProgress?: ((step: SoundStep, percent: number, facts: Partial<SoundFacts>) => void) | undefined;
  /** Accepts silence, and recordings shorter than a second. */
  isLenient?: boolean | undefined;
  /** Length that the file may have at most, checked by its header and while decoding; default: 12 hours. */
  maxSeconds?: number | undefined;
  /** For the comment of the files, by which every program shows it. */
  comment?: string | undefined;
};

/**
 * Adds a job for each key, in the given place among those that wait. Without a queue the work is late: a scheduled job
 * finds it.
 */
export type AddJobs = (name: string, keys: string[], place?: JobPlace) => Promise<void>;

export type JobPlace = {
  /** The lower, the earlier it runs; default: 0. */
  turn?: number;
  /** Jobs of one group run one after the other, where their queue says so. */
  group?: string;
};

/** How sure the times of a line are: `check` and `unsure` ones should be listened to. */
export const certainties = ['sure', 'check', 'unsure'] as const;

/** When a line of a script is said, in seconds. */
export type LineTime = { start: number; end: number; certainty: (typeof certainties)[number] };

export type Script = {
  lines: string[];
  /** BCP 47. */
  language: string;
};

/** Decodes, measures and encodes local files, outside of this process. */
export type SoundEngine = {
  /** Name and version of the encoder; undefined when none is installed. */
  version(): Promise<string | undefined>;
  /**
   * Makes listening files of any recording.
   * @param keep gets the files, which are removed when it is done
   */
  process<Result>(
    source: SoundSource,
    work: SoundWork,
    keep: (sound: ProcessedSound) => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | SoundRefusal>;
  /** Measures an existing listening file, leniently. */
  measure(source: SoundSource, work?: SoundWork): Promise<({ ok: true } & RecordingMeasures) | SoundRefusal>;
  /**
   * Finds when the lines of a script are said. Without a synthetic voice for its language, they are spread over the
   * recording by length, to be checked.
   */
  time(
    source: SoundSource,
    script: Script,
    work?: Pick<SoundWork, 'signal' | 'onProgress'>,
  ): Promise<{ ok: true; times: LineTime[] } | SoundRefusal>;
  /**
   * Cuts a recording where it is quiet, into small files for a speech service.
   * @param keep gets the files in their order, which are removed when it is done
   */
  cut<Result>(
    source: SoundSource,
    work: Pick<SoundWork, 'signal' | 'onProgress'>,
    keep: (pieces: SoundPiece[]) => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | SoundRefusal>;
  /**
   * Cuts a part out of a recording, faded at both ends.
   * @param part in seconds
   * @param keep gets the file, which is removed when it is done
   */
  clip<Result>(
    source: SoundSource,
    part: { start: number; seconds: number },
    work: Pick<SoundWork, 'signal'>,
    keep: (file: ProcessedFile) => Promise<Result>,
  ): Promise<{ ok: true; result: Result } | SoundRefusal>;
};

/** A part of a recording, as a file; `start` in seconds of the recording. */
export type SoundPiece = { path: string; start: number };

export type MailMessage = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Same for a repeated mail; becomes its Message-ID. */
  messageMark?: string;
  /** One-click unsubscribe by POST (RFC 8058). */
  unsubscribeUrl?: string;
};

export type Mail = {
  /** Resolves when the message is sent or stored for a retry; callers cannot tell which. */
  send(message: MailMessage): Promise<void>;
  /** Stores the message in the transaction of what it tells; a job sends it within a minute. */
  queue(tx: Db, message: MailMessage): Promise<void>;
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
  /** A square JPEG of 1600 px, for a feed without a picture of its own. */
  drawFeedCover(title: string): Promise<Uint8Array>;
};

/** Web Push: messages to browsers through their makers' push services. */
export type Push = {
  /** VAPID key for `PushManager.subscribe`; base64url. */
  publicKey: string;
  /** Whether an endpoint belongs to a known push service: the site sends to no other address. */
  accepts(endpoint: string): boolean;
  /**
   * Never rejects.
   * @param message.topic at most 32 characters of base64url; a newer push of the same topic replaces one that waits
   */
  send(
    to: { endpoint: string; p256dh: string; auth: string },
    message: { payload: string; topic: string; ttlSeconds: number },
  ): Promise<PushOutcome>;
};

/**
 * `gone`: the subscription has ended; `refused`: never retry this push; `later`: the service was unavailable or asked
 * to wait, and the subscription is still valid.
 */
export type PushOutcome = { is: 'sent' | 'gone' | 'refused' } | { is: 'later'; waitSeconds?: number };

/** A service that writes down what is said. */
export type Speech = {
  /** With its port. */
  host: string;
  /**
   * @param path of a local file @param language BCP 47
   * @throws when it may succeed later
   */
  transcribe(
    path: string,
    language: string,
  ): Promise<{ ok: true; segments: { start: number; end: number; text: string }[] } | { ok: false; reason: 'refused' }>;
};

export type WebLimits = {
  /** Largest size of the decoded answer. */
  bytes: number;
  accept?: string;
  signal?: AbortSignal | undefined;
};

type WebHead = {
  /** After all redirects. */
  url: string;
  /** Media type, as the other machine says. */
  type: string | undefined;
};

type WebRefusalReason = 'address' | 'private' | 'redirects' | 'status' | 'too-large' | 'unreachable' | 'unreadable';

/** Another machine's address that is not asked, or whose answer is not taken. */
export class WebRefusal extends Error {
  readonly reason: WebRefusalReason;
  /** Status of the answer, for `status`. */
  readonly status: number | undefined;

  constructor(reason: WebRefusalReason, detail: string, status?: number) {
    super(detail);
    this.name = 'WebRefusal';
    this.reason = reason;
    this.status = status;
  }

  /** Asking again may succeed. */
  get mayPass(): boolean {
    return this.reason === 'unreachable' || (this.reason === 'status' && (this.status ?? 0) >= 500);
  }
}

/** Machines that somebody else names. Private addresses are never asked. */
export type Web = {
  /** @throws WebRefusal */
  read(address: string, limits: WebLimits): Promise<WebHead & { content: Buffer }>;
  /**
   * Loads a file that exists until `keep` returns.
   * @throws WebRefusal
   */
  download<Result>(
    address: string,
    limits: WebLimits,
    keep: (file: WebHead & { path: string; bytes: number; sha256: string }) => Promise<Result>,
  ): Promise<Result>;
};

/**
 * Opens an archive (ZIP) that somebody sent, with limits of number and size; its files answer like those of the web.
 * @param folder with its slash: the names are those in it; empty: all
 * @throws WebRefusal
 */
export type OpenArchive = (key: string, folder: string) => Promise<ArchiveFiles>;
export type ArchiveFiles = Web & { names: string[]; close(): void };

export type FeedFile = { url: string; type: string | undefined; language?: string | undefined };

/** An item of a feed, cleaned; lengths are those of the catalogue. */
export type FeedItem = {
  guid: string;
  title: string | undefined;
  /** Plain text. */
  description: string;
  /** ISO 8601. */
  publishedAt: string | undefined;
  /** Address of its page. */
  link: string | undefined;
  /** Undefined: there is no file of sound. */
  sound: { url: string; type: string | undefined; bytes: number | undefined } | undefined;
  hasVideo: boolean;
  seconds: number | undefined;
  season: number | undefined;
  episode: number | undefined;
  /** Undefined: the feed does not say. */
  isExplicit: boolean | undefined;
  image: string | undefined;
  transcripts: FeedFile[];
  chapters: FeedFile | undefined;
};

/** A page of a feed. Addresses are absolute, and those of the web. */
export type FeedPage = {
  title: string | undefined;
  /** BCP 47, as the feed says. */
  language: string | undefined;
  /** Address of the feed’s owner; this mailbox alone tells whose feed it is. */
  ownerEmail: string | undefined;
  isLocked: boolean;
  image: string | undefined;
  /** Address of the next page. */
  next: string | undefined;
  items: FeedItem[];
};

/**
 * Reads RSS, Atom, RDF and JSON Feed, in a thread with limits of memory and time.
 * @param url of the feed, which addresses in it relate to; undefined for a file
 * @returns undefined for anything else, or one that takes too much
 */
export type ReadFeed = (content: Buffer, url: string | undefined) => Promise<FeedPage | undefined>;

/** A WebSub hub, which tells podcast apps at once that a feed has changed. */
export type FeedHub = {
  /** @param addresses of feeds @throws when the hub does not take them */
  publish(addresses: string[]): Promise<void>;
};

/** A way there and back through the pages of an OpenID provider. */
export type OpenIdVisit = {
  /** The address that the provider leads back to. */
  returnTo: string;
  state: string;
  nonce: string;
  codeVerifier: string;
};

/** `denied`: the person did not allow it. `invalid`: the answer does not fit the visit. */
export type OpenIdAnswer =
  | { ok: true; claims: Readonly<Record<string, unknown>> }
  | { ok: false; reason: 'denied' | 'invalid' | 'unavailable' };

/** A provider of OpenID Connect that is asked for facts about a person, not for a log-in. */
export type OpenIdProvider = {
  /** The page that the browser goes to; undefined: the provider does not answer. */
  begin(visit: OpenIdVisit): Promise<URL | undefined>;
  /**
   * Reads the claims with these names, and drops the rest.
   * @param back the address that the browser came back to
   */
  finish(back: URL, visit: OpenIdVisit, claims: readonly string[]): Promise<OpenIdAnswer>;
};
