import { expect, test } from 'vitest';
import { withQuery } from './list-links.ts';
import { voiceHref } from './links.ts';

test('a voice link leads to its own page, or to the linked series if there is one', () => {
  expect(voiceHref({ slug: 'maren-holt' })).toBe('/creators/maren-holt');
  expect(voiceHref({ slug: 'maren-holt', linkedSeries: null })).toBe('/creators/maren-holt');
  expect(voiceHref({ slug: 'the-cast', linkedSeries: { slug: 'five-nights' } })).toBe('/series/five-nights');
});

test('a changed list keeps the other parameters and starts at its first page', () => {
  expect(withQuery('?sort=title&cursor=abc', { tag: 'sea' })).toBe('?sort=title&tag=sea');
  expect(withQuery('?sort=title&tag=sea', { tag: undefined })).toBe('?sort=title');
});

test('the same filters have the same address, in whichever order they were chosen', () => {
  const choose = (...chosen: [string, string][]) =>
    chosen.reduce((search, [name, value]) => withQuery(search, { [name]: value }), '');
  expect(choose(['tag', 'sea'], ['sort', 'title'], ['free', 'true'])).toBe('?free=true&sort=title&tag=sea');
  expect(choose(['free', 'true'], ['tag', 'sea'], ['sort', 'title'])).toBe('?free=true&sort=title&tag=sea');
  expect(withQuery('?tag=sea&free=true', {})).toBe('?free=true&tag=sea');
});
