import { toHex } from '#formats/hex.ts';
import { type HistoryCall, type HistoryOptions, createOutbox } from './outbox.ts';
import type { PlayerEvent } from './player-events.ts';
import { browserNetwork } from '../network.ts';

/** Seconds by audio id; undefined: heard to the end. */
export type Positions = Map<string, number | undefined>;

/**
 * Turns player reports into calls of the history API and retries them until they are answered. Visitors have no history
 * (spec §6), but their starts count as plays.
 */
export function createHistory(options: HistoryOptions) {
  const { network = browserNetwork, newId = randomId } = options;
  const outbox = createOutbox({ ...options, network, newId });
  const newerPositions = new Set<Positions>();

  return {
    report(event: PlayerEvent) {
      const calls = callsOf(event, newId);
      for (const positions of newerPositions) calls.forEach((call) => notePosition(positions, call));
      outbox.add(outbox.hasOwner() ? calls : calls.filter((call) => call.call === 'play'));
    },
    /**
     * The current listener, null for a visitor. Drops unsent calls of the previous listener and sends this one's stored
     * calls.
     */
    setListener: outbox.setOwner,
    /** On page hide or unload: sends all pending calls without waiting for running ones. */
    flush: outbox.flush,
    settle: outbox.settle,
    /**
     * Sends the pending positions, then reads the account's history.
     * @returns also the positions that the answer may not contain: unsent, or reported during the request
     */
    async readAfterPending<Read>(read: () => Promise<Read>): Promise<{ read: Read; newer: Positions }> {
      const newer: Positions = new Map();
      for (const call of await outbox.settlePositions()) notePosition(newer, call);
      newerPositions.add(newer);
      return { read: await read().finally(() => newerPositions.delete(newer)), newer };
    },
  };
}

function notePosition(positions: Positions, call: HistoryCall) {
  if (call.call === 'set-place') positions.set(call.audioId, call.seconds);
  else if (call.call === 'delete-place') positions.set(call.audioId, undefined);
}

function callsOf(event: PlayerEvent, newId: () => string): HistoryCall[] {
  const { trackId: audioId, voiceId, position, source } = event;
  switch (event.name) {
    case 'audio_played':
      return [
        { call: 'play', audioId, source },
        { call: 'count', type: 'listenCounter', key: audioId, position, reportId: newId() },
      ];
    case 'audio_played_30s':
      return [{ call: 'count', type: 'played30sCounter', key: audioId, position, reportId: newId() }];
    case 'audio_time': {
      const value = Math.round(event.seconds * 10) / 10;
      return [
        { call: 'count', type: 'audioListenedSeconds', key: audioId, value, position, reportId: newId() },
        { call: 'count', type: 'voiceListenedSeconds', key: voiceId, value, reportId: newId() },
      ];
    }
    case 'audio_progress':
      return [{ call: 'set-place', audioId, seconds: position, isPlaying: event.isPlaying }];
    case 'audio_completed':
      return [{ call: 'delete-place', audioId }];
    default:
      return [];
  }
}

/** `crypto.randomUUID` exists only in secure contexts. */
function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
