import type { ManagedState } from '#domain/studio/rules.ts';
import { answerOf, api } from '../api.ts';

export type Publication = { state: 'published' } | { state: 'scheduled'; at: string } | { state: 'unpublished' };

export function setPublication(id: string, publication: Publication) {
  return answerOf(api.studio.audios[':id'].publication.$put({ param: { id }, json: publication }));
}

/** The change that undoes a publication: it restores the audio's former state. */
export function formerPublication({
  state,
  publishedAt,
}: {
  state: ManagedState;
  publishedAt: string | null;
}): Publication {
  if (state === 'published') return { state: 'published' };
  if (state === 'scheduled' && publishedAt !== null) return { state: 'scheduled', at: publishedAt };
  return { state: 'unpublished' };
}
