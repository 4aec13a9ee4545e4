import { XMLParser, XMLValidator } from 'fast-xml-parser';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { setPreview } from '#domain/catalogue/site-settings.ts';
import { voices } from '#domain/catalogue/tables.ts';
import {
  createArticle,
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createVoice,
} from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url: reached, db, blobs, errors } = await startTestSite({ SITE_URL: 'https://sotto.example' });
const site = 'https://sotto.example';

const cover = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#b05040' } })
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
const series = await createSeries(db, {
  title: 'Nights',
  voiceId: voice.id,
  audioIds: [preview.id, locked.id, free.id],
});
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
  'atom:link': Record<string, string>;
  item?: Item[];
  image: Record<string, string>;
};

/** By the rules of the W3C's validator: RSS 2.0's needed elements, whole addresses, RFC 822 times, one guid each, a self link. */
async function feed(path: string): Promise<Channel> {
  const { response, text } = await get(path);
  expect([path, response.status, response.headers.get('content-type')]).toEqual([
    path,
    200,
    'application/rss+xml; charset=utf-8',
  ]);
  expect(XMLValidator.validate(text)).toBe(true);
  // oxlint-disable-next-line no-control-regex -- what XML may not hold
  expect(text).not.toMatch(/[\0-\b\v\f\x0e-\x1f]/);
  const { rss } = parser.parse(text) as { rss: { channel: Channel; '@version': string } };
  expect(rss['@version']).toBe('2.0');
  const { channel } = rss;
  for (const name of ['title', 'link', 'description'])
    expect([name, channel[name]]).toEqual([name, expect.stringMatching(/./)]);
  expect(channel['atom:link']).toEqual({ '@href': site + path, '@rel': 'self', '@type': 'application/rss+xml' });
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

test('the blog’s feed has what is out, whole, with addresses that lead back from anywhere', async () => {
  const { item } = await feed('/blog/feed.xml');
  expect(item).toMatchObject([
    {
      title: 'On Rain',
      link: `${site}/blog/on-rain`,
      category: 'Wellness',
      description: 'A & B',
      guid: { '#text': article.id },
    },
  ]);
  const text = item?.[0]?.['content:encoded'];
  for (const link of ['/audios?a=1&amp;b=2">all', '/blog/on-rain#end">below', '/blog/on-sun">next'])
    expect(text).toContain(`<a href="${site}${link}</a>`);
  expect(text).not.toContain('script');
});

test('a voice’s feed has the audios that anyone may hear, and nothing of the others', async () => {
  const channel = await feed(`/creators/${voice.slug}/feed.xml`);
  expect(channel).toMatchObject({
    title: 'Ana & "Bea" <Co>',
    'itunes:explicit': true,
    description: 'Reads ]]> slowly.',
  });
  expect(channel['podcast:guid']).toMatch(/^[0-9a-f-]{14}5/);
  expect(channel.item?.map(({ title }) => title)).toEqual([free.title, 'Preview']);
  expect(channel.item?.[0]).toMatchObject({
    enclosure: { '@url': `${site}/media/audios/${free.id}`, '@length': '1000', '@type': 'audio/mpeg' },
    'itunes:duration': 61,
    description: free.title,
    'podcast:person': { '@role': 'narrator', '#text': voice.name },
  });
  const { text } = await get(`/creators/${voice.slug}/feed.xml`);
  for (const hidden of [locked.id, draft.id]) expect(text).not.toContain(hidden);
});

test('a series’ feed keeps its order and numbers its parts', async () => {
  const channel = await feed(`/series/${series.slug}/feed.xml`);
  expect(channel['itunes:type']).toBe('serial');
  expect(channel.item?.map((item) => [item['title'], item['itunes:episode']])).toEqual([
    ['Preview', 1],
    [free.title, 2],
  ]);
});

test('feeds are kept by who reads them, and are for reading', async () => {
  const { response } = await get('/blog/feed.xml');
  const etag = response.headers.get('etag') ?? '';
  expect((await get('/blog/feed.xml', { 'if-none-match': etag })).response.status).toBe(304);
  expect((await fetch(`${reached}/creators/nobody/feed.xml`)).status).toBe(404);
  expect((await fetch(`${reached}/series/%00/feed.xml`)).status).toBe(404);
});

test('the sitemap leads to every page that anyone may see, and to nothing that is not out', async () => {
  const robots = await get('/robots.txt');
  expect(robots.text).toMatch(/^User-agent: \*\n/);
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

test.each(['/sitemaps/users.xml', '/sitemaps/audios.xml?after=..%2f', '/sitemaps/audios.xml?after=%27%20or%201=1'])(
  '%s is no part of it',
  async (path) => {
    expect((await get(path)).response.status).toBe(404);
  },
);

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

test('pages of others may show the pictures that feeds and previews name', async () => {
  const policyOf = async (path: string) => (await get(path)).response.headers.get('cross-origin-resource-policy');
  for (const path of [`/cards/audio/${free.slug}.jpg`, `/images/cover.webp`])
    expect([path, await policyOf(path)]).toEqual([path, 'cross-origin']);
  for (const path of ['/', '/v1/api/audios']) expect([path, await policyOf(path)]).toEqual([path, 'same-origin']);
});

test('a card is drawn anew when its words change, and whatever they are', async () => {
  const before = await get(`/cards/creators/${voice.slug}.jpg`);
  for (const name of ['𝔘𝔫𝔱𝔢𝔯 世界 🌙', 'W'.repeat(110), '<b>&amp;</b>'.repeat(9), ' \u0001 ']) {
    await db.update(voices).set({ name });
    // The feed of changes empties what is kept; a card asks each time.
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

test('the page without a connection says so, runs nothing and is made of nothing else', async () => {
  const { response, text } = await get('/offline');
  expect(text).toContain('No internet connection');
  expect(text).not.toMatch(/<script|src=|url\(/);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect((await get('/service-worker.js')).response.status).toBe(404);
});
