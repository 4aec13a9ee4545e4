import type { Clock } from '../clock.ts';
import { type PreferenceStore, isRecord } from '../stored.ts';
import { type Network, afterOrOnline, retryDelay } from '../network.ts';

type CounterType = 'listenCounter' | 'played30sCounter' | 'audioListenedSeconds' | 'voiceListenedSeconds';

/** One call of the history API. Each is idempotent, so it can be sent again. */
export type HistoryCall =
  /** `GET /audios/play/{audioId}`; the only call for visitors. `source`: see `About`. */
  | { call: 'play'; audioId: string; source: string }
  /** `POST /history/me/increase-counter`; `value` and `position` in seconds. */
  | { call: 'count'; type: CounterType; key: string; value?: number; position?: number; reportId: string }
  /** `POST /history/me/value` with type `currentlyListening`. */
  | { call: 'set-place'; audioId: string; seconds: number; isPlaying: boolean }
  /** `DELETE /history/me/value` with type `currentlyListening`. */
  | { call: 'delete-place'; audioId: string };

export type HistoryServer = {
  /**
   * Always uses `keepalive`, since the page may close at any time. Resolves to `refused` when a retry would not help, and
   * to `taken-over` when done while another device plays. Rejects on network errors, 5xx, 429 and answers that are not the
   * site’s; the call is then retried, also after a reload.
   * @param notedAt wall-clock milliseconds: the server keeps the newest position of an audio
   */
  send(call: HistoryCall, notedAt: number): Promise<'done' | 'refused' | 'taken-over'>;
  /** Calls the listener when any call of the page has succeeded. @returns stops it */
  onAnswer?(listener: () => void): () => void;
};

export type HistoryOptions = {
  server: HistoryServer;
  clock: Clock;
  network?: Network;
  storage: PreferenceStore;
  /** Another device of the listener plays now, so this one must pause. */
  onTakenOver?: () => void;
  newId?: () => string;
};

/**
 * `notedAt`: time of the call in wall-clock milliseconds, which stay valid across pages. `isTried`: the server may have
 * counted it, though its answer was lost.
 */
type Entry = { id: string; owner: string; call: HistoryCall; notedAt: number; isTried?: boolean };

const KEY = 'sotto_history';
const MAX_ENTRIES = 300;
const MAX_IN_FLIGHT = 6;
/** A request unanswered for this long counts as hung once another one is answered. */
const HUNG_AFTER_MS = 3000;

type OutboxOptions = HistoryOptions & Required<Pick<HistoryOptions, 'network' | 'newId'>>;

/**
 * Calls waiting for an answer. Those of a logged-in listener are stored in the browser until answered, so that they
 * survive a lost connection or a closed page; tabs share this storage.
 */
