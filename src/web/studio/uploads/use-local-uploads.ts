import { plural, t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import { type LocalUpload, localUploads, noUploads, progressOf, subscribe } from './local-uploads.ts';

/** Files uploading from this document. */
export function useLocalUploads(): readonly LocalUpload[] {
  return useSyncExternalStore(subscribe, localUploads, noUploads);
}

/** `2 uploads, 43%`; undefined without uploads. */
export function useUploadProgress(): string | undefined {
  const progress = progressOf(useLocalUploads());
  return (
    progress &&
    t`${plural({ count: progress.files }, { one: '# upload', other: '# uploads' })}, ${{ percent: progress.percent }}%`
  );
}

/** Current time in milliseconds, rounded to seconds; updates only while `isNeeded`. */
export function useNow(isNeeded: boolean): number {
  return useSyncExternalStore(isNeeded ? eachSecond : never, wholeSeconds, wholeSeconds);
}

function wholeSeconds(): number {
  return Math.floor(Date.now() / 1000) * 1000;
}

function eachSecond(tick: () => void): () => void {
  const timer = setInterval(tick, 1000);
  return () => clearInterval(timer);
}

function never(): () => void {
  return () => {};
}
