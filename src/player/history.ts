import type { Clock } from './clock.ts';
import type { HistoryCall, HistoryServer } from './history-server.ts';
import { createOutbox } from './outbox.ts';
import type { PlayerEvent } from './player-events.ts';
import type { PreferenceStore } from './preferences.ts';
import { browserNetwork } from './recovery.ts';
import type { Network } from './recovery.ts';

export type HistoryOptions = {
  server: HistoryServer;
  clock: Clock;
  network?: Network;
  storage: PreferenceStore;
  /** A new id that nobody else has. */
  newId?: () => string;
};

/**
 * Turns what the player reports into calls of the history API, and sees to it that each arrives. Visitors have no history
 * (spec §6); what they start counts as a play.
 */
export function createHistory(options: HistoryOptions) {
  const { server, clock, network = browserNetwork, storage, newId = randomId } = options;
  const outbox = createOutbox({ server, clock, network, storage, newId });

  return {
    report(event: PlayerEvent) {
      const calls = callsOf(event, newId);
      outbox.add(outbox.hasOwner() ? calls : calls.filter((call) => call.call === 'play'));
    },
    /** Who listens, null for a visitor. What the one before left unsent is dropped, what this one left is sent. */
    setListener: outbox.setOwner,
    /** The page is hidden or left: sends what waits, whatever is under way. */
    flush: outbox.flush,
    settle: outbox.settle,
    dispose: outbox.dispose,
  };
}

function callsOf(event: PlayerEvent, newId: () => string): HistoryCall[] {
  const { trackId: audioId, voiceId, position } = event;
  switch (event.name) {
    case 'audio_played':
      return [
        { call: 'play', audioId },
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
      return [{ call: 'set-place', audioId, seconds: position }];
    case 'audio_completed':
      return [{ call: 'delete-place', audioId }];
    default:
      return [];
  }
}

/** `randomUUID` is there only where the connection is secure. */
function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
