import type { Clock } from '../clock.ts';
import type { HistoryCall, HistoryServer } from './history-server.ts';
import type { PreferenceStore } from '../preferences.ts';
import { retryDelay } from '../network.ts';
import type { Network } from '../network.ts';
import { isRecord } from '../queue/saved-queue.ts';

type OutboxParts = {
  server: HistoryServer;
  clock: Clock;
  network: Network;
  storage: PreferenceStore;
  newId: () => string;
  onTakenOver: (() => void) | undefined;
};

/**
 * `notedAt`: time of the call in wall-clock milliseconds, which stay valid across pages. `isTried`: the server may have
 * counted it, though its answer was lost.
 */
type Entry = { id: string; owner: string; call: HistoryCall; notedAt: number; isTried?: boolean };

const KEY = 'sotto_history';
const MAX_ENTRIES = 300;
const MAX_IN_FLIGHT = 6;
/** A request without an answer for this long hangs, when another one is answered meanwhile. */
const HANGS_AFTER_MS = 3000;

/**
 * Calls waiting for an answer. Those of a logged-in listener are stored in the browser until answered, so that they
 * survive a lost connection or a closed page; tabs share this storage.
 */
export function createOutbox({ server, clock, network, storage, newId, onTakenOver }: OutboxParts) {
  // Undefined until the page has set the listener.
  let owner: string | null | undefined;
  let entries: Entry[] = [];
  // Running requests; each promise settles when its request is answered or fails.
  let underWay = new Map<Entry, Promise<void>>();
  const startedAt = new WeakMap<Entry, number>();
  // Nothing waits for these: the server keeps the newest position, in whatever order they arrive.
  const hanging = new WeakSet<Entry>();
  let attempts = 0;
  let stopRetry: (() => void) | null = null;

  /** Writes and removes only this tab's own entries; those of other tabs stay unchanged. */
  function keep(gone: readonly Entry[] = []) {
    if (!owner) return;
    const touched = new Set([...entries, ...gone].map((entry) => entry.id));
    const others = read(storage).filter((entry) => !touched.has(entry.id));
    const all = [...others, ...entries.filter((entry) => entry.owner === owner)];
    storage.set(KEY, all.length === 0 ? '' : JSON.stringify(all));
  }

  function remove(gone: readonly Entry[]) {
    if (gone.length === 0) return;
    entries = entries.filter((entry) => !gone.includes(entry));
    keep(gone);
  }

  function add(calls: readonly HistoryCall[]) {
    if (calls.length === 0) return;
    const places = new Set(calls.map(placeOf));
    // Only the newest position of an audio matters.
    const isOutdated = (entry: Entry) => places.has(placeOf(entry.call) ?? '') && !underWay.has(entry);
    const added = calls.map((call): Entry => ({ id: newId(), owner: owner ?? '', call, notedAt: Date.now() }));
    const outdated = entries.filter(isOutdated);
    const standing = entries.filter((entry) => !outdated.includes(entry));
    for (const entry of added) {
      const same = standing.findIndex((other) => isSamePlay(other, entry, standing));
      const before = standing[same];
      if (before === undefined) standing.push(entry);
      else standing[same] = withSeconds(before, entry);
    }
    entries = standing.slice(-MAX_ENTRIES);
    keep([...outdated, ...standing.slice(0, -MAX_ENTRIES)]);
    send();
  }

  function send(isLeaving = false) {
    if (stopRetry && !isLeaving) return;
    for (const entry of entries) {
      if (!isLeaving && underWay.size >= MAX_IN_FLIGHT) return;
      if (!underWay.has(entry) && (isLeaving || !isBehindAnother(entry))) start(entry);
    }
  }

  /** Two concurrent positions of one audio might arrive in the wrong order. */
  function isBehindAnother({ call }: Entry): boolean {
    const place = placeOf(call);
    const isAhead = (other: Entry) => placeOf(other.call) === place && !hanging.has(other);
    return place !== undefined && [...underWay.keys()].some(isAhead);
  }

  /** A newer position of the same audio is already waiting. */
  function isReplaced(entry: Entry): boolean {
    const place = placeOf(entry.call);
    const newer = entries.slice(entries.indexOf(entry) + 1);
    return place !== undefined && newer.some((other) => placeOf(other.call) === place);
  }

  function start(entry: Entry) {
    const flight = underWay;
    entry.isTried = true;
    startedAt.set(entry, clock.now());
    flight.set(entry, deliver(entry, flight));
  }

  async function deliver(entry: Entry, flight: typeof underWay) {
    const outcome = await server.send(entry.call, entry.notedAt).catch(() => 'lost' as const);
    flight.delete(entry);
    // The listener has changed since.
    if (flight !== underWay) return;
    if (outcome === 'lost') {
      // A newer position has been answered meanwhile.
      if (!entries.includes(entry)) return;
      if (isReplaced(entry)) remove([entry]);
      return retryLater();
    }
    if (outcome === 'taken-over') onTakenOver?.();
    const older = entries.slice(0, entries.indexOf(entry) + 1);
    remove(older.filter((other) => other === entry || (hanging.has(other) && isReplaced(other))));
    onAnswer();
  }

  /** The site answers: what hangs is not waited for, and what failed is tried now. */
  function onAnswer() {
    attempts = 0;
    endRetry();
    for (const entry of underWay.keys())
      if (clock.now() - (startedAt.get(entry) ?? 0) >= HANGS_AFTER_MS) hanging.add(entry);
    send();
  }
  const stopListening = server.onAnswer?.(onAnswer);

  function endRetry() {
    stopRetry?.();
    stopRetry = null;
  }

  function retryLater() {
    if (stopRetry) return;
    const again = () => {
      endRetry();
      send();
    };
    const stopDelay = clock.after(retryDelay(attempts), again);
    attempts += 1;
    const stopNetwork = network.subscribe(again);
    stopRetry = () => {
      stopDelay();
      stopNetwork();
    };
  }

  return {
    add,
    hasOwner: () => typeof owner === 'string',
    setOwner(changed: string | null) {
      if (changed === owner) return;
      if (owner) {
        endRetry();
        underWay = new Map();
        const left = entries;
        entries = [];
        keep([...left, ...read(storage).filter((entry) => entry.owner === owner)]);
      }
      owner = changed;
      if (!owner) return;
      const here = new Set(entries.map((entry) => entry.id));
      const left = read(storage).filter((entry) => entry.owner === owner && !here.has(entry.id));
      // An earlier page may have sent them.
      const inOrder = left.map((entry) => ({ ...entry, isTried: true })).toSorted((a, b) => a.notedAt - b.notedAt);
      entries = [...inOrder, ...entries];
      remove(entries.filter((entry) => isReplaced(entry)));
      send();
    },
    flush: () => send(true),
    /** Sends the pending positions. @returns those that were not answered, oldest first */
    async settlePlaces(): Promise<HistoryCall[]> {
      const isPlace = ({ call }: Entry) => placeOf(call) !== undefined;
      for (const entry of entries) if (isPlace(entry) && !underWay.has(entry)) start(entry);
      await Promise.all([...underWay].flatMap(([entry, answered]) => (isPlace(entry) ? [answered] : [])));
      return entries.filter(isPlace).map(({ call }) => call);
    },
    /** Sends all pending calls. @returns settles when all of them were answered, or one failed */
    async settle(): Promise<void> {
      send(true);
      await Promise.all(underWay.values());
    },
    dispose() {
      endRetry();
      stopListening?.();
    },
  };
}

