import { plural, t } from '@lingui/core/macro';
import { maxUploadBytes, uploadExtensionOf, uploadExtensions } from '#domain/studio/rules.ts';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';
import { formatSize } from './upload-texts.ts';

/** For the browser's file dialog. */
export const soundFiles = ['audio/*', ...uploadExtensions.map((extension) => `.${extension}`)].join();

const maxHours = 12;
/** Files whose metadata the browser does not read in time are checked by the site only. */
const patience = 3000;

/** @returns why this file cannot become an audio, judged by name and size */
export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (uploadExtensionOf(name) === undefined) {
    const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1];
    return extension === undefined
      ? t`This file’s type is not known. Save it as WAV, FLAC, MP3, M4A or OGG and add it again.`
      : t`This is a ${{ type: extension.toUpperCase() }} file. Save it as WAV, FLAC, MP3, M4A or OGG and add it again.`;
  }
  if (size === 0) return t`This file is empty. Export it again, and add the new file.`;
  if (size <= maxUploadBytes) return undefined;
  const isPlain = /\.wav$/i.test(name);
  return isPlain
    ? t`${{ size: formatSize(size) }} is over the limit of 2 GB. Split it, or save it as FLAC (about ${{ smaller: formatSize(size / 2) }}).`
    : t`${{ size: formatSize(size) }} is over the limit of 2 GB. Split it.`;
}

/** Beginnings of documents, archives and pictures. */
const otherFiles = ['%PDF-', 'PK\u0003\u0004', 'Rar!', '7z\u00BC', '\u00FF\u00D8\u00FF', '\u0089PNG', 'GIF8'];

/** @returns why its content is refused; an MP3 may begin with anything that is not text */
export async function refusalOfContent(file: File): Promise<string | undefined> {
  const content = await file
    .slice(0, 4096)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  const bytes = new Uint8Array(content);
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const isPicture = start.startsWith('RIFF') && /(?:AVI |WEBP)$/.test(start);
  const isText =
    bytes.length > 0 && bytes.every((byte) => (byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d)) && byte < 0xff);
  return isText || isPicture || otherFiles.some((other) => start.startsWith(other))
    ? failureTexts()['not-sound']
    : undefined;
}

/** @returns why its duration is refused, if the browser can read it */
export async function refusalOfLength(file: File): Promise<string | undefined> {
  const seconds = await lengthOf(file);
  return seconds !== undefined && seconds > maxHours * 3600
    ? plural(
        { count: maxHours },
        {
          one: 'This recording is longer than # hour. Split it, and upload the parts.',
          other: 'This recording is longer than # hours. Split it, and upload the parts.',
        },
      )
    : undefined;
}

function lengthOf(file: File): Promise<number | undefined> {
  const audio = document.createElement('audio');
  const url = URL.createObjectURL(file);
  return new Promise<number | undefined>((resolve) => {
    const timer = setTimeout(resolve, patience);
    const done = (seconds?: number) => {
      clearTimeout(timer);
      resolve(seconds !== undefined && Number.isFinite(seconds) ? seconds : undefined);
    };
    audio.addEventListener('loadedmetadata', () => done(audio.duration), { once: true });
    audio.addEventListener('error', () => done(), { once: true });
    audio.preload = 'metadata';
    audio.src = url;
  }).finally(() => {
    audio.removeAttribute('src');
    URL.revokeObjectURL(url);
  });
}

/** False when it was moved or changed since it was chosen. */
export async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
