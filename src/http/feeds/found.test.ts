import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { editAudio } from '#domain/catalogue/editing/editing.ts';
import { setPreview } from '#domain/catalogue/site-settings.ts';
import { credits } from '#domain/catalogue/credits/tables.ts';
import { audios, voices } from '#domain/catalogue/tables.ts';
import {
  createArticle,
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createVoice,
} from '#test/support/factories.ts';
import { podcastFaults, readAsHtml } from '#test/support/sound/podcast-faults.ts';
import { AgeSettings, ageSetting } from '#domain/age/settings.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import { startTestSite } from '#test/support/site.ts';
import { languageSetting } from '#domain/settings/languages.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { slow } from '#test/support/tags.ts';

const {
  url: reached,
  site: openedSite,
  db,
  blobs,
  errors,
} = await startTestSite({
  SITE_URL: 'https://sotto.example',
  OPERATOR_NAME: 'Night Works',
  OPERATOR_EMAIL: 'hello@sotto.example',
  WEBSUB_HUB: 'https://hub.example/',
});
const site = 'https://sotto.example';
// Podcast directories get sound where no rule asks for an age.
await changeSetting(db, ageSetting, {
  actor: operator,
  value: AgeSettings.parse({ others: { rule: 'none', again: 'device' } }),
  revision: 0,
});
await openedSite.settings.refresh();

const cover = await sharp({ create: { width: 1800, height: 1500, channels: 3, background: '#b05040' } })
  .webp()
  .toBuffer();
await blobs.write('images/cover.webp', cover);
const voice = await createVoice(db, {
  name: 'Ana & "Bea" <Co>',
  bio: 'Reads\u0001 ]]> slowly.',
  imageKey: 'images/cover.webp',
});
const shared = { voiceId: voice.id, imageKey: 'images/cover.webp' };
const free = await createAudio(db, {
  ...shared,
  title: 'Open <Door> & “Æther”',
  isFree: true,
  durationMs: 61_400,
  description: '',
});
const preview = await createAudio(db, { ...shared, title: 'Preview', publishedAt: new Date('2026-01-02T03:04:05Z') });
await setPreview(db, preview.id);
const locked = await createAudio(db, { ...shared, title: 'Locked' });
const draft = await createAudio(db, { ...shared, title: 'Draft', publishedAt: null, isFree: true });
await blobs.write(free.fileKey, Buffer.alloc(free.fileBytes, 1));
const series = await createSeries(db, {
  title: 'Nights',
  voiceId: voice.id,
  audioIds: [preview.id, locked.id, free.id],
});
await openedSite.feeds.numberEpisodes();
const category = await createCategory(db, { label: 'Sleep' });
const playlist = await createPlaylist(db, { title: 'House', audioIds: [free.id] });
const article = await createArticle(db, {
  title: 'On Rain',
  description: 'A & B',
  body: 'See [all](/audios?a=1&b=2), [below](#end), [next](on-sun). <script>x</script>',
  topic: 'wellness',
});
await createArticle(db, { title: 'Tomorrow', publishedAt: new Date(Date.now() + 86_400_000) });

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', isArray: (name) => name === 'item' });

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(reached + path, { headers });
  return { response, text: await response.clone().text() };
}

type Item = Record<string, string> & { guid: Record<string, string>; enclosure: Record<string, string> };
type Channel = Record<string, string> & {
  'atom:link': Record<string, string>[];
  item?: Item[];
  image: Record<string, string>;
};

/**
 * Checks the W3C validator's rules: required RSS 2.0 elements, absolute URLs, RFC 822 times, unique guids, a self link.
 */
async function feed(path: string): Promise<Channel> {
  const { response, text } = await get(path);
  expect([path, response.status, response.headers.get('content-type')]).toEqual([
    path,
    200,
    'application/rss+xml; charset=utf-8',
  ]);
  expect(XMLValidator.validate(text)).toBe(true);
  if (!path.includes('/blog/')) expect(podcastFaults(text, site + path)).toEqual([]);
  // oxlint-disable-next-line no-control-regex -- what XML may not hold
  expect(text).not.toMatch(/[\0-\b\v\f\x0e-\x1f]/);
  const { rss } = parser.parse(text) as { rss: { channel: Channel; '@version': string } };
  expect(rss['@version']).toBe('2.0');
  const { channel } = rss;
  for (const name of ['title', 'link', 'description'])
    expect([name, channel[name]]).toEqual([name, expect.stringMatching(/./)]);
  expect(channel['atom:link']).toEqual([
    { '@href': site + path, '@rel': 'self', '@type': 'application/rss+xml' },
    { '@href': 'https://hub.example/', '@rel': 'hub' },
  ]);
  expect(channel['link']?.startsWith(`${site}/`)).toBe(true);
  if (channel.image !== undefined)
    expect(channel.image).toMatchObject({ title: channel['title'], link: channel['link'] });
  const items = channel.item ?? [];
  expect(new Set(items.map(({ guid }) => guid['#text'])).size).toBe(items.length);
  for (const item of items) {
    expect(item['link']?.startsWith(`${site}/`)).toBe(true);
    expect(item['pubDate']).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    expect(item['title'] || item['description']).toBeTruthy();
  }
  return channel;
}

