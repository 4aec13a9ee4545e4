import { expect, test } from 'vitest';
import { arrangeOwn, readLibraryQuery, restOfFavorites, sortLabelsOf } from './library-tabs.ts';

test('reads the tab, the order and the filter from the address', () => {
  expect(readLibraryQuery('?tab=voices&sort=title&filter=%20ren%20')).toEqual({
    tab: 'voices',
    sort: 'title',
    filter: 'ren',
  });
});

test('invalid values are ignored', () => {
  const first = { tab: 'audios', sort: 'recent', filter: '' };
  expect(readLibraryQuery('')).toEqual(first);
  expect(readLibraryQuery('?tab=__proto__&sort=evil')).toEqual(first);
  // Voices have no duration to sort by.
  expect(readLibraryQuery('?tab=voices&sort=longest').sort).toBe('recent');
  expect(readLibraryQuery('?tab=own&sort=oldest').sort).toBe('recent');
  expect(readLibraryQuery(`?filter=${'a'.repeat(500)}`).filter.length).toBe(100);
});

test('each tab offers the orders it can be put in', () => {
  expect(Object.keys(sortLabelsOf('audios'))).toEqual(['recent', 'oldest', 'title', 'popular', 'shortest', 'longest']);
  expect(Object.keys(sortLabelsOf('users'))).toEqual(['recent', 'oldest', 'title']);
  expect(Object.keys(sortLabelsOf('own'))).toEqual(['recent', 'title']);
});

test('the rest of a list is requested with its order and filter', () => {
  expect(restOfFavorites('audios', { sort: 'title', filter: 'a & b' })).toBe(
    '/v1/api/user/favorites/audios?sort=title&filter=a+%26+b',
  );
  expect(restOfFavorites('audios', { sort: 'recent', filter: '' }, { tag: ['rain', 'sea'], free: 'true' })).toBe(
    '/v1/api/user/favorites/audios?sort=recent&tag=rain%2Csea&free=true',
  );
  expect(restOfFavorites('users', { sort: 'recent', filter: '' })).toBe('/v1/api/user/favorites/users?sort=recent');
});

test('own playlists are found and ordered regardless of case and accents', () => {
  const own = [{ title: 'Été' }, { title: 'after rain' }, { title: 'Etude' }];
  const titles = (query: Parameters<typeof arrangeOwn>[1]) => arrangeOwn(own, query).map(({ title }) => title);
  expect(titles({ sort: 'recent', filter: 'ET' })).toEqual(['Été', 'Etude']);
  expect(titles({ sort: 'title', filter: '' })).toEqual(['after rain', 'Été', 'Etude']);
});
