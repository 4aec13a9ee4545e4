import { t } from '@lingui/core/macro';
import { createListeners } from '#player/listeners.ts';
import { timedHead } from '#player/browser-limits.ts';
import { openChannel } from './open-channel.ts';
import { createAttempts, createRetryWhenOnline } from './attempts.ts';
import { connection, waitsForWifi } from './connection.ts';
import { read, write } from './database.ts';
import { type EndReason, type OfflineCalls, deleteEverything, storeLicence, readVerdict, renew } from './device.ts';
import { downloadFile, storeExtras } from './download-file.ts';
import { countChunks, isDiskFull, removeFiles, soundAddress } from './files.ts';
import { type Verdict, readLicence } from './licence.ts';
import {
  type FailureReason,
  type DownloadRecord,
  type DownloadTrack,
  type Refusal,
  isRefusal,
  readPositions,
  readRecord,
  readRecords,
  removeRecord,
  writePositions,
  writeRecord,
} from './records.ts';
import { readKey } from './sealing.ts';

export type DownloadsSnapshot = {
  isOpen: boolean;
  items: readonly DownloadRecord[];
  verdict: Verdict;
  /** Milliseconds since 1970. */
  licenceEnd: number | undefined;
  /** Set after everything was deleted. */
  ended: EndReason | undefined;
  isWifiOnly: boolean;
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
/** Renewal of an open tab, which may stay online for longer than a licence. */
const renewAfterMs = 24 * 60 * 60 * 1000;
/** Interval of retries for failed downloads while other calls succeed. */
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

function withoutSpace(item: DownloadRecord): DownloadRecord {
  const isRunning = item.state === 'loading' || item.state === 'waiting';
  return isRunning ? { ...item, state: 'paused', failure: 'no-space' } : item;
}

/** Downloads on this device: one tab downloads, all tabs show the state. */
export function createDownloads({ calls, mark, storePage }: DownloadsParts) {
  const changes = createListeners();
  const channel = openChannel('kept');
  let snapshot = nothing;
  let active: { id: string; controller: AbortController } | undefined;
  let isWorking = false;
  let renewedAt = 0;
  let retriedAt = 0;
  const attempts = createAttempts();
  let positions: Awaited<ReturnType<typeof readPositions>> = {};
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
    if (active !== undefined && items.find(({ id }) => id === active?.id)?.state !== 'loading')
      active.controller.abort();
  }

  /** Changes one record; another tab may change it at the same time. */
  function change(id: string, update: (record: DownloadRecord) => DownloadRecord | undefined): Promise<void> {
    return navigator.locks.request('kept-records', async () => {
      const key = await readKey();
      const record = key && (await readRecord(key, id));
      const changed = record && update(record);
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
      return redownloadEvicted();
    }
    positions = await readPositions();
    await requeueEvicted();
    await reload();
    if (navigator.onLine) site.now();
  }

  /** Renews the licence, or deletes everything; deletes what is gone, and resumes waiting downloads. */
  async function goOnline(): Promise<'answered' | 'unanswered'> {
    attempts.resetAll();
    const licence = await readLicence();
    if (licence === undefined) return 'answered';
    renewedAt = Date.now();
    const audioIds = snapshot.items.slice(0, maxIdsPerRequest).map(({ track }) => track.id);
    const outcome = await renew(calls, licence, audioIds);
    if (typeof outcome === 'string' && outcome !== 'unanswered') {
      // Otherwise the next page would treat the empty device as evicted by the browser.
      if (outcome === 'no-subscription') await calls.removeDevice(licence.deviceId);
      await end(outcome);
    } else {
      if (outcome !== 'unanswered') {
        const streamOnly = new Set(outcome.streamOnly);
        await deleteGone(new Map(outcome.gone.map((id) => [id, streamOnly.has(id) ? 'stream-only' : 'refused'])));
      }
      storePage();
      await reload();
      await retryFailed();
      void downloadWaiting();
    }
    return outcome === 'unanswered' ? outcome : 'answered';
  }

  /** Downloads that failed for their network are queued again. */
  async function retryFailed(): Promise<void> {
    retriedAt = Date.now();
    for (const { id, failure } of snapshot.items)
      if (failure === 'network') {
        attempts.reset(id);
        await change(id, (item) => (item.state === 'failed' ? { ...item, state: 'waiting' } : undefined));
      }
  }

  /** The site has answered some call. */
  async function siteAnswered(): Promise<void> {
    const hasFailed = snapshot.items.some(({ state, failure }) => state === 'failed' && failure === 'network');
    if (!hasFailed || Date.now() - retriedAt < retryAfterMs) return;
    await retryFailed();
    notifyOtherTabs();
    void downloadWaiting();
  }

  /** They stay in the list, with the reason. */
  async function deleteGone(gone: ReadonlyMap<string, Refusal>): Promise<void> {
    for (const { id, track, failure } of snapshot.items) {
      const refusal = gone.get(track.id);
      if (refusal === undefined || failure === refusal) continue;
      if (active?.id === id) active.controller.abort();
      await change(id, ({ addedAt }) => ({ id, track, addedAt, state: 'failed', failure: refusal }));
      await removeFiles(id);
      notifyOtherTabs();
    }
  }

  /** The site knows this device, but it is empty: the browser deleted everything. Downloads it again. */
  async function redownloadEvicted(): Promise<void> {
    if (!navigator.onLine) return;
    const lostDevice = await withDevice(async () =>
      (await readLicence()) === undefined ? calls.findOwnDevice() : undefined,
    );
    if (lostDevice === undefined) return;
    const { audioIds, isWifiOnly } = mark.read();
    const tracks: DownloadTrack[] = [];
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

  /** One tab at a time: a device that another tab is registering has no licence here yet. */
  function withDevice<Result>(act: () => Promise<Result>): Promise<Result> {
    return navigator.locks.request('kept-device', act);
  }

  /** Files that the browser deleted are downloaded again. */
  async function requeueEvicted(): Promise<void> {
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
    active?.controller.abort();
    await deleteEverything();
    mark.write(undefined);
    positions = {};
    publish({ ...nothing, isOpen: true, ended: reason });
    notifyOtherTabs();
  }

  async function register(): Promise<{ ok: true; key: CryptoKey } | { ok: false; message: string }> {
    const answer = await calls.addDevice();
    if (!answer.ok) return { ok: false, message: answer.message };
    const key = await readKey({ create: true });
    if (key === undefined) return { ok: false, message: t`This browser cannot store downloads.` };
    await storeLicence(answer.data);
    return { ok: true, key };
  }

  /** @returns the reason when none was added */
  async function add(tracks: readonly DownloadTrack[]): Promise<AddOutcome> {
    try {
      return await addRecords(tracks);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      return { ok: false, message: t`No space left on this device. Nothing was downloaded.` };
    }
  }

  async function addRecords(tracks: readonly DownloadTrack[]): Promise<AddOutcome> {
    const registered = await withDevice(register);
    if (!registered.ok) return registered;
    const { key } = registered;
    // Browsers decide; without it they may delete files when the disk is full.
    void navigator.storage?.persist?.().catch(() => undefined);
    // Another tab may add the same audio at the same moment.
    const added = await navigator.locks.request('kept-records', async () => {
      const existing = new Set((await readRecords(key)).map(({ track }) => track.id));
      const missing = tracks.filter(({ id }) => !existing.has(id));
      for (const [index, track] of missing.entries())
        await writeRecord(key, { id: crypto.randomUUID(), track, state: 'waiting', addedAt: Date.now() + index });
      return missing;
    });
    publish({ ended: undefined });
    await reload();
    notifyOtherTabs();
    storePage();
    void downloadWaiting();
    return { ok: true, added: added.length };
  }

  /** Downloads waiting audios, one after the other, in one tab at a time. */
  async function downloadWaiting(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    try {
      await navigator.locks.request('kept-downloads', async () => {
        await reload();
        for (let next = nextWaiting(); next !== undefined; next = nextWaiting()) await download(next);
        const key = await readKey();
        if (key === undefined || !navigator.onLine || snapshot.waitsForWifi) return;
        for (const item of snapshot.items)
          if (item.state === 'kept' && item.hasExtras !== true) await addExtras(key, item);
      });
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      publish({ items: snapshot.items.map(withoutSpace) });
    } finally {
      isWorking = false;
    }
  }

  /** `loading` in this tab, which has the lock, means that the downloading tab was closed. */
  function nextWaiting(): DownloadRecord | undefined {
    if (!navigator.onLine || snapshot.waitsForWifi) return undefined;
    return snapshot.items.find(({ id, state }) => (state === 'waiting' || state === 'loading') && attempts.isLeft(id));
  }

  async function download({ id, track }: DownloadRecord): Promise<void> {
    const key = await readKey();
    if (key === undefined) return reload();
    await change(id, (item) => ({ ...item, state: 'loading' }));
    notifyOtherTabs();
    const controller = new AbortController();
    active = { id, controller };
    const record = snapshot.items.find((item) => item.id === id);
    const outcome = await downloadFile({
      key,
      id,
      address: track.audioFileUrl,
      file: record?.file,
      fetch: timedHead,
      signal: controller.signal,
      async onProgress(file) {
        // Refused by the site meanwhile: store no more of it.
        await change(id, (item) => (isRefusal(item.failure) ? undefined : { ...item, file }));
        notifyOtherTabs();
      },
    });
    active = undefined;
    if (outcome.ok) {
      await change(id, (item) => ({ ...item, state: 'kept', failure: undefined, file: outcome.file }));
      attempts.reset(id);
      await addExtras(key, { id, track });
      storePage();
    } else if (outcome.reason === 'no-space') await stopForSpace();
    else if (outcome.reason !== 'stopped') await onFailed(id, outcome.reason);
    await reload();
    // Removed or refused during the download: its last chunk may have arrived afterwards.
    if (snapshot.items.find((item) => item.id === id)?.file === undefined) await removeFiles(id);
    notifyOtherTabs();
  }

  async function addExtras(key: CryptoKey, item: Pick<DownloadRecord, 'id' | 'track'>): Promise<void> {
    const extras = await storeExtras(key, item, calls);
    await change(item.id, (current) => ({ ...current, ...extras }));
    // Removed meanwhile, possibly with the key.
    if ((await readRecord((await readKey()) ?? key, item.id)) === undefined) await removeFiles(item.id);
  }

  async function onFailed(id: string, failure: FailureReason): Promise<void> {
    const pause = isRefusal(failure) ? undefined : attempts.fail(id);
    await change(id, (item) => ({
      ...item,
      state: pause === undefined ? 'failed' : 'waiting',
      failure,
      file: failure === 'damaged' ? undefined : item.file,
    }));
    if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
  }

  /** Keeps the stored parts; the downloads continue once there is room. */
  async function stopForSpace(): Promise<void> {
    for (const item of snapshot.items) if (withoutSpace(item) !== item) await change(item.id, withoutSpace);
  }

  async function pause(id: string): Promise<void> {
    await change(id, (item) => (item.state === 'kept' ? undefined : { ...item, state: 'paused', failure: undefined }));
    if (active?.id === id) active.controller.abort();
    notifyOtherTabs();
  }

  async function resume(id: string): Promise<void> {
    attempts.reset(id);
    await change(id, (item) => (item.state === 'kept' ? undefined : { ...item, state: 'waiting', failure: undefined }));
    notifyOtherTabs();
    void downloadWaiting();
  }

  async function removeOne(id: string): Promise<void> {
    if (active?.id === id) active.controller.abort();
    await navigator.locks.request('kept-records', () => removeRecord(id));
    await removeFiles(id);
    await reload();
    notifyOtherTabs();
    if (snapshot.items.length === 0) await removeAll();
  }

  /** Removes everything and unregisters the device, which frees its slot for another one. */
  async function removeAll(): Promise<void> {
    active?.controller.abort();
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
    if (snapshot.waitsForWifi) active?.controller.abort();
    else if (snapshot.items.length > 0) void downloadWaiting();
  }

  /** Called at each report, so that the position survives an offline restart. */
  async function savePosition(audioId: string, seconds: number): Promise<void> {
    if (!snapshot.items.some(({ track }) => track.id === audioId)) return;
    positions = { ...positions, [audioId]: seconds };
    // On a full disk the position is lost only by an offline restart.
    await writePositions(positions).catch(() => undefined);
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
    savePosition,
    siteAnswered,
    positions: () => positions,
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
