import type { PreferenceStore } from '#player/stored.ts';
import type { QueueTracks } from '#player/queue/local-queue.ts';
import type { Track } from '#player/track.ts';

export function createTrack(id: string, overrides: Partial<Track> = {}): Track {
  return {
    id,
    slug: `audio-${id}`,
    title: `Audio ${id}`,
    imageUrl: `/images/${id}.webp`,
    audioFileUrl: `/files/${id}`,
    numberDuration: 300,
    color: null,
    isFree: true,
    voice: { id: 'voice', name: 'Maren Holt', slug: 'maren-holt' },
    source: 'category',
    ...overrides,
  };
}

export function createTracks(ids: string, overrides: Partial<Track> = {}): Track[] {
  return [...ids].map((id) => createTrack(id, overrides));
}

/** The ids of a list as one string, so that tests can compare with "cdeab". */
export function idsOf(list: readonly Track[]): string {
  return list.map((track) => track.id).join('');
}

/** The stored queue's audios, readable in the same storage, so that a test reloads both. */
export function createFakeQueueTracks(store: PreferenceStore): QueueTracks {
  let tracks = new Map((JSON.parse(store.get('tracks') || '[]') as Track[]).map((track) => [track.id, track]));
  return {
    find: (id) => tracks.get(id),
    save(saved) {
      tracks = new Map(saved.map((track) => [track.id, track]));
      store.set('tracks', saved.length === 0 ? '' : JSON.stringify(saved));
    },
  };
}
