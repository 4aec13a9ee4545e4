import { redirect } from 'react-router';
import { AudioFilter, AudioSort } from '#domain/catalogue/forms.ts';
import { voiceTypeLabels, voiceTypes } from '#domain/catalogue/rules.ts';
import { sentFilters } from '../filters/filter-query.ts';
import { voiceTypeText } from '../voice-type-text.ts';

export const pageSize = 24;

/** Loaders hand these to pages as data: importing their module in the browser would bundle the whole form library. */
export const voiceTypeChoices = () =>
  voiceTypes.map((value) => ({ value, label: voiceTypeText(voiceTypeLabels[value]) }));

export type ListQuery = {
  sort: AudioSort | undefined;
  filter: AudioFilter;
  cursor: string | undefined;
  /** Audios in languages that the viewer has not chosen, too. */
  languages?: 'all';
};

/**
 * Reads order, filters and cursor from the address. Invalid values are ignored; the cursor is validated where it is
 * used.
 * @throws redirect to the list’s one address, after a form of filters that the browser itself sent
 */
export function readListQuery(request: Request): ListQuery {
  const { search, searchParams: parameters } = new URL(request.url);
  if (parameters.get('filters') === 'set') throw redirect(sentFilters(search));
  const filter: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(AudioFilter.shape)) {
    const given = parameters.getAll(name);
    const parsed = schema.safeParse(given.length > 1 ? given : given[0]);
    if (parsed.success && parsed.data !== undefined) filter[name] = parsed.data;
  }
  const sort = AudioSort.safeParse(parameters.get('sort'));
  return {
    sort: sort.success ? sort.data : undefined,
    filter: filter as AudioFilter,
    cursor: parameters.get('cursor') ?? undefined,
    ...(parameters.get('languages') === 'all' && { languages: 'all' }),
  };
}

/** API address of the same list, from which the browser loads the pages after the first. */
export function restOf(path: string, { sort, filter, languages }: Partial<Omit<ListQuery, 'cursor'>>): string {
  const parameters = new URLSearchParams();
  if (languages !== undefined) parameters.set('languages', languages);
  if (sort !== undefined) parameters.set('sort', sort);
  for (const [name, value] of Object.entries(filter ?? {}))
    if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
