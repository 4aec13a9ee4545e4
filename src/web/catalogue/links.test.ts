import { expect, test } from 'vitest';
import { withQuery } from './list-links.ts';
import { voiceHref } from './links.ts';

test('a voice has its own page, also when it tells a series', () => {
  expect(voiceHref({ slug: 'maren-holt', linkedSeries: null, totalAudios: 7 })).toBe('/creators/maren-holt');
  expect(voiceHref({ slug: 'maren-holt', linkedSeries: { slug: 'sonnets' }, totalAudios: 7 })).toBe(
    '/creators/maren-holt',
  );
});

test('a voice that has nothing but its linked series leads there', () => {
  expect(voiceHref({ slug: 'the-cast', linkedSeries: { slug: 'five-nights' }, totalAudios: 0 })).toBe(
    '/series/five-nights',
  );
});

test('a changed list keeps what else was asked and begins at its beginning', () => {
  expect(withQuery('?sort=title&cursor=abc', { tag: 'sea' })).toBe('?sort=title&tag=sea');
  expect(withQuery('?sort=title&tag=sea', { tag: undefined })).toBe('?sort=title');
});
