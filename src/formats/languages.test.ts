import { expect, test } from 'vitest';
import { firstKnown, inPath, splitPrefix, wantedLanguages } from './languages.ts';

test.each([
  ['/de', 'de', '/'],
  ['/de?page=2', 'de', '/?page=2'],
  ['/de.data?_routes=root', 'de', '/.data?_routes=root'],
  ['/ar/audio/bright-star.data', 'ar', '/audio/bright-star.data'],
  ['/fr/', 'fr', '/'],
  ['/en/audios', 'en', '/audios'],
  ['/xx/audios', undefined, '/xx/audios'],
  ['/design', undefined, '/design'],
  ['/de.json', undefined, '/de.json'],
  ['/', undefined, '/'],
])('%s is the page %s %s', (address, language, path) => {
  expect(splitPrefix(address)).toEqual({ language, path });
  if (language !== undefined)
    expect(inPath(language as 'de', path, ['es', 'de'])).toBe(address.replace(/(?<=^\/..)\/$/, ''));
  expect(inPath('es', path, ['es', 'de'])).toBe(path);
});

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, fr-CA;q=0.8, *;q=0.1', 'fr'],
  ['eo, la;q=0.9', undefined],
  ['de;q=0, es', 'es'],
  ['constructor', undefined],
  ['', undefined],
])('“%s” asks for %s', (header, expected) => {
  expect(firstKnown(wantedLanguages(header))).toBe(expected);
});
