import { t } from '@lingui/core/macro';
import type { RouterContextProvider } from 'react-router';
import { filterNames } from '#domain/catalogue/filters/rules.ts';
import type { FilterChoices, FilterPlace } from '#domain/catalogue/filters/shapes.ts';
import type { AudioFilter } from '#domain/catalogue/forms.ts';
import { foreignNames } from '#formats/language-names.ts';
import { requestContext, siteContext } from '../../context.ts';
import type { ListQuery } from '../lists/list-query.ts';
import { hasChoice, valuesOf } from './filter-query.ts';
import { type Token, anyOf, facetsOf, textOf, tokenText } from './filter-words.ts';
import { isMixOf } from './mix-links.ts';

/** For a list that is filtered, or whose address asks for the form of its filters. */
export type ListFilters = {
  counts: FilterChoices;
  /** In the order of the panel; written here, so that lists load no words for it. */
  chosen: (Token & { text: string })[];
  /** When nothing is found: removing one of these finds most. */
  wider: { text: string; remove: Pick<Token, 'name' | 'value'>[]; audios: number | undefined }[];
  /** The saved filters that the list was opened from. */
  mix?: { id: string; name: string; hasNews: boolean; isChanged: boolean };
};

/** Counts the filters of a list that is no place of the catalogue, and has no mixes. */
type CountFilters = (filter: AudioFilter) => Promise<FilterChoices>;

/** For loaders of lists; costs nothing for a list without filters. */
export async function loadFilters(
  context: Readonly<RouterContextProvider>,
  request: Request,
  place: FilterPlace | CountFilters,
  { filter, sort, cursor }: Pick<ListQuery, 'filter' | 'cursor'> & Partial<Pick<ListQuery, 'sort'>>,
): Promise<{ filters?: ListFilters }> {
  const { search, searchParams } = new URL(request.url);
  const isAsked = [...filterNames, 'filters', 'mix'].some((name) => searchParams.has(name));
  if (!isAsked) return {};
  const { viewer } = context.get(requestContext);
  const { catalogue, library } = context.get(siteContext);
  if (typeof place === 'function') return { filters: describeFilters(await place(filter), filter, search) };
  const mixId = viewer.kind === 'user' ? searchParams.get('mix') : null;
  const [counts, mix] = await Promise.all([
    catalogue.countFilters(viewer, place, filter),
    viewer.kind === 'user' && mixId !== null ? library.findMix(viewer.id, mixId) : undefined,
  ]);
  if (viewer.kind === 'user' && mix && cursor === undefined) await library.visitMix(viewer.id, mix.id);
  const { name = '', hasNews = false } = mix ?? {};
  return {
    filters: {
      ...describeFilters(counts, filter, search),
      ...(mix && { mix: { id: mix.id, name, hasNews, isChanged: !isMixOf(mix, search, place, sort) } }),
    },
  };
}

/** @param filter as parsed: the address may name what is no language */
function describeFilters(counts: FilterChoices, { language = [] }: AudioFilter, search: string): ListFilters {
  const names = foreignNames([...counts.languages.map(({ value }) => value), ...language]);
  const known = facetsOf(counts, names).flatMap(({ options }) =>
    options.flatMap(({ audios: _audios, ...option }): Token[] =>
      option.name === 'tag' ? [option, { ...option, name: 'not' }] : [option],
    ),
  );
  const isKnown = (choice: Pick<Token, 'name' | 'value'>) =>
    known.some(({ name, value }) => name === choice.name && value === choice.value);
  // Those of old links, and tags that nothing has.
  const others = filterNames.flatMap((name) =>
    valuesOf(search, name).flatMap((value): Token[] =>
      isKnown({ name, value }) ? [] : [{ name, value, label: textOf({ name, value }, names), group: value }],
    ),
  );
  const chosen = [...known, ...others]
    .filter((one) => hasChoice(search, one))
    .map((one) => ({ ...one, text: tokenText(one) }));
  const wider = counts.wider.flatMap(({ without, audios }) => {
    const remove = chosen.filter(({ name, value }) => [without[name]].flat().some((one) => String(one) === value));
    if (remove.length === 0) return [];
    const label = anyOf(remove.map((one) => one.label));
    return [{ text: remove[0]?.name === 'not' ? t`With ${label}` : t`Without ${label}`, remove, audios }];
  });
  return { counts, chosen, wider };
}
