import { createOnce } from './lazy.ts';
import type { LocalPosition } from './queue/local-queue.ts';
import { browserNetwork } from './network.ts';
import type { Notice } from './notices.ts';
import { isStarted } from './playback.ts';
import type { PlayerOptions } from './player-options.ts';
import type { createPlayerState } from './player-state.ts';
import { fractionOf } from './reports/progress.ts';
import * as queues from './queue/queue.ts';
import type { Queue } from './queue/queue.ts';

type PlayerListenerParts = {
  options: PlayerOptions;
  state: ReturnType<typeof createPlayerState>;
  notify: (notice: Notice) => void;
  /** A saved queue was adopted. */
  onAdopted: () => void;
  /** Clears everything else that belongs to the listener. */
  onLogOut: () => void;
};

/** The player's listener: restores the saved queue at a log-in, and removes all of the user's data at a log-out. */
export function createPlayerListener({ options, state, notify, onAdopted, onLogOut }: PlayerListenerParts) {
  const { seeking, resumePositions } = state;
  // Undefined until the page has set the listener; null for a visitor.
  let listenerId: string | null | undefined;
  // The last list that the listener started on this page.
  let ownList: Queue | null = null;

  /** Created when a listener logs in. */
  const sync = createOnce(options.parts, ({ createQueueSync, queueServer, queueTracks }) =>
    createQueueSync({
      clock: options.clock,
      network: options.network ?? browserNetwork,
      store: options.storage,
      tracks: queueTracks,
      server: queueServer,
      currentQueue,
      adopt,
      onAdopted,
      notify,
    }),
  );

  function currentQueue() {
    const seconds = seeking.getPosition();
    const queue = state.isAwaitingQueue() ? queues.emptyQueue : state.queue();
    return { queue, seconds, position: fractionOf(seconds, seeking.getDuration()), isOwnList: ownList !== null };
  }

  /** Adopts a saved queue without starting it. A playing audio continues and the saved queue follows it. */
  function adopt(saved: { queue: Queue; position: number }, stored?: LocalPosition) {
    const [head] = saved.queue.list;
    if (stored) resumePositions.restore(stored);
    else if (head) resumePositions.suggest({ id: head.id, seconds: saved.position * head.numberDuration });
    const isPlaying = isStarted(state.getSnapshot().status);
    const merge = isPlaying ? queues.replaceBehind : queues.replace;
    state.changeQueue(state.previewIfEmpty(merge(state.queue(), saved.queue)));
  }

  function connect(id: string) {
    const before = new Set(state.queue().list.map((track) => track.id));
    sync.use((queueSync) => {
      // Added by hand while the code loaded: also appended to the saved queue.
      const added = state.queue().list.filter((track) => track.source === 'queue' && !before.has(track.id));
      queueSync.connect(id, added);
      for (const track of added) state.changeQueue(queues.add(state.queue(), track));
    });
  }

  /** Stops, and clears queue, history and resume positions. Volume and speed stay. */
  function reset() {
    state.unload();
    ownList = null;
    resumePositions.clear();
    onLogOut();
    state.changeQueue(state.previewIfEmpty(queues.emptyQueue));
  }

  return {
    /** Sets the listener, null for a visitor. Restores a listener's queue; removes it when they log out. */
    set(listener: { id: string } | null) {
      const before = listenerId;
      listenerId = listener?.id ?? null;
      if (before !== listenerId) {
        if (before) {
          sync.use((queueSync) => queueSync.disconnect());
          reset();
        }
        if (listenerId) connect(listenerId);
      }
      state.refreshHead();
    },
    /** Whether the page has set the listener. */
    isKnown: () => listenerId !== undefined,
    /** The listener started a list on this page: it wins over the saved queue. */
    ownListStarted(queue: Queue) {
      ownList = queue;
    },
    queueChanged: (queue: Queue) => sync.ready()?.changed(queue, queue === ownList),
    sync,
  };
}
