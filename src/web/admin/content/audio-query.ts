import { z } from 'zod';
import { audioAccesses, audioProblems } from '#domain/admin/rules.ts';
import { syntheticVoices } from '#domain/catalogue/rules.ts';
import { managedSorts, managedStates } from '#domain/studio/rules.ts';

const slug = z.string().min(1).max(120).optional().catch(undefined);

/** Invalid values are ignored. */
const Query = z.object({
  q: z.string().max(100).optional().catch(undefined),
  state: z.enum(managedStates).optional().catch(undefined),
  voice: slug,
  category: slug,
  tag: slug,
  access: z.enum(audioAccesses).optional().catch(undefined),
  syntheticVoice: z.enum(syntheticVoices).optional().catch(undefined),
  problem: z.enum(audioProblems).optional().catch(undefined),
  changed: z.coerce.number().int().min(1).max(3650).optional().catch(undefined),
  sort: z.enum(managedSorts).catch('changed'),
  after: z.string().optional(),
  before: z.string().optional(),
});
export type AudioQuery = z.output<typeof Query>;

/** Query of the audio table from its address. */
export function readAudioQuery(parameters: URLSearchParams): AudioQuery {
  const given = [...parameters].filter(([, value]) => value !== '');
  return Query.parse(Object.fromEntries(given));
}

/** For an act on all audios that match the filters. */
export function filterOf({ sort: _sort, after: _after, before: _before, ...filter }: AudioQuery) {
  return filter;
}
