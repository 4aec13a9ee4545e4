import { href } from 'react-router';
import type { FilterPlace } from '#domain/catalogue/filters/shapes.ts';
import type { AudioSort } from '#domain/catalogue/forms.ts';
import type { Mix } from '#domain/library/mixes/mixes.ts';
import { withQuery } from '../list-links.ts';
import { filterNames } from '#domain/catalogue/filters/rules.ts';

/** Filters and order, as in the address of a list. */
const queryOf = ({ filter, sort }: Pick<Mix, 'filter' | 'sort'>) =>
  withQuery('', { ...Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])), sort });

/** The list that a mix was saved from, with its filters. */
export function mixHref(mix: Mix): string {
  const { place } = mix;
  const path =
    place === null
      ? href('/audios')
      : place.kind === 'category'
        ? href('/categories/:slug', { slug: place.slug })
        : href('/creators/:slug', { slug: place.slug });
  return path + withQuery(queryOf(mix), { mix: mix.id });
}

/** Whether a list shows what a mix finds. @param sort of the address; absent: that of the place */
export function isMixOf(mix: Mix, search: string, { categoryId, voiceId }: FilterPlace, sort?: AudioSort): boolean {
  const kind = categoryId ? 'category' : voiceId ? 'voice' : undefined;
  const parameters = new URLSearchParams(search);
  const filter = Object.fromEntries(filterNames.map((name) => [name, parameters.get(name) ?? undefined]));
  const shown = withQuery('', { ...filter, sort: sort ?? (kind ? 'popular' : 'recent') });
  return mix.place?.kind === kind && shown === queryOf(mix);
}
