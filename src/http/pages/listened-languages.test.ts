import { expect, test } from 'vitest';
import { askPage, openAnsweringPages } from '#test/support/answering-pages.ts';

let rendered = 0;

/** Pages that say which languages their viewer is shown. */
const pages = openAnsweringPages({
  languages: ['de'],
  viewers: { undecided: {}, all: { listensTo: null }, french: { listensTo: ['fr'], readsOnly: ['fr'] } },
  load(given) {
    rendered += 1;
    const { viewer, listensTo } = given ?? {};
    return { shown: viewer?.listensTo ?? 'all', listensTo: listensTo ?? null, reads: viewer?.readsOnly ?? 'all' };
  },
  render: (loaded) => loaded,
});

const ask = (path: string, cookie: string) => askPage(pages, path, cookie);

const nothing = { shown: 'all', listensTo: null, reads: 'all' };
const german = { shown: ['de'], listensTo: ['de'], reads: 'all' };
const french = { shown: ['fr'], listensTo: ['fr'], reads: ['fr'] };

test('two visitors in turn get their own page, each from the cache the second time', async () => {
  const visits = [
    ['/audios', '', nothing],
    ['/audios', 'sotto_listens=de', german],
    ['/audios', 'sotto_listens=fr.only', french],
    ['/audios', 'sotto_listens=en.de', { ...german, shown: ['de', 'en'], listensTo: ['de', 'en'] }],
    ['/audios?languages=all', 'sotto_listens=de', { ...german, shown: 'all' }],
    ['/audios?languages=de', 'sotto_listens=de', german],
    ['/audios?languages=all', '', nothing],
  ] as const;
  rendered = 0;
  for (let round = 0; round < 3; round += 1)
    for (const [path, cookie, expected] of visits) expect(await ask(path, cookie)).toEqual(expected);
  expect(rendered).toBe(visits.length);
  // Another order is the same choice.
  await ask('/audios', 'sotto_listens=de.en');
  expect(rendered).toBe(visits.length);
  // As Node's own request asks.
  const kept = visits.map(([path, cookie]) => pages.findCached(path, cookie));
  expect(new Set(kept.map((page) => page?.etag)).size).toBe(5);
  expect(kept).not.toContain(undefined);
});

test.each([
  ['undecided', '', nothing],
  ['undecided', 'sotto_listens=de', german],
  ['all', 'sotto_listens=de', nothing],
  ['french', 'sotto_listens=de', french],
])('the account’s choice comes before the browser’s: %s with “%s”', async (session, cookie, expected) => {
  expect(await ask('/audios', `sotto_session=${session}; ${cookie}`)).toEqual(expected);
});

test('a page of all languages leaves comments as they were chosen', async () => {
  const page = await ask('/audios?languages=all', 'sotto_session=french');
  expect(page).toEqual({ ...french, shown: 'all' });
});
