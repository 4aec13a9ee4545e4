import { AudioFilter, AudioSort, voiceTypeLabels, voiceTypes } from '#domain/catalogue/forms.ts';

/** Items on one page of a list. */
export const pageSize = 24;

/** For loaders to hand to pages: what they come from brings the whole form library, which no browser should fetch. */
export const voiceTypeChoices = voiceTypes.map((value) => ({ value, label: voiceTypeLabels[value] }));

export type ListQuery = { sort: AudioSort | undefined; filter: AudioFilter; cursor: string | undefined };

/** Reads what the address asks of a list. A value that means nothing here counts as not given; the cursor is checked where it is used. */
export function readListQuery(request: Request): ListQuery {
  const parameters = new URL(request.url).searchParams;
  const filter: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(AudioFilter.shape)) {
    const parsed = schema.safeParse(parameters.get(name) ?? undefined);
    if (parsed.success && parsed.data !== undefined) filter[name] = parsed.data;
  }
  const sort = AudioSort.safeParse(parameters.get('sort'));
  return {
    sort: sort.success ? sort.data : undefined,
    filter: filter as AudioFilter,
    cursor: parameters.get('cursor') ?? undefined,
  };
}

/** The same list in the API, where the browser asks for the pages after the first. */
export function restOf(path: string, { sort, filter }: Pick<ListQuery, 'sort' | 'filter'>): string {
  const parameters = new URLSearchParams();
  if (sort !== undefined) parameters.set('sort', sort);
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