test('the blog’s feed has every published article in full, with absolute links', async () => {
  const { item } = await feed('/blog/feed.xml');
  expect(item).toMatchObject([
    {
      title: 'On Rain',
      link: `${site}/blog/on-rain`,
      category: 'Wellness',
      description: 'A &amp; B',
      guid: { '#text': article.id },
    },
  ]);
  const text = item?.[0]?.['content:encoded'];
  for (const link of ['/audios?a=1&amp;b=2">all', '/blog/on-rain#end">below', '/blog/on-sun">next'])
    expect(text).toContain(`<a href="${site}${link}</a>`);
  expect(text).not.toContain('script');
});

test('a creator’s feed has the free audios only', async () => {
  const channel = await feed(`/creators/${voice.slug}/feed.xml`);
  expect(channel).toMatchObject({
    title: 'Ana & "Bea" <Co>',
    'itunes:explicit': true,
    description: 'Reads ]]&gt; slowly.',
  });
  expect(channel['podcast:guid']).toMatch(/^[0-9a-f-]{14}5/);
  expect(channel.item?.map(({ title }) => title)).toEqual([free.title, 'Preview']);
  // By first publication; the third one is for subscribers.
  expect(channel.item?.map((item) => item['itunes:episode'])).toEqual([2, 1]);
  expect(channel.item?.[0]).toMatchObject({
    enclosure: { '@url': `${site}/media/audios/${free.id}.mp3`, '@length': '1000', '@type': 'audio/mpeg' },
    'itunes:duration': 61,
    description: 'Open &lt;Door&gt; &amp; “Æther”',
    'podcast:person': { '@role': 'narrator', '#text': voice.name },
  });
  const { text } = await get(`/creators/${voice.slug}/feed.xml`);
  for (const hidden of [locked.id, draft.id]) expect(text).not.toContain(hidden);
});

test('a feed names the people of an episode: those who accepted, with their part and page', async () => {
  const [mae, guest, shy] = [await createVoice(db), await createVoice(db, { name: 'Guest' }), await createVoice(db)];
  const { id: audioId } = await createAudio(db, { voiceId: mae.id, isFree: true });
  const people = async () => (await feed(`/creators/${mae.slug}/feed.xml`)).item?.[0]?.['podcast:person'];
  const narrator = { '@role': 'narrator', '@group': 'cast' };
  const own = { ...narrator, '@href': `${site}/creators/${mae.slug}`, '#text': mae.name };
  expect(await people()).toEqual(own);
  const asked = { state: 'asked', askedAt: new Date() } as const;
  await db.insert(credits).values([
    { id: newId(), audioId, position: 0, role: 'writer', name: 'John <Keats>' },
    { id: newId(), audioId, position: 1, role: 'performer', voiceId: shy.id, ...asked },
    { id: newId(), audioId, position: 2, role: 'other', name: 'Somebody' },
  ]);
  const writer = { '@role': 'writer', '@group': 'writing', '#text': 'John <Keats>' };
  await expect.poll(people).toEqual([own, writer]);
  await db.insert(credits).values({ id: newId(), audioId, position: 3, role: 'performer', voiceId: guest.id });
  const reader = { ...narrator, '@href': `${site}/creators/${guest.slug}`, '#text': 'Guest' };
  await expect.poll(people).toEqual([writer, reader]);
});

test('a creator’s feed names the feeds of those whom they recommend', async () => {
  const [quiet, rae] = [await createVoice(db, { name: 'No audios' }), await createVoice(db, { name: 'Rae' })];
  const recommended = [voice.id, quiet.id];
  await db.update(voices).set({ recommendedIds: recommended }).where(eq(voices.id, rae.id));
  await createAudio(db, { voiceId: rae.id, isFree: true });
  const path = `/creators/${voice.slug}/feed.xml`;
  const { 'podcast:guid': guid } = await feed(path);
  const item = { '@feedGuid': guid, '@feedUrl': site + path, '@medium': 'podcast', '@title': voice.name };
  expect((await feed(`/creators/${rae.slug}/feed.xml`))['podcast:podroll']).toEqual({ 'podcast:remoteItem': item });
});

