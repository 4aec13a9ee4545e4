import { browserStore } from '../browser-store.ts';

/** Under the prefix of what a log-out removes. */
const key = 'sotto_uploads';
/** The site keeps half a file as long. */
const mostAge = 7 * 24 * 60 * 60 * 1000;

type Remembered = Record<string, { id: string; at: number }>;

/** The same file of the same device, as far as a browser can tell: nobody reads 2 GB to find out. */
export function fingerprintOf(file: File, voiceId: string, replaces: string | undefined): string {
  return [voiceId, replaces ?? '', file.name, file.size, file.lastModified].join(' ');
}

/** @returns the id of the upload that this file belongs to */
export function recallUpload(fingerprint: string): string | undefined {
  return read()[fingerprint]?.id;
}

export function rememberUpload(fingerprint: string, id: string): void {
  write({ ...read(), [fingerprint]: { id, at: Date.now() } });
}

export function forgetUpload(fingerprint: string): void {
  const { [fingerprint]: _gone, ...rest } = read();
  write(rest);
}

function read(): Remembered {
  try {
    const all = JSON.parse(browserStore.get(key) ?? '{}') as Remembered;
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => Date.now() - at < mostAge));
  } catch {
    return {};
  }
}

function write(all: Remembered): void {
  browserStore.set(key, Object.keys(all).length === 0 ? '' : JSON.stringify(all));
}
