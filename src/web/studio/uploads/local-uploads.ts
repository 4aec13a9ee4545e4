import type { UploadChoices } from '#domain/studio/rules.ts';
import { createListeners } from '#player/listeners.ts';

/** The files uploading from this document, for the rows and the counter. */

export type UploadPhase =
  | { is: 'checking' }
  | { is: 'waiting' }
  | { is: 'uploading' }
  /** Time of the next automatic retry (milliseconds since 1970). */
  | { is: 'lost'; retryAt: number; reason: string }
  | { is: 'paused'; reason?: string }
  /** The site has the whole file; the site's list shows what follows. */
  | { is: 'arrived' }
  | { is: 'refused'; reason: string; canRetry: boolean };

export type LocalUpload = {
  /** Unique within this document. */
  key: number;
  /** The site's id; undefined until the site has created the upload. */
  id: string | undefined;
  voiceId: string;
  file: File;
  title: string;
  choices: UploadChoices;
  /** Audio whose file it replaces. */
  replaces: string | undefined;
  phase: UploadPhase;
  /** This tab has held the file; otherwise its upload may belong to another tab, or another row. */
  wasHeld: boolean;
  /** Bytes sent. */
  sent: number;
  /** Bytes per second, recently; undefined until measured. */
  rate: number | undefined;
  /** Percent from which an earlier upload was resumed. */
  resumedAt: number | undefined;
};

let entries: readonly LocalUpload[] = [];
const changes = createListeners();
const announcements = createListeners<[text: string]>();

export const subscribe = changes.subscribe;

/** @returns the same list until something changes */
export function localUploads(): readonly LocalUpload[] {
  return entries;
}

const none: readonly LocalUpload[] = [];
export function noUploads(): readonly LocalUpload[] {
  return none;
}

export const onAnnounce = announcements.subscribe;

/** Number of uploading files, and their total progress in percent; undefined without any. */
export function progressOf(list: readonly LocalUpload[]): { files: number; percent: number } | undefined {
  const going = list.filter(({ phase }) => ['checking', 'waiting', 'uploading', 'lost'].includes(phase.is));
  if (going.length === 0) return undefined;
  const bytes = going.reduce((sum, { file }) => sum + file.size, 0);
  const sent = going.reduce((sum, entry) => sum + entry.sent, 0);
  return { files: going.length, percent: Math.floor((sent * 100) / Math.max(1, bytes)) };
}

export function entryOf(key: number): LocalUpload | undefined {
  return entries.find((entry) => entry.key === key);
}

export function change(key: number, changed: Partial<LocalUpload>): void {
  entries = entries.map((entry) => (entry.key === key ? { ...entry, ...changed } : entry));
  changes.emit();
}

/** Announces ends and failures to a live region. */
export const announce = announcements.emit;

export function addUploads(added: readonly LocalUpload[]): void {
  entries = [...entries, ...added];
  changes.emit();
}

export function dropUpload(key: number): void {
  entries = entries.filter((entry) => entry.key !== key);
  changes.emit();
}
