import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type IAudioMetadata, parseFile } from 'music-metadata';
import { readDigitalSource } from '#domain/catalogue/rules.ts';
import type { AudioTags, SoundFile, SoundFileResult } from '#domain/gateways.ts';
import { reachesItsEnd } from './flac-end.ts';
import { hashFile } from './local-files.ts';
import { measureMp3 } from './mp3-frames.ts';
import { isStillPicture, readMp4Tracks } from './mp4-tracks.ts';

type Family = 'mp3' | 'mp4' | 'ogg' | 'flac' | 'wav';

/** Allowed file extensions by content; the tag reader and browsers' downloads rely on the extension. */
const extensions: Record<Family, readonly string[]> = {
  mp3: ['.mp3'],
  mp4: ['.m4a', '.mp4'],
  ogg: ['.ogg', '.oga', '.opus'],
  flac: ['.flac'],
  wav: ['.wav'],
};

/** File names worth trying; the import ignores other files of a folder. */
export const audioExtensions: ReadonlySet<string> = new Set(Object.values(extensions).flat());

const familyNames: Record<Family, string> = { mp3: 'MP3', mp4: 'MP4', ogg: 'Ogg', flac: 'FLAC', wav: 'WAV' };

const mimes: Record<SoundFile['extension'], string> = {
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.flac': 'audio/flac',
  '.wav': 'audio/wav',
};

export function openAudioTags(): AudioTags {
  return { read: readSoundFile };
}

async function readSoundFile(path: string): Promise<SoundFileResult> {
  const damaged = (detail: string): SoundFileResult => ({ ok: false, reason: 'damaged', detail });
  const notPlayable = (detail: string): SoundFileResult => ({ ok: false, reason: 'not-playable', detail });

  let family: Family | undefined;
  let start: number;
  let bytes: number;
  let sha256: string;
  try {
    ({ size: bytes } = await stat(path));
    if (bytes === 0) return damaged('is empty');
    ({ family, start } = await recognise(path));
    sha256 = await hashFile(path);
  } catch (error) {
    return {
      ok: false,
      reason: 'unreadable',
      detail: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    };
  }

  if (family === undefined) return damaged('is not a sound file');
  const name = extname(path).toLowerCase();
  if (!extensions[family].includes(name))
    return notPlayable(`holds ${familyNames[family]}, which its name does not say; rename it`);

  let metadata: IAudioMetadata;
  try {
    metadata = await parseFile(path, { duration: family !== 'mp3' });
  } catch {
    return damaged('is damaged: its parts do not fit together');
  }
  const { codec = '', hasVideo } = metadata.format;
  const extension = extensionOf(family, codec);
  // Editors store covers as tracks too.
  if (hasVideo === true && readMp4Tracks(path).some((track) => track.kind === 'vide' && !isStillPicture(track)))
    return notPlayable('is a video');
  if (extension === undefined)
    return notPlayable(
      codec === ''
        ? 'holds no sound'
        : `is coded in ${codec}, which not every browser plays; convert it to MP3, AAC or Opus`,
    );
  const measured = await measure(path, family, start, metadata);
  const durationMs = Math.round(measured.seconds * 1000);
  if (durationMs < 1) return damaged('is damaged: it has no length');
  // The database holds at most 24 days; a longer claim is an error.
  if (durationMs > 2_000_000_000) return damaged('is damaged: it claims an impossible length');

  const { common } = metadata;
  const file: SoundFile = {
    sha256,
    bytes,
    mime: mimes[extension],
    extension,
    durationMs,
    endsEarly: measured.isCutShort,
    title: mendText(common.title),
    artist: mendText(common.artist),
    albumArtist: mendText(common.albumartist),
    album: mendText(common.album),
    track: common.track.no ?? undefined,
    disk: common.disk.no ?? undefined,
    genres: (common.genre ?? []).flatMap((genre) => mendText(genre) ?? []),
    description: mendText(findDescription(metadata)),
    syntheticVoice: commentsIn(metadata)
      .map(readDigitalSource)
      .find((found) => found !== undefined),
    picture: (common.picture?.find((picture) => picture.type === 'Cover (front)') ?? common.picture?.[0])?.data,
  };
  return { ok: true, file };
}

