import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import type { Transcript } from '#domain/catalogue/editing/transcripts.ts';
import { fittingLanguage } from '#formats/fitting-language.ts';
import type { CallAnswer, LicenceAnswer } from '#offline/device.ts';
import { type DownloadsMark, createDownloads } from '#offline/downloads.ts';
import { coverAddress } from '#offline/files.ts';
import { isStarted } from '#player/playback.ts';
import type { Engine } from '#player/media/engine.ts';
import type { Player } from '#player/player.ts';
import { readRecord } from '#player/stored.ts';
import { answerOf, api } from '../api.ts';
import { browserStore } from '../browser-store.ts';
import { downloadsMark, downloadedSound } from './downloaded-sound.ts';
import { trackOf } from './track-of.ts';

/** The tab's view of its downloads; loaded when there are any, or on request. */
export const tabDownloads = createDownloads({
  calls: {
    addDevice: (): Promise<CallAnswer<LicenceAnswer>> => answerOf(api.user['offline-devices'].$post()),
    renewLicence: (id, audioIds) =>
      answerOf(api.user['offline-devices'][':id'].licence.$post({ param: { id }, json: { audioIds: [...audioIds] } })),
    removeDevice: (id) => answerOf(api.user['offline-devices'][':id'].$delete({ param: { id } })),
    async findOwnDevice() {
      const answer = await answerOf(api.user['offline-devices'].$get());
      return answer.ok ? answer.data.items.find(({ isCurrent }) => isCurrent)?.id : undefined;
    },
    async findTrack(id) {
      const answer = await answerOf(api.audios[':id'].$get({ param: { id } }));
      if (!answer.ok) return answer.code === 'request/not-found' ? undefined : 'unanswered';
      const { source: _source, ...track } = trackOf(answer.data, 'favorites');
      return track;
    },
    async findTranscript(id): Promise<StoredTranscript | undefined> {
      const spoken = await findTranscript(id);
      if (spoken === undefined) return undefined;
      const others = spoken.languages.filter(({ code }) => code !== spoken.language);
      const found = await Promise.all(others.map(({ code }) => findTranscript(id, code)));
      return { ...spoken, translations: found.filter((one) => one !== undefined) };
    },
    async findChapters(id): Promise<Chapter[]> {
      // As of transcripts.
      const answer = await answerOf(
        api.audios[':id'].chapters.$get({ param: { id } }, { init: { cache: 'no-store' } }),
      );
      if (!answer.ok && answer.code !== 'request/not-found') throw new Error(answer.message);
      return answer.ok ? answer.data.chapters : [];
    },
  },
  mark: {
    read: () => readMark(browserStore.get(downloadsMark)),
    write(mark) {
      const text = mark === undefined ? '' : JSON.stringify(mark);
      if (text !== (browserStore.get(downloadsMark) ?? '')) browserStore.set(downloadsMark, text);
    },
  },
  storePage: () => void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage('keep-page')),
});

async function findTranscript(id: string, language?: string): Promise<Transcript | undefined> {
  // The browser's own cache would keep it readable on the disk.
  const init = { cache: 'no-store' } as const;
  const request = { param: { id }, query: { language } };
  const answer = await answerOf(api.audios[':id'].transcript.$get(request, { init }));
  if (!answer.ok && answer.code !== 'request/not-found') throw new Error(answer.message);
  return answer.ok ? answer.data : undefined;
}

/** Older downloads have neither languages nor translations. */
type StoredTranscript = Omit<Transcript, 'languages'> &
  Partial<Pick<Transcript, 'languages'>> & { translations?: Transcript[] };

function transcriptOf(audioId: string, language: string): Transcript | undefined {
  const stored = tabDownloads.find(audioId)?.transcript as StoredTranscript | undefined;
  if (stored === undefined) return undefined;
  const { translations = [], languages = [], ...spoken } = stored;
  const all = [{ ...spoken, languages }, ...translations];
  const fitting = fittingLanguage(
    all.map((one) => one.language),
    language,
  );
  return all.find((one) => one.language === fitting) ?? all[0];
}

// Any call that the site answers shows that the connection is back.
if ('PerformanceObserver' in globalThis)
  new PerformanceObserver((list) => {
    const isAnswer = ({ name, responseStatus, transferSize }: PerformanceResourceTiming) =>
      /\/v\d\/api\//.test(name) && (responseStatus ? responseStatus < 500 : transferSize > 0);
    if (list.getEntries().some((entry) => isAnswer(entry as PerformanceResourceTiming)))
      void tabDownloads.siteAnswered();
  }).observe({ type: 'resource' });

