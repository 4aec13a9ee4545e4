import { href } from 'react-router';

/**
 * Links to a voice with a linked series lead to that series, whose page links to the voice (spec §2, `/series/{slug}`).
 */
export function voiceHref({ slug, linkedSeries }: { slug: string; linkedSeries?: { slug: string } | null }): string {
  return linkedSeries ? href('/series/:slug', { slug: linkedSeries.slug }) : href('/creators/:slug', { slug });
}
