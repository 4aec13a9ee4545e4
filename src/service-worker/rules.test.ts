import { expect, test } from 'vitest';
import { audioPageOf, isBuiltFile, isPage, downloadFileOf } from './rules.ts';

const origin = 'https://sotto.example';
const asked = (path: string, parts: { method?: string; mode?: RequestMode; range?: string } = {}) => ({
  method: parts.method ?? 'GET',
  mode: parts.mode ?? 'cors',
  url: path.startsWith('http') ? path : origin + path,
  headers: new Headers(parts.range === undefined ? {} : { range: parts.range }),
});
const visit = (path: string, method = 'GET') => asked(path, { method, mode: 'navigate' });

test('only this site’s built files are cached, and only as a whole', () => {
  expect(isBuiltFile(asked('/assets/site-Ab12.js'), origin)).toBe(true);
  for (const request of [
    asked('/assets/site-Ab12.js', { range: 'bytes=0-1' }),
    asked('/assets/site-Ab12.js', { method: 'HEAD' }),
    asked('https://elsewhere.example/assets/site-Ab12.js'),
    asked('/media/audios/one', { range: 'bytes=0-' }),
    asked('/media/audios/one'),
    asked('/images/one.webp'),
    asked('/v1/api/user/me'),
    asked('/v2/api/audios'),
    asked('/library.data'),
    visit('/library'),
  ])
    expect([request.url, isBuiltFile(request, origin)]).toEqual([request.url, false]);
});

test('a page navigation may get the offline page; fetches, forms and other files are left alone', () => {
  for (const path of ['/', '/library', '/audio/bright-star?t=95', '/account', '/v', '/mediation'])
    expect([path, isPage(visit(path), origin)]).toEqual([path, true]);
  for (const request of [
    visit('/login', 'POST'),
    asked('/library', { mode: 'navigate', range: 'bytes=0-' }),
    visit('/v1/api/openapi.json'),
    visit('/v2/api/x'),
    visit('/media/audios/one'),
    visit('/kept/one/sound'),
    visit('/blog/feed.xml'),
    visit('/robots.txt'),
    visit('https://elsewhere.example/'),
    asked('/library.data'),
    asked('/'),
  ])
    expect([request.url, isPage(request, origin)]).toEqual([request.url, false]);
});

test('sound and covers on the device have addresses of their own, whatever size is asked for', () => {
  expect(downloadFileOf(asked('/kept/0c1d-2e/sound', { range: 'bytes=0-' }), origin)).toEqual({
    id: '0c1d-2e',
    part: 'sound',
  });
  expect(downloadFileOf(asked('/kept/0c1d-2e/cover?width=64&format=avif'), origin)).toEqual({
    id: '0c1d-2e',
    part: 'cover',
  });
  for (const request of [
    asked('/kept/0c1d-2e/0'),
    asked('/kept/0c1d-2e/sound', { method: 'POST' }),
    asked('/kept/../secret/sound'),
    asked('https://elsewhere.example/kept/0c1d-2e/sound'),
  ])
    expect([request.url, downloadFileOf(request, origin)]).toEqual([request.url, undefined]);
});

test('the page of an audio is known by its slug, as a document and as data', () => {
  expect(audioPageOf(visit('/audio/bright-star?t=95'), origin)).toEqual({ slug: 'bright-star', isData: false });
  expect(audioPageOf(asked('/audio/bright-star.data?_routes=a'), origin)).toEqual({
    slug: 'bright-star',
    isData: true,
  });
  expect(audioPageOf(visit('/ar/audio/bright-star'), origin)?.slug).toBe('bright-star');
  expect(audioPageOf(asked('/de/audio/bright-star.data'), origin)).toEqual({ slug: 'bright-star', isData: true });
  expect(audioPageOf(visit('/xy/audio/bright-star'), origin)).toBeUndefined();
  expect(audioPageOf(visit('/audio/%E2%98%85'), origin)?.slug).toBe('★');
  expect(audioPageOf(visit('/audio/%E2%98'), origin)?.slug).toBe('%E2%98');
  for (const request of [
    visit('/audio/bright-star', 'POST'),
    visit('/audio/bright-star/comments'),
    visit('/audios/bright-star'),
    visit('/audio/'),
    visit('https://elsewhere.example/audio/bright-star'),
    asked('/library.data'),
  ])
    expect([request.url, audioPageOf(request, origin)]).toEqual([request.url, undefined]);
});