/** Unreadable parts become defaults. */
function readMark(text: string | null): DownloadsMark {
  const { audioIds, isWifiOnly } = readRecord(text);
  const ids = Array.isArray(audioIds) ? audioIds.filter((id) => typeof id === 'string') : [];
  return { audioIds: ids, isWifiOnly: isWifiOnly === true };
}

let opening: { userId: string | null; done: Promise<void> } | undefined;

/** Shared by the player and the list, so that a press in the list comes after the player has adopted the stored sound. */
export function openDownloadsOnce(userId: string | null): Promise<void> {
  if (opening?.userId !== userId) opening = { userId, done: tabDownloads.open(userId) };
  return opening.done;
}

const addressOf = (file: string) => tabDownloads.addressOf(file) ?? file;

function coverOf(imageUrl: string): string | undefined {
  if (!navigator.serviceWorker?.controller) return undefined;
  const { items } = tabDownloads.getSnapshot();
  const item = items.find(({ track, cover }) => cover !== undefined && track.imageUrl === imageUrl);
  return item && coverAddress(item.id);
}

/**
 * Shows stored covers where the site's cannot be loaded: pictures bypass the service worker, which would slow them
 * down. Only attributes change, because React owns the elements.
 * @param coverOf local address of a cover, by its path on the site
 */
function showDownloadedCovers(coverOf: (path: string) => string | undefined): void {
  function show(image: HTMLImageElement): void {
    const stored = coverOf(new URL(image.src, location.href).pathname);
    if (stored === undefined) return;
    for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.srcset = stored;
    image.src = stored;
  }
  // `error` events of elements do not bubble.
  document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && show(target), true);
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) show(image);
}

let showsCovers = false;
let seededFor: string | null | undefined;

Object.assign(downloadedSound, {
  addressOf,
  isOnDevice: ({ audioFileUrl }) => tabDownloads.addressOf(audioFileUrl) !== undefined,
  beforeLogOut: tabDownloads.logOut,
  coverOf,
  transcriptOf,
  chaptersOf: (audioId) => tabDownloads.find(audioId)?.chapters as Chapter[] | undefined,
  report(event) {
    if (event.name === 'audio_progress') void tabDownloads.savePosition(event.trackId, event.position);
    else if (event.name === 'audio_completed') void tabDownloads.savePosition(event.trackId, 0);
  },
} satisfies typeof downloadedSound);

type PlayerParts = {
  engine: Engine;
  player: Pick<Player, 'resumePositionsChanged' | 'notify'>;
  resumePositions: { seed(some: Record<string, number>): void };
  /** Site address of the loaded sound. */
  loadedFile(): string | null;
};

/** Opens this user's downloads. A loaded audio that does not play yet switches to its stored copy. */
export async function openDownloads(userId: string | null, parts: PlayerParts): Promise<void> {
  const { engine, player, resumePositions } = parts;
  await openDownloadsOnce(userId);
  if (!showsCovers) showDownloadedCovers(coverOf);
  showsCovers = true;
  // Set by the service worker (stored-audio-pages.ts); the machine may be online while the site is unreachable.
  if (document.documentElement.hasAttribute('data-kept')) {
    document.documentElement.removeAttribute('data-kept');
    player.notify({ kind: 'stored-page' });
  }
  // Once: afterwards, they could replace a newer position of another device.
  if (seededFor !== userId) {
    seededFor = userId;
    resumePositions.seed(tabDownloads.positions());
    player.resumePositionsChanged();
  }
  const file = parts.loadedFile();
  if (file === null || isStarted(engine.getSnapshot().status)) return;
  const address = addressOf(file);
  // Loading the same file again would turn an ended audio into a paused one.
  if (address === file || document.querySelector(`audio[src="${address}"]`) !== null) return;
  engine.load(address, { startAt: engine.getPosition() });
}

/** Downloads need encryption, a service worker and locks, which browsers offer on https and loopback only. */
export function canDownload(): boolean {
  return (
    globalThis.crypto?.subtle !== undefined &&
    'serviceWorker' in navigator &&
    'locks' in navigator &&
    'caches' in globalThis &&
    'indexedDB' in globalThis
  );
}