/**
 * Offline, the seconds of one play become one call, because a night of them would not fit. Tried calls stay as they
 * are, because their report may have been counted.
 */
function isSamePlay({ call, isTried }: Entry, added: Entry, entries: readonly Entry[]): boolean {
  if (isTried || call.call !== 'count' || added.call.call !== 'count') return false;
  if (call.value === undefined || call.type !== added.call.type || call.key !== added.call.key) return false;
  const lastPlay = entries.findLastIndex((entry) => entry.call.call === 'play');
  return entries.findIndex((entry) => entry.call === call) > lastPlay;
}

function withSeconds(before: Entry, added: Entry): Entry {
  if (before.call.call !== 'count' || added.call.call !== 'count') return before;
  const value = Math.round(((before.call.value ?? 0) + (added.call.value ?? 0)) * 10) / 10;
  return { ...before, notedAt: added.notedAt, call: { ...before.call, value, position: added.call.position } };
}

/** The audio whose position a call sets or deletes. */
function placeOf(call: HistoryCall): string | undefined {
  return call.call === 'set-place' || call.call === 'delete-place' ? call.audioId : undefined;
}

function read(storage: PreferenceStore): Entry[] {
  try {
    const kept: unknown = JSON.parse(storage.get(KEY) || '[]');
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
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
