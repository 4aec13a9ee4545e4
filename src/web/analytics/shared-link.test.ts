import { expect, test } from 'vitest';
import { audioAddress } from '../search/suggestion-rows.tsx';
import { sharedAddress, sharedSourceOf } from './shared-link.ts';

const site = 'https://sotto.example';

test('links to audios and voices carry a share tag, others are copied unchanged', () => {
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
  expect(sharedSourceOf({ pathname, search })).toBe(source);
});

test('the time in a search hit’s link does not count as shared', () => {
  const address = new URL(
    audioAddress({ slug: 'bright-star', line: { seconds: 95.4, text: '', marks: [], language: 'en' } }),
    site,
  );
  expect(address.searchParams.get('t')).toBe('95');
  expect(sharedSourceOf(address)).toBe(undefined);
  expect(sharedSourceOf(new URL(sharedAddress(address.href)))).toBe('audio_dynamic_link');
});