test('a creator’s feed says how to support them, who may import it, its license, and what proves it theirs', async () => {
  const path = `/creators/${voice.slug}/feed.xml`;
  const page = `${site}/creators/${voice.slug}`;
  expect(await feed(path)).toMatchObject({
    'podcast:funding': { '@url': page, '#text': 'Support Ana & "Bea" <Co> at Sotto' },
    'podcast:locked': { '@owner': 'hello@sotto.example', '#text': 'yes' },
  });
  for (const name of ['license', 'txt', 'updateFrequency'])
    expect((await feed(path))[`podcast:${name}`]).toBeUndefined();
  const chosen = { license: 'cc-by-nc-4.0', directoryText: 'proof <1> & 2' } as const;
  await db.update(voices).set(chosen).where(eq(voices.id, voice.id));
  const said = {
    'podcast:license': { '@url': 'https://creativecommons.org/licenses/by-nc/4.0/', '#text': 'cc-by-nc-4.0' },
    'podcast:txt': { '@purpose': 'verify', '#text': 'proof <1> & 2' },
  };
  expect(await feed(path)).toMatchObject(said);
  expect(await feed(`/series/${series.slug}/feed.xml`)).toMatchObject(said);
  await db.update(voices).set({ license: '', directoryText: '' }).where(eq(voices.id, voice.id));
});

test('a series’ feed keeps its order and numbers its parts', async () => {
  const channel = await feed(`/series/${series.slug}/feed.xml`);
  expect(channel['itunes:type']).toBe('serial');
  expect(channel.item?.map((item) => [item['title'], item['itunes:episode']])).toEqual([
    ['Preview', 1],
    // The first part is for subscribers only.
    [free.title, 3],
  ]);
});

test('a feed has the language of its creator, else of its audios; items in another one say so', async () => {
  const jule = await createVoice(db, { language: 'de' });
  const of = { voiceId: jule.id, isFree: true };
  const audioIds = [
    (await createAudio(db, { ...of, title: 'Mondnacht', language: 'de', publishedAt: new Date(0) })).id,
    (await createAudio(db, { ...of, title: 'Chanson', language: 'fr' })).id,
    (await createAudio(db, { ...of, title: 'Automne', language: 'fr' })).id,
  ];
  const inFrench = await createSeries(db, { voiceId: jule.id, audioIds });
  const languages = ({ language, item }: Channel) => [language, ...(item ?? []).map((one) => one['dc:language'])];
  expect(languages(await feed(`/creators/${jule.slug}/feed.xml`))).toEqual(['de', 'fr', 'fr', undefined]);
  expect(languages(await feed(`/series/${inFrench.slug}/feed.xml`))).toEqual(['fr', 'de', undefined, undefined]);
  await createArticle(db, { title: 'Vom Regen', language: 'de', topic: 'wellness' });
  expect(languages(await feed('/blog/feed.xml')).toSorted()).toEqual(['de', 'en', undefined]);
});

test.each([`/creators/${voice.slug}/feed.xml`, `/series/${series.slug}/feed.xml`])(
  '%s is taken by podcast directories (Apple’s requirements)',
  async (path) => {
    await blobs.write(preview.fileKey, Buffer.alloc(preview.fileBytes, 2));
    const channel = await feed(path);
    expect(channel).toMatchObject({
      language: 'en',
      'itunes:explicit': true,
      'itunes:author': voice.name,
      'itunes:owner': { 'itunes:name': 'Night Works', 'itunes:email': 'hello@sotto.example' },
      'itunes:category': { '@text': 'Arts', 'itunes:category': { '@text': 'Performing Arts' } },
    });
    expect(String(channel['description']).length).toBeLessThanOrEqual(4000);
    const covers = [channel['itunes:image'], ...(channel.item ?? []).map((item) => item['itunes:image'])];
    expect(new Set(covers.map((cover) => (cover as unknown as { '@href': string })['@href'])).size).toBe(1);
    const address = (covers[0] as unknown as { '@href': string })['@href'];
    expect(channel.image['url']).toBe(address);
    expect(address).toMatch(/^https:\/\/sotto\.example\/feed-covers\/.*\.jpg$/);
    const { response } = await get(address.slice(site.length));
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    const { format, width, height } = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
    expect([format, width === height, width >= 1400 && width <= 3000]).toEqual(['jpeg', true, true]);
    const items = channel.item ?? [];
    expect(items).toHaveLength(2);
    for (const { enclosure, guid, ...item } of items) {
      expect(guid['@isPermaLink']).toBe('false');
      expect(item['itunes:duration']).toBeGreaterThan(0);
      expect(item['itunes:explicit']).toBe(true);
      expect(String(item['description']).length).toBeLessThanOrEqual(4000);
      expect(enclosure['@url']).toMatch(/\.mp3$/);
      const sound = await fetch(reached + String(enclosure['@url']).slice(site.length));
      expect([sound.status, sound.headers.get('content-type')]).toEqual([200, enclosure['@type']]);
      expect(String((await sound.arrayBuffer()).byteLength)).toBe(enclosure['@length']);
      const part = await fetch(sound.url, { headers: { range: 'bytes=0-0' } });
      expect(part.status).toBe(206);
    }
  },
);

