import { createListeners } from '#player/listeners.ts';
import { timedHead } from '#player/browser-limits.ts';
import { openChannel } from './open-channel.ts';
import { createAttempts } from './attempts.ts';
import { createRetryWhenOnline } from './retry-when-online.ts';
import { connection, waitsForWifi } from './connection.ts';
import { read, write } from './database.ts';
import type { EndReason, OfflineCalls } from './device.ts';
import { deleteEverything, keepLicence, readVerdict, renew } from './device.ts';
import { downloadFile } from './download-file.ts';
import { keepExtras } from './extras.ts';
import { countChunks, isDiskFull, removeFiles, soundAddress } from './files.ts';
import { readLicence } from './licence.ts';
import type { Verdict } from './licence.ts';
import { readPlaces, writePlaces } from './places.ts';
import type { FailureReason, KeptAudio, KeptTrack } from './records.ts';
import { readRecord, readRecords, removeRecord, writeRecord } from './records.ts';
import { readKey } from './sealing.ts';

export type DownloadsSnapshot = {
  isOpen: boolean;
  items: readonly KeptAudio[];
  verdict: Verdict;
  /** Milliseconds since 1970. */
  licenceEnd: number | undefined;
  /** Set after everything was deleted. */
  ended: EndReason | undefined;
  isWifiOnly: boolean;
  /** Downloads wait for Wi-Fi. */
  waitsForWifi: boolean;
  /** Bytes that the browser still grants this site; undefined when unknown. */
  spaceLeft: number | undefined;
};

/** The audios that this device downloads. Stored apart from the downloads, which the browser may delete. */
export type DownloadsMark = { audioIds: readonly string[]; isWifiOnly: boolean };

export type DownloadsParts = {
  calls: OfflineCalls;
  /** Pages with a mark load this code. */
  mark: { read(): DownloadsMark; write(mark: DownloadsMark | undefined): void };
  /** Asks the service worker to store the pages that work offline. */
  storePage(): void;
};

const settingsName = 'settings';
/** Audios in one renewal (the API's limit). */
const maxIdsPerRequest = 1000;
/** Tabs may stay open and online for longer than a licence. */
const renewAfterMs = 24 * 60 * 60 * 1000;
/** A download that keeps failing while other calls succeed is tried again this often. */
const retryAfterMs = 60 * 1000;

const nothing: DownloadsSnapshot = {
  isOpen: false,
  items: [],
  verdict: 'none',
  licenceEnd: undefined,
  ended: undefined,
  isWifiOnly: false,
  waitsForWifi: false,
  spaceLeft: undefined,
};

type AddOutcome = { ok: true; added: number } | { ok: false; message: string };

function withoutSpace(item: KeptAudio): KeptAudio {
  const isRunning = item.state === 'loading' || item.state === 'waiting';
  return isRunning ? { ...item, state: 'paused', failure: 'no-space' } : item;
}

