import { createTrack } from './fake-tracks.ts';
import type { QueueServer, RemoteQueue, SavedQueue } from '#player/queue/saved-queue.ts';

const nothing: SavedQueue = {
  list: [],
  played: [],
  listType: null,
  index: 0,
  individualAddToQueueIndex: 0,
  isIndividualQueueUpdate: false,
  position: 0,
};

/** Fake `/user/queue` of one account: versions, If-Match, and audios that no longer exist. @param audioOf the catalogue */
export function createFakeQueueServer(audioOf = (id: string) => createTrack(id, { source: 'search' })) {
  let version = 0;
  let saved = nothing;
  const gone = new Set<string>();
  const state = {
    isDown: false,
    /** The server stores the next save, but its answer is lost. */
    losesResponse: false,
    puts: [] as { queue: SavedQueue; ifMatch: number; isLeaving: boolean }[],
    gets: 0,
  };

  function newest(): RemoteQueue {
    const queue = {
      ...saved,
      list: saved.list.filter(({ id }) => !gone.has(id)),
      played: saved.played.filter(({ id }) => !gone.has(id)),
    };
    const tracks = [...queue.list, ...queue.played].map(({ id }) => audioOf(id));
    return { version, queue, tracks, dropped: saved.list.length - queue.list.length };
  }

  const server: QueueServer = {
    async get() {
      state.gets += 1;
      if (state.isDown) throw new TypeError('Failed to fetch');
      return newest();
    },
    async put(queue, ifMatch, isLeaving) {
      state.puts.push({ queue, ifMatch, isLeaving });
      if (state.isDown) throw new TypeError('Failed to fetch');
      if (ifMatch !== version) return { ok: false, reason: 'newer', newest: newest() };
      version += 1;
      saved = structuredClone(queue);
      if (!state.losesResponse) return { ok: true, version };
      state.losesResponse = false;
      throw new TypeError('Failed to fetch');
    },
  };

  return {
    server,
    state,
    gone,
    version: () => version,
    /** The ids of the saved list as one string. */
    ids: () => saved.list.map(({ id }) => id).join(''),
    saved: () => saved,
  };
}
