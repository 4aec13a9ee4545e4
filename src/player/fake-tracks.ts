import type { Track } from './track.ts';

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