test.each([
  [/ rel="self"/, ' rel="next"', 'atom:link does not name the feed'],
  [/<pubDate>\w{3}/, '<pubDate>Xyz', 'Preview: pubDate is no date'],
  [/<description>[^<]*/, '<description>&lt;b>', 'description has elements besides line breaks'],
  [/ length="\d+"/, ' length="0"', 'Preview: enclosure has no length'],
  [/ type="audio\/mpeg"/, ' type="audio/mp4"', 'Preview: enclosure’s type and extension differ'],
  [/<itunes:duration>\d+/, '<itunes:duration>1:00', 'Preview: duration is no seconds'],
  [/<itunes:episode>\d+/, '<itunes:episode>3', 'an episode number is there twice'],
  [/<\/channel>/, '', 'is not well-formed XML'],
])('the check of feeds notices when %s becomes %j', async (part, broken, fault) => {
  const path = `/series/${series.slug}/feed.xml`;
  const { text } = await get(path);
  expect(podcastFaults(text.replace(part, broken), site + path)).toContain(fault);
});

test('a part keeps its number when another is hidden', async () => {
  const numbers = async () =>
    (await feed(`/series/${series.slug}/feed.xml`)).item?.map((item) => item['itunes:episode']);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, preview.id));
  await expect.poll(numbers).toEqual([3]);
  await db.update(audios).set({ publishedAt: preview.publishedAt }).where(eq(audios.id, preview.id));
  await expect.poll(numbers).toEqual([1, 3]);
});

test('a description is cut to what directories take, between characters', async () => {
  await editAudio(db, free.id, { description: `${'a'.repeat(3999)}é and more` });
  const ends = async () =>
    (await feed(`/creators/${voice.slug}/feed.xml`)).item?.map((item) => item['description']?.slice(-2));
  await expect.poll(ends).toContain('aa');
  await editAudio(db, free.id, { description: '' });
});

const attack =
  'I <3 you & you <b>love</b> me.\n\n<img src="https://evil.example/p.gif"><a href="https://evil.example/">Log in</a>\n&lt;script&gt; 0:00 Start';

test('plain texts of creators and operators are text in every feed, with their lines', async () => {
  const voice = await createVoice(db, { name: 'Hostile', slug: 'hostile', bio: attack });
  const audio = await createAudio(db, { voiceId: voice.id, description: attack, isFree: true });
  const series = await createSeries(db, { title: 'Bad', voiceId: voice.id, audioIds: [audio.id], description: attack });
  const written = await createArticle(db, { title: 'Bad', description: attack });
  for (const path of [`/creators/${voice.slug}/feed.xml`, `/series/${series.slug}/feed.xml`]) {
    const channel = await feed(path);
    expect([path, readAsHtml(channel['description'])]).toEqual([path, { text: attack, elements: ['br'] }]);
    expect([path, readAsHtml(channel.item?.[0]?.['description'])]).toEqual([path, { text: attack, elements: ['br'] }]);
  }
  const { item } = await feed('/blog/feed.xml');
  const found = item?.find(({ guid }) => guid['#text'] === written.id);
  expect(readAsHtml(found?.['description'])).toEqual({ text: attack, elements: ['br'] });
});

test('an episode keeps its guid when it is renamed', async () => {
  const guids = async () => (await feed(`/series/${series.slug}/feed.xml`)).item?.map(({ guid }) => guid['#text']);
  expect(await guids()).toEqual([preview.id, free.id]);
  await editAudio(db, free.id, { title: 'Renamed', slug: 'renamed' });
  expect(await guids()).toEqual([preview.id, free.id]);
  await editAudio(db, free.id, { title: free.title, slug: free.slug });
});

