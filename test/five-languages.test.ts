/** @module-tag slow */
import { expect, test } from 'vitest';
import { seededRandom } from '#demo/random.ts';
import { type Language, inPath, languageCodes } from '#formats/languages.ts';
import { browserHeaders } from '../bench/browser-headers.ts';
import { ensureBuilt } from '../scripts/build.mjs';
import { startDemoSite } from './support/demo-site.ts';
import { cookieOf } from './support/listener.ts';

/** The name of the main navigation. */
const mainNavigation: Record<Language, string> = {
  en: 'Main',
  de: 'Hauptnavigation',
  fr: 'Navigation principale',
  es: 'Navegación principal',
  ar: 'التنقل الرئيسي',
};
const paths = [
  '/',
  '/audios',
  '/audios?sort=popular',
  '/audio/how-do-i-love-thee',
  '/creators',
  '/creators/maren-holt',
  '/categories',
  '/categories/sleep',
  '/series',
  '/playlists',
  '/search?search=rain',
  '/blog',
  '/about',
  '/nothing-here',
];
const tries = 3000;
/** Fewer than are answered at once, of which half are of one user. */
const connections = 16;

await ensureBuilt();
const site = await startDemoSite();

test(`${tries} pages in five languages at once are each in the one asked for`, { timeout: 240_000 }, async () => {
  const session = await cookieOf({ email: 'subscriber@sotto.example', password: 'subscriber' }, site.url);
  const random = seededRandom(45);
  const one = <Value>(list: readonly Value[]) => list[Math.floor(random() * list.length)] as Value;
  const wrong: string[] = [];
  let asked = 0;

  async function askOnce(): Promise<void> {
    const [language, path] = [one(languageCodes), one(paths)];
    // By its address, or by the browser's choice; a visitor's page is cached, a user's is not.
    const isPrefixed = language !== 'en' && random() < 0.5;
    const cookies = [random() < 0.5 ? session : '', isPrefixed ? '' : `sotto_language=${language}`];
    const address = isPrefixed ? inPath(language, path, languageCodes) : path;
    const cookie = cookies.filter((text) => text !== '').join('; ');
    const answer = await fetch(site.url + address, { headers: { ...browserHeaders, cookie } });
    const html = await answer.text();
    const tag = /<html[^>]* lang="([^"]+)"/.exec(html)?.[1];
    const names = Object.values(mainNavigation).filter((name) => html.includes(`aria-label="${name}"`));
    if (tag !== language || names.join() !== mainNavigation[language])
      wrong.push(`${answer.status} ${address} (${cookie}): ${tag}, ${names.join()}`);
  }

  async function askOn(): Promise<void> {
    while (asked < tries) {
      asked += 1;
      await askOnce();
    }
  }
  await Promise.all(Array.from({ length: connections }, askOn));
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThanOrEqual(tries);
});
