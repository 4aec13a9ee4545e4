import { filterNames } from '#domain/catalogue/filters/rules.ts';
import { withQuery } from '../list-links.ts';

/*
 * Filters in the address of a list, written in one order: several values of one name are joined by commas, sorted, and
 * names are sorted too.
 */

/** They have one value. */
const single = ['free', 'syntheticVoice', 'shorterThan'];
export type FilterName = (typeof filterNames)[number];

/** One filter of a list. */
export type Choice = { name: FilterName; value: string };

/** A form without scripts names each value on its own. */
export function valuesOf(search: string, name: FilterName): string[] {
  const values = new URLSearchParams(search).getAll(name).flatMap((part) => part.split(','));
  return [...new Set(values)].filter((value) => value !== '').toSorted();
}

export const hasChoice = (search: string, { name, value }: Choice) => valuesOf(search, name).includes(value);

/** The same list with this filter, or without it. A tag is either wanted or left out. */
export function withChoice(search: string, choice: Choice, isOn: boolean): string {
  const { name, value } = choice;
  const values = valuesOf(search, name).filter((other) => other !== value);
  const isOne = single.includes(name);
  const changed = written(search, { [name]: isOn ? [...(isOne ? [] : values), value] : values });
  const opposite = name === 'tag' ? 'not' : name === 'not' ? 'tag' : undefined;
  return isOn && opposite ? withChoice(changed, { name: opposite, value }, false) : changed;
}

export const withoutFilters = (search: string) =>
  written(search, Object.fromEntries(filterNames.map((name) => [name, []])));

/** The one address of what a form without scripts has sent. */
export function sentFilters(search: string): string {
  const left = valuesOf(search, 'not');
  const all = Object.fromEntries(filterNames.map((name) => [name, valuesOf(search, name)]));
  return written(search, { ...all, tag: valuesOf(search, 'tag').filter((slug) => !left.includes(slug)) });
}

function written(search: string, changes: Record<string, string[]>): string {
  const joined = Object.entries(changes).map(([name, values]) => [name, values.toSorted().join() || undefined]);
  return withQuery(search, { page: undefined, filters: undefined, ...Object.fromEntries(joined) });
}