test('a cover that is too small for directories is left out of feeds', async () => {
  const small = await sharp({ create: { width: 2000, height: 1399, channels: 3, background: '#b05040' } })
    .webp()
    .toBuffer();
  await blobs.write('images/small.webp', small);
  const reader = await createVoice(db, { imageKey: 'images/small.webp' });
  await createAudio(db, { voiceId: reader.id, imageKey: 'images/small.webp', isFree: true });
  const channel = await feed(`/creators/${reader.slug}/feed.xml`);
  expect(channel).not.toHaveProperty('image');
  expect(channel).not.toHaveProperty('itunes:image');
  expect(channel.item?.[0]).not.toHaveProperty('itunes:image');
  await db.delete(audios).where(eq(audios.voiceId, reader.id));
});

test('the API finds an audio by a slug it had before', async () => {
  const renamed = await createAudio(db, { slug: 'called-before' });
  await editAudio(db, renamed.id, { slug: 'called-now' });
  const { response, text } = await get('/v1/api/audios/called-before');
  expect([response.status, JSON.parse(text)]).toMatchObject([200, { slug: 'called-now' }]);
  await db.delete(audios).where(eq(audios.id, renamed.id));
});

test('the page of the API’s reference is compressed', async () => {
  const { response } = await get('/v1/api/reference', { 'accept-encoding': 'gzip' });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip']);
});

test('a creator or series without free audios has no feed', async () => {
  const { catalogue } = openedSite;
  const alone = await createAudio(db, { title: 'For subscribers' });
  const parts = await createSeries(db, { title: 'Paid nights', audioIds: [alone.id] });
  expect(await catalogue.hasEpisode({ voiceId: alone.voiceId })).toBe(false);
  expect(await catalogue.hasEpisode({ seriesId: parts.id })).toBe(false);
  expect(await catalogue.hasEpisode({ voiceId: voice.id })).toBe(true);
  expect(await catalogue.hasEpisode({ seriesId: series.id })).toBe(true);
});

