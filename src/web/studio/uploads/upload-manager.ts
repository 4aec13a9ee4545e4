import { t } from '@lingui/core/macro';
import type { DetailedError, Upload } from 'tus-js-client';
import { type UploadChoices, titleOfFile } from '#domain/studio/rules.ts';
import { browserLimits } from '#player/browser-limits.ts';
import { answerOf, api } from '../../api.ts';
import { isReadable, refusalOf, refusalOfContent, refusalOfLength } from './check-upload-file.ts';
import { holdFile, releaseFile } from './hold-file.ts';
import {
  type LocalUpload,
  addUploads,
  announce,
  change,
  dropUpload,
  entryOf,
  localUploads,
  progressOf,
  subscribe,
} from './local-uploads.ts';
import { fingerprintOf, forgetUpload, recallUpload, rememberUpload } from './remembered-uploads.ts';
import { nextPart } from './upload-parts.ts';
import { dropToken, errorIn, metadataOf, sessionToken } from './upload-request.ts';

/**
 * Files uploading from this document. Lives as long as the document, so that uploads continue during navigation within
 * the site; loaded by the Studio's pages only.
 */

export type NewUpload = {
  voiceId: string;
  choices: UploadChoices;
  replaces?: string | undefined;
  title?: string;
  /** A stopped upload of the same file; absent: this device knows, or a new one begins. */
  id?: string | undefined;
};

/** Concurrent uploads. */
export const maxAtOnce = 2;
const retryDelays = [2, 4, 8, 15, 30];
const rateWindowMs = 5000;

let nextKey = 1;
let ownerId: string | undefined;
/** State of a running upload. */
type Running = {
  upload: Upload | undefined;
  stop: AbortController;
  samples: { at: number; sent: number }[];
  failures: number;
  /** Bytes that the site has confirmed; undefined before its first answer. */
  accepted: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  partBegan: number;
  /** Runs while a request is under way; each sign of the site starts it again. */
  silence: ReturnType<typeof setTimeout> | undefined;
};
const running = new Map<number, Running>();

/** Another user logged in: uploads of the previous user stop, and that user can resume them. */
export function belongTo(userId: string): void {
  if (ownerId !== undefined && ownerId !== userId) for (const { key } of localUploads()) dismiss(key);
  ownerId = userId;
}

/** @returns false when one of them is refused at once */
export async function addFiles(
  files: Iterable<File>,
  { voiceId, choices, replaces, title, id }: NewUpload,
): Promise<boolean> {
  const added = [...files].map((file): LocalUpload => {
    const fingerprint = fingerprintOf(file, voiceId, replaces);
    const isTwice = localUploads().some(
      (other) =>
        other.phase.is !== 'refused' &&
        fingerprintOf(other.file, other.voiceId, other.replaces) === fingerprint &&
        other.phase.is !== 'arrived',
    );
    const reason = isTwice ? t`This file is in the list already.` : refusalOf(file);
    return {
      key: nextKey++,
      id,
      voiceId,
      file,
      title: title ?? titleOfFile(file.name),
      choices,
      replaces,
      phase: reason === undefined ? { is: 'checking' } : { is: 'refused', reason, canRetry: false },
      wasHeld: false,
      sent: 0,
      rate: undefined,
      resumedAt: undefined,
    };
  });
  addUploads(added);
  // All of them, before any is sent.
  const refused = await Promise.all(added.map(({ file, phase }) => phase.is === 'checking' && refusalOfContent(file)));
  for (const [index, reason] of refused.entries()) {
    const key = added[index]?.key;
    if (key !== undefined && reason && entryOf(key)?.phase.is === 'checking') refuse(key, reason, false);
  }
  for (const { key, file, phase } of added) {
    if (phase.is === 'refused') announce(refusedText(file, phase.reason));
    if (phase.is !== 'checking') continue;
    if (entryOf(key)?.phase.is !== 'checking') continue;
    const reason = await refusalOfLength(file);
    if (entryOf(key)?.phase.is !== 'checking') continue;
    if (reason === undefined) change(key, { phase: { is: 'waiting' } });
    else refuse(key, reason, false);
    startNext();
  }
  return added.every(({ key }) => entryOf(key)?.phase.is !== 'refused');
}

export function pause(key: number): void {
  const entry = entryOf(key);
  if (entry === undefined || !['waiting', 'checking', 'uploading', 'lost'].includes(entry.phase.is)) return;
  halt(key);
  releaseFile(key);
  change(key, { phase: { is: 'paused' }, rate: undefined });
  startNext();
}

/** Continues at once, before queued files. */
export function resume(key: number): void {
  const entry = entryOf(key);
  if (entry === undefined) return;
  halt(key);
  change(key, { phase: { is: 'waiting' } });
  if (underWay() < maxAtOnce) void start(key);
}

export function pauseAll(): void {
  for (const { key } of localUploads()) pause(key);
}

