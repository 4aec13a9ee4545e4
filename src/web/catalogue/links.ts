import { href } from 'react-router';
import type { Voice } from '#domain/catalogue/voices.ts';

/** The page of a voice; of its linked series when it has nothing else (spec §2, `/series/{slug}`). */
export function voiceHref(voice: Pick<Voice, 'slug' | 'linkedSeries' | 'totalAudios'>): string {
  if (voice.linkedSeries !== null && voice.totalAudios === 0)
    return href('/series/:slug', { slug: voice.linkedSeries.slug });
  return href('/creators/:slug', { slug: voice.slug });
}