test('the files that browsers request by themselves exist', async () => {
  const icon = await get('/favicon.ico');
  expect([icon.response.status, icon.response.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
  const bytes = Buffer.from(await icon.response.arrayBuffer());
  expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  const picture = await sharp(bytes.subarray(bytes.readUInt32LE(18))).metadata();
  expect([picture.format, picture.width]).toEqual(['png', 192]);
  const password = await fetch(`${reached}/.well-known/change-password`, { redirect: 'manual' });
  expect([password.status, password.headers.get('location')]).toEqual([302, '/account/profile']);
  for (const prefix of ['', '/de']) {
    const { status, headers } = await fetch(`${reached}${prefix}/account/hidden-tags`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([301, `${prefix}/account/hidden`]);
  }
  const me = await get('/v1/api/user/me');
  expect([me.response.status, me.response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
});

test('idle connections outlast those of usual proxies', async () => {
  const { headers } = await fetch(`${reached}/robots.txt`);
  expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(75);
});

test('feeds are cacheable and accept only reads', async () => {
  const { response } = await get('/blog/feed.xml');
  const etag = response.headers.get('etag') ?? '';
  expect((await get('/blog/feed.xml', { 'if-none-match': etag })).response.status).toBe(304);
  // None within the second in which a former test changed the blog.
  const modifiedNow = async () => (await get('/blog/feed.xml')).response.headers.get('last-modified');
  await expect.poll(modifiedNow).not.toBeNull();
  const modified = (await modifiedNow()) ?? '';
  const since = (date: string) => get('/blog/feed.xml', { 'if-modified-since': date });
  expect((await since(modified)).response.status).toBe(304);
  expect((await since(new Date(Date.parse(modified) - 1000).toUTCString())).response.status).toBe(200);
  expect((await fetch(`${reached}/creators/nobody/feed.xml`)).status).toBe(404);
  expect((await fetch(`${reached}/series/%00/feed.xml`)).status).toBe(404);
});

const fetched = [
  '/blog/feed.xml',
  `/creators/${voice.slug}/feed.xml`,
  '/sitemap.xml',
  '/sitemaps/pages.xml',
  '/v1/api/openapi.json',
  '/v1/api/audios',
  `/cards/audio/${free.slug}.jpg`,
  '/images/cover.webp?width=48&format=jpeg',
];

test.each(fetched)('%s is sent again only when it has changed, whoever stands in between', async (path) => {
  let etag = '';
  // Until the smaller copy has replaced the first one.
  do etag = (await get(path)).response.headers.get('etag') ?? '';
  while (etag.endsWith('-quick"'));
  expect(etag).toMatch(/^"[\w-]+"$/);
  for (const known of [etag, `W/${etag}`, `"other", W/${etag}`, `"other",${etag}`, '*']) {
    const { response } = await get(path, { 'if-none-match': known });
    expect([known, response.status, response.headers.get('etag')]).toEqual([known, 304, etag]);
  }
  for (const other of ['"other"', etag.slice(1, -1), `W/"other", "${etag.slice(1, 9)}"`])
    expect((await get(path, { 'if-none-match': other })).response.status).toBe(200);
  expect((await get(path, { 'if-match': `W/${etag}` })).response.status).toBe(412);
  expect((await get(path, { 'if-match': `"other", ${etag}` })).response.status).toBe(200);
});

/** The undecoded answer, since `fetch` decompresses bodies. */
function raw(path: string, encoding: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(reached + path, { headers: { 'accept-encoding': encoding } }, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece as Buffer);
      resolve({ headers: answer.headers, body: Buffer.concat(pieces) });
    })
      .on('error', reject)
      .end();
  });
}

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

test.each([`/creators/${voice.slug}/feed.xml`, '/v1/api/openapi.json', '/v1/api/audios'])(
  '%s is compressed as asked, each coding with an entity tag of its own',
  async (path) => {
    const plain = await raw(path, 'identity');
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    const tags = [plain.headers.etag];
    for (const coding of ['zstd', 'br', 'gzip'] as const) {
      // The second request gets the copy encoded for the first.
      for (let time = 0; time < 2; time += 1) {
        const { headers, body } = await raw(path, `${coding}, *;q=0`);
        expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
        expect(decoders[coding](body).equals(plain.body)).toBe(true);
        expect(body.length).toBeLessThan(plain.body.length / 2);
        if (time === 0) tags.push(headers.etag);
        const again = await get(path, { 'accept-encoding': `${coding}, *;q=0`, 'if-none-match': `W/${headers.etag}` });
        expect([again.response.status, again.response.headers.get('etag')]).toEqual([304, headers.etag]);
      }
    }
    expect(new Set(tags).size).toBe(4);
  },
);

test('small answers, sound and images are sent unencoded', async () => {
  for (const path of [
    '/v1/api/tags',
    `/media/audios/${free.id}`,
    '/images/cover.webp',
    `/cards/audio/${free.slug}.jpg`,
  ])
    expect([path, (await raw(path, 'zstd, br, gzip')).headers['content-encoding']]).toEqual([path, undefined]);
  expect((await raw('/v1/api/tags', 'gzip')).headers.vary).toBe('Accept-Encoding');
  expect((await raw('/v1/api/tags', 'gzip, identity;q=0')).headers['content-encoding']).toBe('gzip');
});

test('the sitemap lists every public page, and nothing unpublished', async () => {
  const robots = await get('/robots.txt');
  expect(robots.text).toMatch(/^User-agent: \*\n/);
  // Not pages with noindex: crawlers must be able to load those.
  const closed = [...robots.text.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path);
  expect(closed.filter((path) => path?.includes('?') === false)).toEqual(['/identity/', '/v1/', '/v2/']);
  expect(closed).toContain('/*?sort=');
  expect(robots.text).not.toContain('search');
  expect(robots.text).toContain(`Sitemap: ${site}/sitemap.xml`);
  const index = parser.parse((await get('/sitemap.xml')).text) as { sitemapindex: { sitemap: { loc: string }[] } };
  const files = index.sitemapindex.sitemap.map(({ loc }) => loc);
  const found: string[] = [];
  for (const file of files) {
    expect(file.startsWith(`${site}/sitemaps/`)).toBe(true);
    const { text, response } = await get(file.slice(site.length));
    expect([file, response.status, XMLValidator.validate(text)]).toEqual([file, 200, true]);
    const { urlset } = parser.parse(text) as { urlset: { url: { loc: string; lastmod?: string } | { loc: string }[] } };
    found.push(...[urlset.url].flat().map(({ loc }) => loc.slice(site.length)));
  }
  expect(found).toEqual(
    expect.arrayContaining([
      '/',
      '/blog',
      '/gift-card',
      '/terms',
      '/privacy',
      `/audio/${locked.slug}`,
      `/creators/${voice.slug}`,
      `/categories/${category.slug}`,
      `/series/${series.slug}`,
      `/playlists/${playlist.slug}`,
      `/blog/${article.slug}`,
    ]),
  );
  expect(found.join(' ')).not.toMatch(/draft|tomorrow/);
  expect(new Set(found).size).toBe(found.length);
});

test('a file of the sitemap ends where its address says', async () => {
  const slugs = [free.slug, locked.slug].toSorted();
  const { text } = await get(`/sitemaps/audios.xml?until=${slugs[0]}`);
  expect(text).toContain(`/audio/${slugs[0]}<`);
  expect(text).not.toContain(`/audio/${slugs[1]}<`);
});

test.each([
  '/sitemaps/users.xml',
  '/sitemaps/audios.xml?after=..%2f',
  '/sitemaps/audios.xml?after=%27%20or%201=1',
  '/sitemaps/audios.xml?until=',
])('%s is no part of it', async (path) => {
  expect((await get(path)).response.status).toBe(404);
});

test.each([
  ['audio', free.slug],
  ['creators', voice.slug],
  ['series', series.slug],
  ['playlists', playlist.slug],
  ['categories', category.slug],
  ['blog', article.slug],
])('a link to a %s has a picture of 1200 × 630', async (kind, slug) => {
  const { response } = await get(`/cards/${kind}/${slug}.jpg`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const picture = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
  expect([picture.format, picture.width, picture.height]).toEqual(['jpeg', 1200, 630]);
  const etag = response.headers.get('etag') ?? '';
  expect((await get(`/cards/${kind}/${slug}.jpg`, { 'if-none-match': etag })).response.status).toBe(304);
});

test('other sites may embed the images of feeds and previews', async () => {
  const policyOf = async (path: string) => (await get(path)).response.headers.get('cross-origin-resource-policy');
  for (const path of [`/cards/audio/${free.slug}.jpg`, `/images/cover.webp`])
    expect([path, await policyOf(path)]).toEqual([path, 'cross-origin']);
  for (const path of ['/', '/v1/api/audios']) expect([path, await policyOf(path)]).toEqual([path, 'same-origin']);
});

test('a card is drawn again when its text changes, for any text', slow, async () => {
  const before = await get(`/cards/creators/${voice.slug}.jpg`);
  for (const name of ['𝔘𝔫𝔱𝔢𝔯 世界 🌙', 'W'.repeat(110), '<b>&amp;</b>'.repeat(9), ' \u0001 ']) {
    await db.update(voices).set({ name });
    // A catalogue change clears the cache; cards are checked on each request.
    const { response } = await get(`/cards/creators/${voice.slug}.jpg`);
    expect([name, response.status]).toEqual([name, 200]);
    expect(response.headers.get('etag')).not.toBe(before.response.headers.get('etag'));
  }
});

test.each(['/cards/audio/draft.jpg', '/cards/users/one.jpg', '/cards/audio/nothing.jpg', '/cards/blog/tomorrow.jpg'])(
  '%s has none',
  async (path) => {
    expect((await get(path)).response.status).toBe(404);
    expect(errors).toEqual([]);
  },
);

test('the offline page says so, runs no script and loads nothing else', async () => {
  const { response, text } = await get('/offline');
  expect(text).toContain('No internet connection');
  expect(text).toContain('<html lang="en" dir="ltr" data-theme="dark">');
  expect(text).not.toMatch(/<script|src=|url\(/);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect((await get('/service-worker.js')).response.status).toBe(404);
  // Addresses that the service worker normally answers.
  expect((await get('/kept/0c1d2e/sound')).response.status).toBe(404);
  // Not in a language that the site does not offer.
  expect((await get('/offline?language=de')).text).toContain('<html lang="en" dir="ltr"');
});

test('a series’ feed has its free parts, however many come before', async () => {
  const audioIds = [];
  for (let part = 1; part <= 101; part += 1)
    audioIds.push((await createAudio(db, { voiceId: voice.id, isFree: part === 101 })).id);
  const long = await createSeries(db, { title: 'Many nights', audioIds });
  const { item } = await feed(`/series/${long.slug}/feed.xml`);
  expect(item?.map((part) => part['itunes:episode'])).toEqual([101]);
});

test('public feeds and cards have an address in each language that the site offers', async () => {
  const silent = await createVoice(db, { name: 'Mute', slug: 'mute', bio: '' });
  await createAudio(db, { voiceId: silent.id, isFree: true });
  const german = `/de/creators/${silent.slug}/feed.xml`;
  const card = `/cards/categories/${category.slug}.jpg`;
  for (const path of [german, `/de${card}`, '/de/blog/feed.xml'])
    expect([path, (await get(path)).response.status]).toEqual([path, 404]);
  await db.insert(siteSettings).values({ key: languageSetting.key, value: { de: true } });
  await openedSite.settings.refresh();
  const inEnglish = await feed(german.slice(3));
  const inGerman = await feed(german);
  expect([inEnglish['description'], inGerman['description']]).toEqual(['Audios by Mute.', 'Audios von Mute.']);
  expect([inEnglish['link'], inGerman['link']]).toEqual([`${site}/creators/mute`, `${site}/de/creators/mute`]);
  // Readers that know one of them know the other one’s episodes.
  expect(inGerman['podcast:guid']).toBe(inEnglish['podcast:guid']);
  expect(inGerman.item?.map(({ guid }) => guid)).toEqual(inEnglish.item?.map(({ guid }) => guid));
  expect((await get('/de/creators/rae/feed.xml')).text).toContain(`feedUrl="${site}/de/creators/${voice.slug}/`);
  // The address decides, not Accept-Language.
  expect((await get(german.slice(3), { 'accept-language': 'de' })).text).toContain('Audios by Mute.');
  expect((await feed('/de/blog/feed.xml'))['link']).toBe(`${site}/de/blog`);
  const tags = [card, `/de${card}`].map(async (path) => (await get(path)).response.headers.get('etag'));
  expect(new Set(await Promise.all(tags)).size).toBe(2);
});

test('feeds are labelled for filters until the operator wants no label, and stay explicit', async () => {
  const paths = ['/blog/feed.xml', `/creators/${voice.slug}/feed.xml`, `/series/${series.slug}/feed.xml`];
  const ratings = () => Promise.all(paths.map(async (path) => (await get(path)).response.headers.get('rating')));
  expect(await ratings()).toEqual(paths.map(() => 'RTA-5042-1996-1400-1577-RTA'));
  await changeSetting(db, ageSetting, {
    actor: operator,
    value: AgeSettings.parse({ others: { rule: 'none', again: 'device' }, ratingLabel: false }),
    revision: 1,
  });
  await openedSite.settings.refresh();
  expect(await ratings()).toEqual(paths.map(() => null));
  expect((await get(paths[1] ?? '')).text).toContain('<itunes:explicit>true</itunes:explicit>');
});

test('content notes come before the description of an episode', async () => {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into facets (id, slug, label, chooses, has_content_notes) values (gen_random_uuid(), 'notes', 'Notes', 'many', true)
    returning id`);
  const audio = await createAudio(db, { isFree: true, description: 'A & B', tagLabels: ['war', 'death', 'rain'] });
  await db.execute(sql`
    update tags set facet_id = ${rows[0]?.id}, position = case slug when 'war' then 1 else 0 end where slug in ('war', 'death')`);
  const [maker] = await db.select().from(voices).where(eq(voices.id, audio.voiceId));
  const { item } = await feed(`/creators/${maker?.slug}/feed.xml`);
  expect(item?.[0]?.['description']).toBe('Content notes: death, war<br><br>A &amp; B');
  expect((await openedSite.catalogue.findAudio(audio.id))?.contentNotes).toEqual([
    { slug: 'death', label: 'death' },
    { slug: 'war', label: 'war' },
  ]);
});

test('chapters are a file of their own, for audios that everyone may hear', async () => {
  const set = [
    { start: 0, title: 'A & B' },
    { start: 12.5, title: 'C' },
  ];
  const [open, closed] = [
    await createAudio(db, { isFree: true, durationMs: 60_000 }),
    await createAudio(db, { isFree: false, durationMs: 60_000 }),
  ];
  for (const { id } of [open, closed]) await editAudio(db, id, { chapters: set });
  const [maker] = await db.select().from(voices).where(eq(voices.id, open.voiceId));
  const { item } = await feed(`/creators/${maker?.slug}/feed.xml`);
  const path = `/audio/${open.slug}/chapters.json`;
  expect(item?.[0]?.['podcast:chapters']).toEqual({ '@url': site + path, '@type': 'application/json+chapters' });
  const { response, text } = await get(path);
  expect(response.headers.get('content-type')).toBe('application/json+chapters');
  expect(JSON.parse(text)).toMatchObject({
    version: '1.2.0',
    title: open.title,
    chapters: [
      { startTime: 0, title: 'A & B' },
      { startTime: 12.5, title: 'C' },
    ],
  });
  for (const slug of [closed.slug, free.slug, 'nobody'])
    expect((await get(`/audio/${slug}/chapters.json`)).response.status).toBe(404);
});
