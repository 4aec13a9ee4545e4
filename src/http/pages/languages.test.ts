import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Language, type OfferedLanguages, languageCodes, prefixOf } from '#formats/languages.ts';
import { language } from '#i18n';
import { askPage, openAnsweringPages } from '#test/support/answering-pages.ts';

type Shown = { loader: Language; rendering: Language; script: string; style: string[]; basename: string };

/** Pages that say their language, as a slow loader and the rendering see it, and what the browser loads. */
function open(languages: OfferedLanguages = languageCodes) {
  return openAnsweringPages({
    languages,
    viewers: { undecided: {}, french: { language: 'fr' } },
    async load() {
      await wait(Math.random() * 5);
      return language();
    },
    render: (loader, { manifest, staticHandlerContext }) => ({
      loader,
      rendering: language(),
      script: manifest.entry.module,
      style: manifest.routes['root']?.css,
      basename: staticHandlerContext.basename,
    }),
  });
}

const ask = (pages: ReturnType<typeof open>, path: string, cookie?: string) => askPage<Shown>(pages, path, cookie);

test.each<[path: string, cookie: string, expected: Language]>([
  ['/audios', '', 'en'],
  ['/audios', 'sotto_language=de', 'de'],
  ['/audios', 'sotto_language=xx', 'en'],
  ['/audios', 'sotto_language=de; sotto_session=undecided', 'de'],
  ['/audios', 'sotto_language=de; sotto_session=french', 'fr'],
  ['/de/audios', 'sotto_language=es; sotto_session=french', 'de'],
  ['/ar', '', 'ar'],
  ['/es/search?search=love', '', 'es'],
])('%s with “%s” is in %s: by its address, else by the account, else by the cookie', async (path, cookie, expected) => {
  const shown = await ask(open(), path, cookie);
  const folder = expected === 'en' ? '' : `${expected}/`;
  expect(shown).toEqual({
    loader: expected,
    rendering: expected,
    script: `/assets/${folder}entry-1.js`,
    style: ['/assets/root-1.css'],
    basename: path.startsWith('/audios') ? '/' : prefixOf(expected, languageCodes),
  });
});

test('a language that the site does not offer has no addresses, and nobody is given it', async () => {
  const pages = open(['en']);
  for (const [path, cookie] of [
    ['/de/audios', ''],
    ['/audios', 'sotto_language=de'],
    ['/audios', 'sotto_session=french'],
  ] as const)
    expect(await ask(pages, path, cookie)).toMatchObject({ loader: 'en', rendering: 'en', basename: '/' });
});

test('pages in all languages at once, cached and not, of visitors and users, are never in another one', async () => {
  const pages = open();
  const asked = Array.from({ length: 1000 }, (_, index) => {
    const code = languageCodes[index % languageCodes.length] ?? 'en';
    const path = `/audios?page=${index % 60}`;
    const [prefix, cookie] = index % 2 === 0 ? [prefixOf(code, languageCodes), ''] : ['', `sotto_language=${code}`];
    return { code, path: prefix + path, cookie: index % 3 === 0 ? `${cookie}; sotto_session=undecided` : cookie };
  });
  const waiting = asked.values();
  const wrong: unknown[] = [];
  async function next(): Promise<void> {
    for (const { code, path, cookie } of waiting) {
      const { loader, rendering } = await ask(pages, path, cookie);
      if (loader !== code || rendering !== code) wrong.push({ path, cookie, loader, rendering });
    }
  }
  await Promise.all(Array.from({ length: 40 }, next));
  expect(wrong).toEqual([]);
});

test.each([
  ['/de/', '/de'],
  ['/de/audio/Bright-Star?page=2', '/de/audio/bright-star?page=2'],
  ['/de//evil.example/', '/de/evil.example'],
])('%s moves to %s', async (path, expected) => {
  const response = await open()(new Request(`http://localhost${path}`));
  expect([response.status, response.headers.get('location')]).toEqual([301, expected]);
});
