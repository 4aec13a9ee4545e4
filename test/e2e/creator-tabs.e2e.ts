/** @module-tag slow */
import { expect, test } from 'vitest';
import { createAudio, createPlaylist, createSeries, createVoice } from '../support/factories.ts';
import { startWholeSite } from '../support/whole-site.ts';

const { db, url } = await startWholeSite();
const voice = await createVoice(db);
const audio = await createAudio(db, { voiceId: voice.id });
// One more than a page.
for (let n = 10; n < 41; n += 1) {
  await createPlaylist(db, { slug: `playlist-${n}`, position: n, audioIds: [audio.id] });
  await createSeries(db, { slug: `series-${n}`, title: `Series ${n}`, voiceId: voice.id });
}
await createPlaylist(db, { slug: 'playlist-of-others', audioIds: [(await createAudio(db)).id] });

async function readPage(search: string) {
  const response = await fetch(`${url}/creators/${voice.slug}${search}`, { headers: { accept: 'text/html' } });
  const html = await response.text();
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  return {
    status: response.status,
    counts: [...main.matchAll(/(Series|Playlists)<span[^>]*>(\d+)/g)].map(([, name, count]) => `${name} ${count}`),
    cards: [...new Set([...main.matchAll(/href="\/(?:playlists|series)\/([\w-]+)/g)].map(([, slug]) => slug))],
    next: /href="[^"]*(\?[^"]*cursor=[^"]*)"/.exec(main)?.[1]?.replaceAll('&amp;', '&'),
  };
}

test.each(['series', 'playlists'])('all %s of a creator are on their tab, page after page', async (tab) => {
  const first = await readPage(`?tab=${tab}`);
  expect(first).toMatchObject({ status: 200, counts: ['Series 31', 'Playlists 31'] });
  expect(first.cards).toHaveLength(30);
  const second = await readPage(first.next ?? '');
  expect(second.cards).toEqual([expect.stringMatching(/-40$/)]);
  expect(second.next).toBeUndefined();
});

test('the page of a creator has the numbers of its series and playlists, and not their cards', async () => {
  expect(await readPage('')).toMatchObject({ status: 200, counts: ['Series 31', 'Playlists 31'], cards: [] });
});
