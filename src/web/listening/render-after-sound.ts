import { callEach, createListeners } from '#player/listeners.ts';
import type { Clock } from '#player/clock.ts';
import type { Player } from '#player/player.ts';

type Subscribe = (listener: () => void) => () => void;

/** A press must be visible within this time, in milliseconds. */
const maxWaitMs = 100;
/** Two frames, in milliseconds: the element reports playing shortly before sound is audible. */
const soundDelayMs = 40;

/**
 * The player's changes, for components. Delayed while a file starts, because the browser requests the file, reads it and
 * starts its sound on the rendering thread.
 */
export function renderAfterSound(
  player: Pick<Player, 'getSnapshot' | 'subscribe' | 'subscribeEngine' | 'subscribePosition'>,
  clock: Clock,
) {
  const waiting = new Set<() => void>();
  /** `shown`: loading takes so long that the page shows it, and every change at once. */
  let phase: 'idle' | 'held' | 'sounds' | 'shown' = 'idle';
  let stopWait = () => {};
  let pressedAt = 0;

  function emitAll(): void {
    stopWait();
    const emits = [...waiting];
    waiting.clear();
    callEach(emits);
  }

  function emitAfter(wait: number, next: typeof phase): void {
    stopWait();
    stopWait = clock.after(wait, () => {
      phase = next;
      emitAll();
    });
  }

  function changed(): void {
    const { status } = player.getSnapshot();
    const isLoading = status === 'loading';
    if (phase === 'idle' && isLoading) {
      phase = 'held';
      pressedAt = clock.now();
      emitAfter(maxWaitMs, 'shown');
    } else if (phase === 'held' && status === 'playing') {
      phase = 'sounds';
      emitAfter(Math.min(soundDelayMs, pressedAt + maxWaitMs - clock.now()), 'idle');
    } else if (!isLoading && (status !== 'playing' || phase === 'shown')) {
      phase = 'idle';
    }
    if (phase === 'idle' || phase === 'shown') emitAll();
  }

  function later(subscribe: Subscribe): Subscribe {
    const changes = createListeners();
    subscribe(() => {
      waiting.add(changes.emit);
      changed();
    });
    return changes.subscribe;
  }

  return {
    subscribe: later(player.subscribe),
    subscribeEngine: later(player.subscribeEngine),
    subscribePosition: later(player.subscribePosition),
  };
}