export function resumeAll(): void {
  for (const { key, phase } of localUploads()) if (phase.is === 'paused') change(key, { phase: { is: 'waiting' } });
  startNext();
}

/** Removes it from the list, and cancels it on the site when this tab has sent it. */
export async function cancel(key: number): Promise<void> {
  const entry = entryOf(key);
  if (entry === undefined) return;
  dismiss(key);
  startNext();
  if (!entry.wasHeld) return;
  forgetUpload(fingerprintOf(entry.file, entry.voiceId, entry.replaces));
  // If this fails, the site removes the file after a week.
  if (entry.id !== undefined) await answerOf(api.studio.uploads[':id'].$delete({ param: { id: entry.id } }));
}

/** Removes it from this document's list. */
export function dismiss(key: number): void {
  halt(key);
  releaseFile(key);
  dropUpload(key);
}

/** @returns the site's error message */
export async function rename(key: number, title: string): Promise<string | undefined> {
  const entry = entryOf(key);
  const text = title.trim();
  if (entry === undefined || text === '' || text === entry.title) return undefined;
  change(key, { title: text });
  if (entry.id === undefined) return undefined;
  const answer = await answerOf(api.studio.uploads[':id'].$patch({ param: { id: entry.id }, json: { title: text } }));
  return answer.ok ? undefined : answer.message;
}

/** While offline, no further file starts. */
function underWay(): number {
  return localUploads().filter(({ phase }) => phase.is === 'uploading' || phase.is === 'lost').length;
}

function startNext(): void {
  while (underWay() < maxAtOnce) {
    const next = localUploads().find(({ phase }) => phase.is === 'waiting');
    if (next === undefined) return;
    void start(next.key);
  }
}

function refuse(key: number, reason: string, canRetry: boolean): void {
  const entry = entryOf(key);
  halt(key);
  releaseFile(key);
  change(key, { phase: { is: 'refused', reason, canRetry }, rate: undefined });
  if (entry !== undefined) announce(refusedText(entry.file, reason));
  startNext();
}

function refusedText({ name }: File, reason: string): string {
  return t`${name} was refused. ${reason}`;
}

/** Stops the transfer; received bytes stay on the site. */
function halt(key: number): void {
  const one = running.get(key);
  if (one === undefined) return;
  running.delete(key);
  clearTimeout(one.timer);
  clearTimeout(one.silence);
  one.stop.abort();
  void one.upload?.abort();
}

async function start(key: number): Promise<void> {
  const entry = entryOf(key);
  if (entry === undefined) return;
  const failures = running.get(key)?.failures ?? 0;
  halt(key);
  const stop = new AbortController();
  const one: Running = {
    upload: undefined,
    stop,
    samples: [],
    failures,
    accepted: undefined,
    timer: undefined,
    partBegan: 0,
    silence: undefined,
  };
  running.set(key, one);
  change(key, { phase: { is: 'uploading' } });
  const fingerprint = fingerprintOf(entry.file, entry.voiceId, entry.replaces);
  if (!(await holdFile(key, fingerprint)))
    return refuse(key, t`This file is being uploaded in another tab or window.`, true);
  if (stop.signal.aborted) return;
  change(key, { wasHeld: true });
  const module = await import('tus-js-client').catch(() => undefined);
  if (stop.signal.aborted) return;
  if (module === undefined) return lose(key, t`Connection lost`);
  const id = entry.id ?? (await recallUpload(fingerprint));
  if (stop.signal.aborted) return;
  // Without an endpoint, the client does not start a new upload by itself when the site does not know this one.
  const where = id === undefined ? { endpoint: '/uploads' } : { uploadUrl: `/uploads/${id}` };
  const upload = new module.Upload(entry.file, {
    ...where,
    metadata: metadataOf(entry),
    chunkSize: 1024 * 1024,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onBeforeRequest: async (request) => {
      const token = await sessionToken();
      if (token !== undefined) request.setHeader('Authorization', `Bearer ${token}`);
      one.partBegan = performance.now();
      expectSign(key, one);
    },
    onUploadUrlAvailable: () => {
      const known = upload.url?.slice(upload.url.lastIndexOf('/') + 1);
      if (known === undefined || stop.signal.aborted) return;
      rememberUpload(fingerprint, known);
      change(key, { id: known });
      void sendNewerTitle(key, known, entry.title);
    },
    onProgress: (sent) => {
      if (stop.signal.aborted) return;
      expectSign(key, one);
      const now = performance.now();
      if (one.samples.length === 0 && id !== undefined && entry.sent === 0 && sent > 0)
        change(key, { resumedAt: Math.floor((sent * 100) / entry.file.size) });
      // The first event tells the offset of the resumed upload.
      one.accepted ??= sent;
      one.samples = [...one.samples.filter(({ at }) => now - at < rateWindowMs), { at: now, sent }];
      showProgress(key, one, sent);
    },
    onChunkComplete: (bytes, accepted) => {
      one.failures = 0;
      one.accepted = accepted;
      const seconds = Math.max(0.05, (performance.now() - one.partBegan) / 1000);
      upload.options.chunkSize = nextPart(bytes, seconds);
    },
    onSuccess: () => {
      if (stop.signal.aborted) return;
      forgetUpload(fingerprint);
      halt(key);
      releaseFile(key);
      change(key, { phase: { is: 'arrived' }, sent: entry.file.size, rate: undefined });
      announce(t`${{ file: entry.file.name }} has arrived`);
      startNext();
    },
    onError: (error) => void (stop.signal.aborted || fail(key, fingerprint, error as DetailedError, id)),
  });
  one.upload = upload;
  upload.start();
}