export function createOutbox({ server, clock, network, storage, newId, onTakenOver }: OutboxOptions) {
  // Undefined until the page has set the listener.
  let owner: string | null | undefined;
  let entries: Entry[] = [];
  // Running requests; each promise settles when its request is answered or fails.
  let inFlight = new Map<Entry, Promise<void>>();
  const startedAt = new WeakMap<Entry, number>();
  // Nothing waits for these: the server keeps the newest position, in any order of arrival.
  const hung = new WeakSet<Entry>();
  let attempts = 0;
  let stopRetry: (() => void) | null = null;

  /** Writes and removes only this tab's own entries; those of other tabs stay unchanged. */
  function persist(removed: readonly Entry[] = []) {
    if (!owner) return;
    const touched = new Set([...entries, ...removed].map((entry) => entry.id));
    const others = read(storage).filter((entry) => !touched.has(entry.id));
    const all = [...others, ...entries.filter((entry) => entry.owner === owner)];
    storage.set(KEY, all.length === 0 ? '' : JSON.stringify(all));
  }

  function remove(removed: readonly Entry[]) {
    if (removed.length === 0) return;
    entries = entries.filter((entry) => !removed.includes(entry));
    persist(removed);
  }

  function add(calls: readonly HistoryCall[]) {
    if (calls.length === 0) return;
    const audioIds = new Set(calls.map(audioOfPosition));
    // Only the newest position of an audio matters.
    const isOutdated = (entry: Entry) => audioIds.has(audioOfPosition(entry.call) ?? '') && !inFlight.has(entry);
    const added = calls.map((call): Entry => ({ id: newId(), owner: owner ?? '', call, notedAt: Date.now() }));
    const outdated = entries.filter(isOutdated);
    const remaining = entries.filter((entry) => !outdated.includes(entry));
    for (const entry of added) {
      const index = remaining.findIndex((other) => isSamePlay(other, entry, remaining));
      const existing = remaining[index];
      if (existing === undefined) remaining.push(entry);
      else remaining[index] = withSeconds(existing, entry);
    }
    entries = remaining.slice(-MAX_ENTRIES);
    persist([...outdated, ...remaining.slice(0, -MAX_ENTRIES)]);
    send();
  }

  function send(isLeaving = false) {
    if (stopRetry && !isLeaving) return;
    for (const entry of entries) {
      if (!isLeaving && inFlight.size >= MAX_IN_FLIGHT) return;
      if (!inFlight.has(entry) && (isLeaving || !isBlocked(entry))) start(entry);
    }
  }

  /** Two concurrent positions of one audio might arrive in the wrong order. */
  function isBlocked({ call }: Entry): boolean {
    const audioId = audioOfPosition(call);
    const isAhead = (other: Entry) => audioOfPosition(other.call) === audioId && !hung.has(other);
    return audioId !== undefined && [...inFlight.keys()].some(isAhead);
  }

  /** A newer position of the same audio is already waiting. */
  function isSuperseded(entry: Entry): boolean {
    const audioId = audioOfPosition(entry.call);
    const newer = entries.slice(entries.indexOf(entry) + 1);
    return audioId !== undefined && newer.some((other) => audioOfPosition(other.call) === audioId);
  }

  function start(entry: Entry) {
    const requests = inFlight;
    entry.isTried = true;
    startedAt.set(entry, clock.now());
    requests.set(entry, deliver(entry, requests));
  }

  async function deliver(entry: Entry, requests: typeof inFlight) {
    const outcome = await server.send(entry.call, entry.notedAt).catch(() => 'lost' as const);
    requests.delete(entry);
    // The listener has changed since.
    if (requests !== inFlight) return;
    if (outcome === 'lost') {
      // A newer position has been answered meanwhile.
      if (!entries.includes(entry)) return;
      if (isSuperseded(entry)) remove([entry]);
      return retryLater();
    }
    if (outcome === 'taken-over') onTakenOver?.();
    const older = entries.slice(0, entries.indexOf(entry) + 1);
    remove(older.filter((other) => other === entry || (hung.has(other) && isSuperseded(other))));
    onAnswer();
  }

  /** The site answers: stop waiting for hung requests, and retry failed ones now. */
  function onAnswer() {
    attempts = 0;
    endRetry();
    for (const entry of inFlight.keys())
      if (clock.now() - (startedAt.get(entry) ?? 0) >= HUNG_AFTER_MS) hung.add(entry);
    send();
  }
  server.onAnswer?.(onAnswer);

  function endRetry() {
    stopRetry?.();
    stopRetry = null;
  }

  function retryLater() {
    if (stopRetry) return;
    stopRetry = afterOrOnline(clock, network, retryDelay(attempts), () => {
      stopRetry = null;
      send();
    });
    attempts += 1;
  }

  return {
    add,
    hasOwner: () => typeof owner === 'string',
    setOwner(changed: string | null) {
      if (changed === owner) return;
      if (owner) {
        endRetry();
        inFlight = new Map();
        const leftover = entries;
        entries = [];
        persist([...leftover, ...read(storage).filter((entry) => entry.owner === owner)]);
      }
      owner = changed;
      if (!owner) return;
      const ownIds = new Set(entries.map((entry) => entry.id));
      const leftover = read(storage).filter((entry) => entry.owner === owner && !ownIds.has(entry.id));
      // An earlier page may have sent them.
      const inOrder = leftover.map((entry) => ({ ...entry, isTried: true })).toSorted((a, b) => a.notedAt - b.notedAt);
      entries = [...inOrder, ...entries];
      remove(entries.filter((entry) => isSuperseded(entry)));
      send();
    },
    flush: () => send(true),
    /** Sends the pending positions. @returns those that were not answered, oldest first */
    async settlePositions(): Promise<HistoryCall[]> {
      const isPosition = ({ call }: Entry) => audioOfPosition(call) !== undefined;
      for (const entry of entries) if (isPosition(entry) && !inFlight.has(entry)) start(entry);
      await Promise.all([...inFlight].flatMap(([entry, answered]) => (isPosition(entry) ? [answered] : [])));
      return entries.filter(isPosition).map(({ call }) => call);
    },
    /** Sends all pending calls. @returns settles when all of them were answered, or one failed */
    async settle(): Promise<void> {
      send(true);
      await Promise.all(inFlight.values());
    },
  };
}

/**
 * Offline, the seconds of one play are merged into one call, because a night of calls would not fit. Calls already tried
 * are left alone: the server may have counted them.
 */
function isSamePlay({ call, isTried }: Entry, added: Entry, entries: readonly Entry[]): boolean {
  if (isTried || call.call !== 'count' || added.call.call !== 'count') return false;
  if (call.value === undefined || call.type !== added.call.type || call.key !== added.call.key) return false;
  const lastPlay = entries.findLastIndex((entry) => entry.call.call === 'play');
  return entries.findIndex((entry) => entry.call === call) > lastPlay;
}

function withSeconds(existing: Entry, added: Entry): Entry {
  if (existing.call.call !== 'count' || added.call.call !== 'count') return existing;
  const value = Math.round(((existing.call.value ?? 0) + (added.call.value ?? 0)) * 10) / 10;
  return { ...existing, notedAt: added.notedAt, call: { ...existing.call, value, position: added.call.position } };
}

/** Id of the audio whose position a call sets or deletes. */
function audioOfPosition(call: HistoryCall): string | undefined {
  return call.call === 'set-place' || call.call === 'delete-place' ? call.audioId : undefined;
}

function read(storage: PreferenceStore): Entry[] {
  try {
    const stored: unknown = JSON.parse(storage.get(KEY) || '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** Checks only the entry's frame; the server validates the call itself. */
function isEntry(value: unknown): value is Entry {
  if (!isRecord(value) || !isRecord(value['call'])) return false;
  if (typeof value['notedAt'] !== 'number' || Number.isNaN(new Date(value['notedAt']).getTime())) return false;
  return [value['id'], value['owner'], value['call']['call']].every((text) => typeof text === 'string');
}
