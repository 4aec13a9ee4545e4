import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { openFeedHub } from '#gateways/feed-hub.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createArticle, createAudio, createSeries, createVoice } from '#test/support/factories.ts';
import { audios } from '../catalogue/tables.ts';
import { purgeHubPings, tellHub } from './hub.ts';
import { hubPings } from './tables.ts';

const { db } = await createTestDatabase();

const told: string[][] = [];
let status = 204;
/** Refused by the hub. */
let refused = '';
const server = createServer(async (request, response) => {
  const asked = new URLSearchParams(await text(request));
  if (asked.get('hub.mode') === 'publish') told.push(asked.getAll('hub.url'));
  response
    .writeHead(refused !== '' && asked.getAll('hub.url').some((url) => url.includes(refused)) ? 400 : status)
    .end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

const hub = openFeedHub(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
const site = { url: 'https://sotto.example', languages: ['en', 'de'] as const };
const tell = async () => {
  told.length = 0;
  await tellHub(db, hub, { ...site, languages: [...site.languages] });
  return told.map(([first]) => first?.replace(site.url, '')).toSorted();
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('the hub is told once of each public feed with something new, and again of what it did not take', async () => {
  const [ana, bo, quiet] = [await createVoice(db), await createVoice(db), await createVoice(db)];
  const fresh = { isFree: true, publishedAt: minutesAgo(5) };
  const audio = await createAudio(db, { ...fresh, voiceId: ana.id });
  await createAudio(db, { ...fresh, voiceId: bo.id, isStreamOnly: true });
  await createAudio(db, { ...fresh, voiceId: bo.id, isFree: false });
  await createAudio(db, { ...fresh, voiceId: bo.id, publishedAt: minutesAgo(25 * 60) });
  const soon = await createAudio(db, { ...fresh, voiceId: quiet.id, publishedAt: minutesAgo(0) });
  const series = await createSeries(db, { voiceId: ana.id, audioIds: [audio.id] });
  await createArticle(db, { publishedAt: minutesAgo(2) });
  const expected = ['/blog/feed.xml', `/creators/${ana.slug}/feed.xml`, `/series/${series.slug}/feed.xml`].toSorted();

  status = 503;
  await expect(tell()).rejects.toThrow('503');
  status = 204;
  expect(await tell()).toEqual(expected);
  expect(told.every(([first = '', second]) => second === first.replace(site.url, `${site.url}/de`))).toBe(true);
  expect(await tell()).toEqual([]);

  await db
    .update(audios)
    .set({ publishedAt: minutesAgo(2) })
    .where(eq(audios.id, soon.id));
  expect(await tell()).toEqual([`/creators/${quiet.slug}/feed.xml`]);
  await createAudio(db, { ...fresh, voiceId: ana.id, publishedAt: minutesAgo(1.5) });
  expect(await tell()).toEqual([`/creators/${ana.slug}/feed.xml`]);

  // One that the hub refuses holds back no other.
  await createAudio(db, { ...fresh, voiceId: ana.id, publishedAt: minutesAgo(1.4) });
  await createAudio(db, { ...fresh, voiceId: quiet.id, publishedAt: minutesAgo(1.2) });
  refused = ana.slug;
  await expect(tell()).rejects.toThrow('400');
  refused = '';
  expect(await tell()).toEqual([`/creators/${ana.slug}/feed.xml`]);

  expect(await purgeHubPings(db)).toBe(0);
  await db.update(hubPings).set({ newest: sql`now() - interval '25 hours'` });
  expect(await purgeHubPings(db)).toBe(4);
});
