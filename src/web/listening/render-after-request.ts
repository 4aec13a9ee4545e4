import { createListeners } from '#player/listeners.ts';
import type { Clock } from '#player/clock.ts';
import type { Player } from '#player/player.ts';

type Subscribe = (listener: () => void) => () => void;

/** For an element that asks for nothing, milliseconds. */
const longestWait = 50;

/**
 * The player's changes, for components. An element asks for its file in a task of its own after the press: components
 * hear of the new file after that, so that the request does not wait until they have rendered.
 * @param onRequest calls its listener whenever the element has asked for a file
 */
export function renderAfterRequest(
  player: Pick<Player, 'getSnapshot' | 'subscribe' | 'subscribeEngine' | 'subscribePosition'>,
  onRequest: Subscribe,
  clock: Clock,
) {
  const waiting = new Set<() => void>();

  function tell(): void {
    const emits = [...waiting];
    waiting.clear();
    for (const emit of emits) emit();
  }

  function later(subscribe: Subscribe): Subscribe {
    const changes = createListeners();
    subscribe(() => {
      const isLoading = player.getSnapshot().status === 'loading';
      if (isLoading && waiting.size === 0) clock.after(longestWait, tell);
      waiting.add(changes.emit);
      if (!isLoading) tell();
    });
    return changes.subscribe;
  }

  onRequest(tell);
  return {
    subscribe: later(player.subscribe),
    subscribeEngine: later(player.subscribeEngine),
    subscribePosition: later(player.subscribePosition),
  };
}