/** The client itself waits for ever for a site that accepts the connection and does not answer. */
function expectSign(key: number, one: Running): void {
  clearTimeout(one.silence);
  if (one.stop.signal.aborted) return;
  one.silence = setTimeout(() => {
    void one.upload?.abort();
    lose(key, t`The site does not answer`);
  }, browserLimits.upload);
}

/** Batched updates, at most ten per second. */
function showProgress(key: number, one: Running, sent: number): void {
  const shown = entryOf(key);
  const [first, last] = [one.samples[0], one.samples.at(-1)];
  const seconds = first && last ? (last.at - first.at) / 1000 : 0;
  const rate = first && last && seconds > 1 ? (last.sent - first.sent) / seconds : shown?.rate;
  if (shown === undefined || (Math.abs(sent - shown.sent) < shown.file.size / 500 && rate === shown.rate)) return;
  change(key, { sent, rate });
}

/** A title typed while the upload was being created on the site. */
async function sendNewerTitle(key: number, id: string, sentTitle: string): Promise<void> {
  const title = entryOf(key)?.title;
  if (title !== undefined && title !== sentTitle)
    await answerOf(api.studio.uploads[':id'].$patch({ param: { id }, json: { title } }));
}

async function fail(key: number, fingerprint: string, error: DetailedError, id: string | undefined): Promise<void> {
  const entry = entryOf(key);
  if (entry === undefined) return;
  const response = error.originalResponse ?? undefined;
  const status = response?.getStatus() ?? 0;
  const { code, message } = errorIn(response?.getBody());
  if (status === 401) {
    dropToken();
    halt(key);
    releaseFile(key);
    change(key, { phase: { is: 'paused', reason: t`You are logged out. Log in, then resume.` }, rate: undefined });
    announce(t`${{ file: entry.file.name }} is paused, because you are logged out`);
    return;
  }
  // Without the header it is a proxy's error page, which says nothing about the upload.
  const isMissing = (status === 404 || status === 410) && Boolean(response?.getHeader('Tus-Resumable'));
  if (isMissing) {
    forgetUpload(fingerprint);
    // Remembered from an earlier visit, but removed since: starts over.
    if (id !== undefined && entry.id === undefined) return start(key);
    return refuse(key, t`This upload was removed, or you no longer manage this creator.`, false);
  }
  if (status === 0 && !(await isReadable(entry.file)))
    return refuse(key, t`This file was changed or moved since you chose it. Choose it again.`, false);
  const passes = status === 0 || status >= 500 || [404, 408, 409, 410, 423, 429].includes(status);
  if (!passes || code === 'upload/too-many' || code === 'upload/daily-limit')
    return refuse(key, message ?? t`The site refused this file.`, code?.startsWith('upload/') ?? false);
  if (status === 0) return lose(key, t`Connection lost`);
  return lose(key, code === 'upload/no-space' ? (message ?? '') : t`The site does not answer`);
}

/** Retries automatically, with growing delays. */
function lose(key: number, reason: string): void {
  const one = running.get(key);
  const entry = entryOf(key);
  if (one === undefined || entry === undefined) return;
  clearTimeout(one.silence);
  const seconds = retryDelays[Math.min(one.failures, retryDelays.length - 1)] ?? 30;
  if (one.failures === 0) announce(t`${{ file: entry.file.name }}: ${reason}. It retries automatically.`);
  one.failures += 1;
  one.samples = [];
  change(key, {
    phase: { is: 'lost', retryAt: Date.now() + seconds * 1000, reason },
    sent: one.accepted ?? entry.sent,
    rate: undefined,
  });
  one.timer = setTimeout(() => void start(key), seconds * 1000);
}

let isAsking = false;
subscribe(() => askBeforeLeaving(progressOf(localUploads()) !== undefined));

function askBeforeLeaving(isActive: boolean): void {
  if (isActive === isAsking) return;
  isAsking = isActive;
  if (isActive) {
    addEventListener('beforeunload', ask);
    addEventListener('online', retryNow);
  } else {
    removeEventListener('beforeunload', ask);
    removeEventListener('online', retryNow);
  }
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** The connection is back. */
function retryNow(): void {
  for (const { key, phase } of localUploads()) if (phase.is === 'lost') void start(key);
}
