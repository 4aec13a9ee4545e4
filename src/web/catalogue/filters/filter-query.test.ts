import { expect, test } from 'vitest';
import { sentFilters, valuesOf, withChoice, withoutFilters } from './filter-query.ts';

const choose = (search: string, name: Parameters<typeof withChoice>[1]['name'], value: string, isOn = true) =>
  withChoice(search, { name, value }, isOn);

test('the same filters have one address, in whichever order they were chosen, and lead to the first page', () => {
  const one = choose(choose(choose('?cursor=abc', 'tag', 'tender'), 'tag', 'longing'), 'length', 'short');
  const other = choose(choose(choose('?page=2', 'length', 'short'), 'tag', 'longing'), 'tag', 'tender');
  expect([one, other]).toEqual(['?length=short&tag=longing,tender', '?length=short&tag=longing,tender']);
  expect(choose(one, 'tag', 'longing', false)).toBe('?length=short&tag=tender');
  expect(choose('?tag=tender', 'tag', 'tender', false)).toBe('?');
});

test('a tag is wanted or left out, never both', () => {
  expect(choose('?tag=longing,parting', 'not', 'parting')).toBe('?not=parting&tag=longing');
  expect(choose('?not=parting&tag=longing', 'tag', 'parting')).toBe('?tag=longing,parting');
});

test('a filter with one value is replaced, and the rest of the address stays', () => {
  expect(choose('?search=a%26b&syntheticVoice=wholly', 'syntheticVoice', 'none')).toBe(
    '?search=a%26b&syntheticVoice=none',
  );
  expect(withoutFilters('?free=true&not=a&shorterThan=600&sort=title&tag=b')).toBe('?sort=title');
});

test('a form without scripts names each value on its own; its address becomes the one of the list', () => {
  const sent = '?tag=tender&tag=longing&not=parting&not=tender&sort=title&filters=set&length=';
  expect(sentFilters(sent)).toBe('?not=parting,tender&sort=title&tag=longing');
  expect(valuesOf(sent, 'tag')).toEqual(['longing', 'tender']);
});
