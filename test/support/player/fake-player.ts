import { createEngine } from '#player/media/engine.ts';
import { createFakeClock } from './fake-clock.ts';
import { FakeMedia } from './fake-media.ts';
import { createFakeQueueTracks } from './fake-tracks.ts';
import { createFailures } from '#player/recovery/failures.ts';
import { alreadyLoaded } from '#player/lazy.ts';
import type { PlayerEvent } from '#player/reports/player-events.ts';
import { createPlayer } from '#player/player.ts';
import type { PlayerOptions } from '#player/player-options.ts';
import { addMissing, move } from '#player/queue/queue-edits.ts';
import type { QueueServer } from '#player/queue/saved-queue.ts';
import { createQueueSync } from '#player/queue/queue-sync.ts';
import { createRecovery } from '#player/recovery/recovery.ts';
import { createSleepTimer } from '#player/sleep/sleep-timer.ts';

type Storage = Parameters<typeof createFakeQueueTracks>[0];

/** The code that the player loads late. */
export function lazyPartsOf({ queueServer, storage }: { queueServer: QueueServer | undefined; storage: Storage }) {
  return {
    createQueueSync,
    createSleepTimer,
    createFailures,
    queueEdits: { addMissing, move },
    queueServer,
    queueTracks: createFakeQueueTracks(storage),
  };
}

/** A real player on a fake element, with its reports and storage exposed to tests. */
export function createTestPlayer(
  overrides: Partial<PlayerOptions> & { answer?: () => Response; media?: FakeMedia; queueServer?: QueueServer } = {},
) {
  const clock = createFakeClock();
  const media = overrides.media ?? new FakeMedia();
  const engine = createEngine({
    parts: alreadyLoaded({ createRecovery }),
    clock,
    network: { subscribe: () => () => {} },
    fetch: async () => (overrides.answer ?? (() => new Response(null, { status: 206 })))(),
  });
  const events: PlayerEvent[] = [];
  const kept = new Map<string, string>();
  const storage = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void kept.set(key, value),
  };
  const player = createPlayer({
    engine,
    clock,
    parts: alreadyLoaded(lazyPartsOf({ queueServer: overrides.queueServer, storage: overrides.storage ?? storage })),
    mayHear: (track) => track.isFree,
    isOnDevice: () => false,
    isOffline: () => false,
    maySkip: () => true,
    autoLoads: () => false,
    resumeFrom: () => undefined,
    report: (event) => events.push(event),
    network: { subscribe: () => () => {} },
    storage,
    ...overrides,
  });
  engine.attach(media);
  clock.advance(0);
  const locked: { id: string; again: () => void }[] = [];
  player.onLocked((track, again) => locked.push({ id: track.id, again }));

  return {
    clock,
    media,
    engine,
    player,
    events,
    kept,
    locked,
    /** Names of the events reported since the last call, in order. */
    reported: () => events.splice(0).map((event) => event.name),
    /** Advances clock and playback together, with four `timeupdate` events a second. */
    hear(seconds: number) {
      for (let quarter = 0; quarter < seconds * 4; quarter += 1) {
        clock.advance(250);
        media.advance(0.25 * media.playbackRate);
      }
    },
  };
}
