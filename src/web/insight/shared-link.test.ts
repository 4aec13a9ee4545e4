import { expect, test } from 'vitest';
import { sharedAddress, sharedSourceOf } from './shared-link.ts';

const site = 'https://sotto.example';

test('links to audios and voices say that they were shared, others are copied as they are', () => {
  expect(sharedAddress(`${site}/audio/bright-star?t=95`)).toBe(`${site}/audio/bright-star?t=95&via=share`);
  expect(sharedAddress(`${site}/creators/maren-holt`)).toBe(`${site}/creators/maren-holt?via=share`);
  for (const path of ['/series/sleep-by-degrees', '/users-playlists/one', '/audios'])
    expect(sharedAddress(site + path)).toBe(site + path);
});

test.each([
  ['/audio/bright-star', '?via=share', 'audio_dynamic_link'],
  ['/audio/bright-star', '?t=95', 'audio_dynamic_link'],
  ['/creators/maren-holt', '?via=share', 'voice_dynamic_link'],
  ['/audio/bright-star', '', undefined],
  ['/audio/bright-star', '?via=mail', undefined],
  ['/series/sleep-by-degrees', '?via=share', undefined],
])('%s%s is met by %s', (pathname, search, source) => {
  expect(sharedSourceOf({ pathname, search, key: 'default' })).toBe(source);
});

test('a time that was gone to on the site itself, as from a search hit, was not shared', () => {
  const place = { pathname: '/audio/bright-star', key: 'a1b2c3' };
  expect(sharedSourceOf({ ...place, search: '?t=95' })).toBe(undefined);
  expect(sharedSourceOf({ ...place, search: '?t=95&via=share' })).toBe('audio_dynamic_link');
});