/** Downloads on this device: one tab downloads, all tabs show the state. */
export function createDownloads({ calls, mark, storePage }: DownloadsParts) {
  const changes = createListeners();
  const channel = openChannel('kept');
  let snapshot = nothing;
  let stop: { id: string; controller: AbortController } | undefined;
  let isQueued = false;
  let renewedAt = 0;
  let retriedAt = 0;
  const attempts = createAttempts();
  let places: Awaited<ReturnType<typeof readPlaces>> = {};
  const site = createRetryWhenOnline(goOnline);

  function publish(changed: Partial<DownloadsSnapshot>): void {
    snapshot = { ...snapshot, ...changed };
    changes.emit();
  }

  function notifyOtherTabs(): void {
    channel?.postMessage('changed');
  }

  async function reload(): Promise<void> {
    const key = await readKey();
    const [items, { verdict, expiresAt }, settings, estimate] = await Promise.all([
      key === undefined ? [] : readRecords(key),
      readVerdict(),
      read<{ isWifiOnly?: boolean }>('state', settingsName),
      navigator.storage?.estimate?.().catch(() => undefined),
    ]);
    const { quota, usage } = estimate ?? {};
    const isWifiOnly = settings?.isWifiOnly === true;
    if (items.length > 0) mark.write({ audioIds: items.map(({ track }) => track.id), isWifiOnly });
    publish({
      isOpen: true,
      items,
      verdict,
      licenceEnd: expiresAt,
      isWifiOnly,
      waitsForWifi: waitsForWifi(isWifiOnly),
      spaceLeft: quota === undefined || usage === undefined ? undefined : Math.max(0, quota - usage),
    });
    if (stop !== undefined && items.find(({ id }) => id === stop?.id)?.state !== 'loading') stop.controller.abort();
  }

  /** Changes one record; another tab may change it at the same time. */
  function change(id: string, make: (record: KeptAudio) => KeptAudio | undefined): Promise<void> {
    return navigator.locks.request('kept-records', async () => {
      const key = await readKey();
      const record = key && (await readRecord(key, id));
      const changed = record && make(record);
      if (key === undefined || changed === undefined) return;
      await writeRecord(key, changed);
      publish({ items: snapshot.items.map((item) => (item.id === id ? changed : item)) });
    });
  }

  /** Opens this user's downloads; another user's are deleted. @param userId null for a visitor */
  async function open(userId: string | null): Promise<void> {
    const licence = await readLicence();
    if (licence !== undefined && licence.userId !== userId) return end('logged-out');
    if (licence === undefined) {
      await reload();
      return noticeLoss();
    }
    places = await readPlaces();
    await findEvicted();
    await reload();
    if (navigator.onLine) site.now();
  }

  /** Renews the licence, or deletes everything; deletes what is gone, and resumes waiting downloads. */
  async function goOnline(): Promise<'answered' | 'unanswered'> {
    attempts.forgetAll();
    const licence = await readLicence();
    if (licence === undefined) return 'answered';
    renewedAt = Date.now();
    const audioIds = snapshot.items.slice(0, maxIdsPerRequest).map(({ track }) => track.id);
    const outcome = await renew(calls, licence, audioIds);
    if (typeof outcome === 'string' && outcome !== 'unanswered') {
      // Otherwise the next page would take the empty device for one whose browser deleted everything.
      if (outcome === 'no-subscription') await calls.removeDevice(licence.deviceId);
      await end(outcome);
    } else {
      if (outcome !== 'unanswered') await deleteGone(new Set(outcome.gone));
      storePage();
      await reload();
      await retryFailed();
      void work();
    }
    return outcome === 'unanswered' ? outcome : 'answered';
  }

  /** Downloads that failed for their network are queued again. */
  async function retryFailed(): Promise<void> {
    retriedAt = Date.now();
    for (const { id, failure } of snapshot.items)
      if (failure === 'network') {
        attempts.forget(id);
        await change(id, (item) => (item.state === 'failed' ? { ...item, state: 'waiting' } : undefined));
      }
  }

  /** The site has answered some call. */
  async function siteAnswered(): Promise<void> {
    const hasFailed = snapshot.items.some(({ state, failure }) => state === 'failed' && failure === 'network');
    if (!hasFailed || Date.now() - retriedAt < retryAfterMs) return;
    await retryFailed();
    notifyOtherTabs();
    void work();
  }

  /** The list still has them, with the reason. */
  async function deleteGone(gone: ReadonlySet<string>): Promise<void> {
    for (const { id, track, failure } of snapshot.items) {
      if (!gone.has(track.id) || failure === 'refused') continue;
      if (stop?.id === id) stop.controller.abort();
      await change(id, ({ addedAt }) => ({ id, track, addedAt, state: 'failed', failure: 'refused' }));
      await removeFiles(id);
      notifyOtherTabs();
    }
  }

  /** The site knows this device, but it is empty: the browser deleted everything at once. It is downloaded again. */
  async function noticeLoss(): Promise<void> {
    if (!navigator.onLine) return;
    const lostDevice = await withDevice(async () =>
      (await readLicence()) === undefined ? calls.findOwnDevice() : undefined,
    );
    if (lostDevice === undefined) return;
    const { audioIds, isWifiOnly } = mark.read();
    const tracks: KeptTrack[] = [];
    for (const id of audioIds) {
      const track = await calls.findTrack(id);
      // Offline again: the next page tries.
      if (track === 'unanswered') return;
      if (track !== undefined) tracks.push(track);
    }
    if (isWifiOnly) await write('state', settingsName, { isWifiOnly });
    if (tracks.length === 0 || !(await add(tracks)).ok) {
      await calls.removeDevice(lostDevice);
      mark.write(undefined);
    }
    publish({ ended: 'evicted' });
  }

  /** One tab at a time: a device registered by another tab has no licence here until its answer has arrived. */
  function withDevice<Result>(act: () => Promise<Result>): Promise<Result> {
    return navigator.locks.request('kept-device', act);
  }

  /** Files that the browser deleted are downloaded again. */
  async function findEvicted(): Promise<void> {
    const key = await readKey();
    if (key === undefined) return;
    const counts = await countChunks();
    for (const { id, state, file } of await readRecords(key))
      if (state === 'kept' && file !== undefined && (counts.get(id) ?? 0) < file.chunks) {
        await removeFiles(id);
        await change(id, (item) => ({ ...item, state: 'waiting', failure: 'evicted', file: undefined }));
      }
  }

  async function end(reason: EndReason): Promise<void> {
    stop?.controller.abort();
    await deleteEverything();
    mark.write(undefined);
    places = {};
    publish({ ...nothing, isOpen: true, ended: reason });
    notifyOtherTabs();
  }

  async function register(): Promise<{ ok: true; key: CryptoKey } | { ok: false; message: string }> {
    const answer = await calls.addDevice();
    if (!answer.ok) return { ok: false, message: answer.message };
    const key = await readKey({ isMade: true });
    if (key === undefined) return { ok: false, message: 'This browser cannot store downloads.' };
    await keepLicence(answer.data);
    return { ok: true, key };
  }

  /** @returns the reason when none was added */
  async function add(tracks: readonly KeptTrack[]): Promise<AddOutcome> {
    try {
      return await addRecords(tracks);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      return { ok: false, message: 'No space left on this device. Nothing was downloaded.' };
    }
  }

  async function addRecords(tracks: readonly KeptTrack[]): Promise<AddOutcome> {
    const registered = await withDevice(register);
    if (!registered.ok) return registered;
    const { key } = registered;
    // Browsers decide; without it they may delete files when the disk is full.
    void navigator.storage?.persist?.().catch(() => undefined);
    // Another tab may add the same audio at the same moment.
    const added = await navigator.locks.request('kept-records', async () => {
      const known = new Set((await readRecords(key)).map(({ track }) => track.id));
      const missing = tracks.filter(({ id }) => !known.has(id));
      for (const [index, track] of missing.entries())
        await writeRecord(key, { id: crypto.randomUUID(), track, state: 'waiting', addedAt: Date.now() + index });
      return missing;
    });
    publish({ ended: undefined });
    await reload();
    notifyOtherTabs();
    storePage();
    void work();
    return { ok: true, added: added.length };
  }

  /** Downloads waiting audios, one after the other, in one tab at a time. */
  async function work(): Promise<void> {
    if (isQueued) return;
    isQueued = true;
    try {
      await navigator.locks.request('kept-downloads', async () => {
        await reload();
        for (let next = nextWaiting(); next !== undefined; next = nextWaiting()) await load(next);
        const key = await readKey();
        if (key === undefined || !navigator.onLine || snapshot.waitsForWifi) return;
        for (const item of snapshot.items)
          if (item.state === 'kept' && item.hasExtras !== true) await addExtras(key, item);
      });
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      publish({ items: snapshot.items.map(withoutSpace) });
    } finally {
      isQueued = false;
    }
  }

  /** `loading` in this tab, which has the lock, means that the downloading tab was closed. */
  function nextWaiting(): KeptAudio | undefined {
    if (!navigator.onLine || snapshot.waitsForWifi) return undefined;
    return snapshot.items.find(({ id, state }) => (state === 'waiting' || state === 'loading') && attempts.isLeft(id));
  }

  async function load({ id, track }: KeptAudio): Promise<void> {
    const key = await readKey();
    if (key === undefined) return reload();
    await change(id, (item) => ({ ...item, state: 'loading' }));
    notifyOtherTabs();
    const controller = new AbortController();
    stop = { id, controller };
    const record = snapshot.items.find((item) => item.id === id);
    const outcome = await downloadFile({
      key,
      id,
      address: track.audioFileUrl,
      file: record?.file,
      fetch: timedHead,
      signal: controller.signal,
      async onProgress(file) {
        // Taken away by the site meanwhile: nothing of it is stored any more.
        await change(id, (item) => (item.failure === 'refused' ? undefined : { ...item, file }));
        notifyOtherTabs();
      },
    });
    stop = undefined;
    if (outcome.ok) {
      await change(id, (item) => ({ ...item, state: 'kept', failure: undefined, file: outcome.file }));
      attempts.forget(id);
      await addExtras(key, { id, track });
      storePage();
    } else if (outcome.reason === 'no-space') await stopForSpace();
    else if (outcome.reason !== 'stopped') await failed(id, outcome.reason);
    await reload();
    // Removed, or taken away by the site, during the download: its last chunk may have arrived after that.
    if (snapshot.items.find((item) => item.id === id)?.file === undefined) await removeFiles(id);
    notifyOtherTabs();
  }

  async function addExtras(key: CryptoKey, item: Pick<KeptAudio, 'id' | 'track'>): Promise<void> {
    const extras = await keepExtras(key, item, calls);
    await change(item.id, (current) => ({ ...current, ...extras }));
    // Removed meanwhile, possibly with the key.
    if ((await readRecord((await readKey()) ?? key, item.id)) === undefined) await removeFiles(item.id);
  }

  async function failed(id: string, failure: FailureReason): Promise<void> {
    const pause = failure === 'refused' ? undefined : attempts.fail(id);
    await change(id, (item) => ({
      ...item,
      state: pause === undefined ? 'failed' : 'waiting',
      failure,
      file: failure === 'damaged' ? undefined : item.file,
    }));
    if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
  }

  /** Stored parts stay; the downloads continue once there is room. */
  async function stopForSpace(): Promise<void> {
    for (const item of snapshot.items) if (withoutSpace(item) !== item) await change(item.id, withoutSpace);
  }

  async function pause(id: string): Promise<void> {
    await change(id, (item) => (item.state === 'kept' ? undefined : { ...item, state: 'paused', failure: undefined }));
    if (stop?.id === id) stop.controller.abort();
    notifyOtherTabs();
  }

  async function resume(id: string): Promise<void> {
    attempts.forget(id);
    await change(id, (item) => (item.state === 'kept' ? undefined : { ...item, state: 'waiting', failure: undefined }));
    notifyOtherTabs();
    void work();
  }

  async function removeOne(id: string): Promise<void> {
    if (stop?.id === id) stop.controller.abort();
    await navigator.locks.request('kept-records', () => removeRecord(id));
    await removeFiles(id);
    await reload();
    notifyOtherTabs();
    if (snapshot.items.length === 0) await removeAll();
  }

  /** Nothing is stored, so the device frees its slot for another one. */
  async function removeAll(): Promise<void> {
    stop?.controller.abort();
    const licence = await readLicence();
    await deleteEverything();
    mark.write(undefined);
    await reload();
    notifyOtherTabs();
    if (licence !== undefined) await calls.removeDevice(licence.deviceId);
  }

  async function setWifiOnly(isWifiOnly: boolean): Promise<void> {
    await write('state', settingsName, { isWifiOnly });
    await reload();
    notifyOtherTabs();
    connectionChanged();
  }

  function connectionChanged(): void {
    publish({ waitsForWifi: waitsForWifi(snapshot.isWifiOnly) });
    if (snapshot.waitsForWifi) stop?.controller.abort();
    else if (snapshot.items.length > 0) void work();
  }

  /** Stored at each report, so that the position survives an offline restart. */
  async function keepPlace(audioId: string, seconds: number): Promise<void> {
    if (!snapshot.items.some(({ track }) => track.id === audioId)) return;
    places = { ...places, [audioId]: seconds };
    // On a full disk the position is lost only by an offline restart.
    await writePlaces(places).catch(() => undefined);
  }

  function onShown(): void {
    const isDue = Math.abs(Date.now() - renewedAt) > renewAfterMs;
    if (isDue && document.visibilityState === 'visible' && navigator.onLine && snapshot.items.length > 0) site.now();
  }

  channel?.addEventListener('message', () => void reload());
  document.addEventListener('visibilitychange', onShown);
  connection()?.addEventListener('change', connectionChanged);

  return {
    subscribe: changes.subscribe,
    getSnapshot: () => snapshot,
    open,
    add,
    pause,
    resume,
    remove: removeOne,
    removeAll,
    setWifiOnly,
    keepPlace,
    siteAnswered,
    places: () => places,
    logOut: async () => ((await readLicence()) === undefined ? undefined : end('logged-out')),
    find: (audioId: string) => snapshot.items.find(({ track }) => track.id === audioId),
    /** Local address of the sound. @returns undefined when it is not stored, or may not be played */
    addressOf(audioFileUrl: string): string | undefined {
      if (snapshot.verdict !== 'valid' || !navigator.serviceWorker?.controller) return undefined;
      const item = snapshot.items.find(({ track }) => track.audioFileUrl === audioFileUrl);
      return item?.state === 'kept' ? soundAddress(item.id) : undefined;
    },
  };
}