/** @returns the format of the content, and its start in bytes: after an ID3 tag, if there is one */
async function recognise(path: string): Promise<{ family: Family | undefined; start: number }> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(12);
    const readAt = async (start: number) => head.subarray(0, (await file.read(head, 0, head.length, start)).bytesRead);
    const first = await readAt(0);
    if (first.toString('latin1', 0, 3) !== 'ID3' || first.length < 10) return { family: familyOf(first), start: 0 };
    // The tag's length has seven bits to a byte (ID3v2.4, 3.1).
    const start = 10 + first.subarray(6, 10).reduce((length, byte) => length * 128 + (byte & 0x7f), 0);
    return { family: familyOf(await readAt(start)) ?? 'mp3', start };
  } finally {
    await file.close();
  }
}

function familyOf(head: Buffer): Family | undefined {
  const text = head.toString('latin1');
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WAVE') return 'wav';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.slice(4, 8) === 'ftyp') return 'mp4';
  // A frame header: eleven bits of sync, and layer III (ISO/IEC 11172-3, 2.4.1.3).
  const [first = 0, second = 0] = head;
  return first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) === 0x02 ? 'mp3' : undefined;
}

/** @returns undefined for a codec that some browser does not play */
function extensionOf(family: Family, codec: string): SoundFile['extension'] | undefined {
  if (family === 'mp3') return /^MPEG [\d.]+ Layer 3$/.test(codec) ? '.mp3' : undefined;
  if (family === 'mp4') return /^MPEG-4\/AAC\b[^+]*$/.test(codec) ? '.m4a' : undefined;
  if (family === 'ogg') return codec === 'Opus' ? '.opus' : codec.startsWith('Vorbis') ? '.ogg' : undefined;
  if (family === 'flac') return codec === 'FLAC' ? '.flac' : undefined;
  return codec === 'PCM' || codec === 'IEEE_FLOAT' ? '.wav' : undefined;
}

/** The reader does not fail on a truncated file but reports it in its warnings. */
function isCutShort({ quality }: IAudioMetadata): boolean {
  return quality.warnings.some(({ message }) =>
    /End-of-stream reached before|data chunk length exceeding file length/.test(message),
  );
}

async function measure(
  path: string,
  family: Family,
  start: number,
  metadata: IAudioMetadata,
): Promise<{ seconds: number; isCutShort: boolean }> {
  if (family === 'mp3') return measureMp3(path, start);
  const isShort = isCutShort(metadata) || (family === 'flac' && !(await reachesItsEnd(path, start)));
  const { duration = 0 } = metadata.format;
  // The tag reader does not know edit lists.
  const edited = family === 'mp4' ? readMp4Tracks(path).find(({ kind }) => kind === 'soun')?.seconds : undefined;
  return { seconds: edited ?? duration, isCutShort: isShort };
}

function commentsIn({ common }: IAudioMetadata): string[] {
  return (common.comment ?? []).flatMap(({ text }) => (text?.trim() ? [text] : []));
}

function findDescription(metadata: IAudioMetadata): string | undefined {
  const { common, native } = metadata;
  const comment = commentsIn(metadata).find((text) => readDigitalSource(text) === undefined);
  const standard = common.description?.[0] ?? common.longDescription ?? comment;
  if (standard !== undefined) return standard;
  // Some programs write an MP3's comment into a non-standard field.
  const own = Object.values(native)
    .flat()
    .find(({ id, value }) => /^TXXX:(comment|description)$/i.test(id) && typeof value === 'string');
  return own?.value as string | undefined;
}

/** Old tag formats do not state their encoding: UTF-8 comes out as Latin-1 (`Ã¶` for `ö`). */
function mendText(text: string | undefined): string | undefined {
  if (text === undefined || !/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
