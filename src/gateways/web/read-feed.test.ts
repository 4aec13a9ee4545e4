import { describe, expect, test } from 'vitest';
import { readFeed } from './read-feed.ts';

const namespaces = `xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"`;
const rss = (channel: string) =>
  `<?xml version="1.0"?><rss version="2.0" ${namespaces}><channel>${channel}</channel></rss>`;
const read = (text: string | Buffer, url: string | undefined = 'https://old.example/feed.xml') =>
  readFeed(Buffer.from(text), url);

test('RSS is read with the tags of podcasts', async () => {
  const page = await read(
    rss(`<title>After &amp; Ten</title><language>de</language><atom:link rel="next" href="/feed.xml?page=2"/>
      <itunes:owner><itunes:email>owner@old.example</itunes:email></itunes:owner>
      <podcast:locked>yes</podcast:locked><itunes:image href="art.jpg"/>
      <item><title>A &lt;Denial&gt;</title><guid isPermaLink="false"> g-1 </guid><link>https://old.example/ep/1</link>
        <pubDate>Sat, 21 Nov 2026 10:00:00 +0100</pubDate>
        <description>short</description>
        <content:encoded><![CDATA[<p>One &amp; two<br>three</p><script>steal()</script><ul><li>four</li></ul><a href="javascript:1">five</a>]]></content:encoded>
        <enclosure url="https://old.example/1.mp3" type="audio/mpeg" length="12345"/>
        <itunes:duration>1:02:00</itunes:duration><itunes:explicit>true</itunes:explicit>
        <itunes:episode>3</itunes:episode><itunes:season>2</itunes:season><itunes:image href="/1.jpg"/>
        <podcast:transcript url="/1.vtt" type="text/vtt" language="de"/>
        <podcast:chapters url="/1.json" type="application/json+chapters"/></item>`),
  );
  expect(page).toEqual({
    title: 'After & Ten',
    language: 'de',
    ownerEmail: 'owner@old.example',
    isLocked: true,
    image: 'https://old.example/art.jpg',
    next: 'https://old.example/feed.xml?page=2',
    items: [
      {
        guid: 'g-1',
        title: 'A <Denial>',
        description: 'One & two\nthree\n\n• four\n\nfive',
        publishedAt: '2026-11-21T09:00:00.000Z',
        link: 'https://old.example/ep/1',
        sound: { url: 'https://old.example/1.mp3', type: 'audio/mpeg', bytes: 12_345 },
        hasVideo: false,
        seconds: 3720,
        season: 2,
        episode: 3,
        isExplicit: true,
        image: 'https://old.example/1.jpg',
        transcripts: [{ url: 'https://old.example/1.vtt', type: 'text/vtt', language: 'de' }],
        chapters: { url: 'https://old.example/1.json', type: 'application/json+chapters', language: undefined },
      },
    ],
  });
});

test('Atom is read', async () => {
  const page = await read(`<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><link rel="next" href="p2"/>
    <entry><id>urn:1</id><title>One</title><published>2020-01-01T00:00:00Z</published><link href="/1"/>
      <link rel="enclosure" href="1.mp3" type="audio/mpeg" length="3"/><content type="html">&lt;b&gt;x&lt;/b&gt;</content></entry></feed>`);
  expect(page).toMatchObject({
    next: 'https://old.example/p2',
    items: [
      {
        guid: 'urn:1',
        title: 'One',
        description: 'x',
        link: 'https://old.example/1',
        publishedAt: '2020-01-01T00:00:00.000Z',
        sound: { url: 'https://old.example/1.mp3', bytes: 3 },
      },
    ],
  });
});

test('JSON Feed is read', async () => {
  const page = await read(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 't',
      next_url: 'https://old.example/2',
      items: [
        {
          id: '1',
          title: 'One',
          content_text: 'a < b',
          attachments: [{ url: '/b.mp3', mime_type: 'audio/mpeg', duration_in_seconds: 4 }],
        },
      ],
    }),
  );
  expect(page).toMatchObject({
    next: 'https://old.example/2',
    items: [{ guid: '1', description: 'a < b', seconds: 4, sound: { url: 'https://old.example/b.mp3' } }],
  });
});

test('a video is no sound, and addresses of other kinds are none', async () => {
  const page = await read(
    rss(`<item><guid>1</guid><enclosure url="https://old.example/1.mp4" type="video/mp4" length="1"/></item>
      <item><guid>2</guid><enclosure url="file:///etc/passwd" type="audio/mpeg" length="1"/></item>
      <item><guid>3</guid><enclosure url="https://old.example/3" type="application/octet-stream" length="1"/></item>`),
  );
  expect(page?.items.map(({ sound, hasVideo }) => [sound?.url, hasVideo])).toEqual([
    [undefined, true],
    [undefined, false],
    ['https://old.example/3', false],
  ]);
});

test('a text of its own encoding is read', async () => {
  const text = `<?xml version="1.0" encoding="iso-8859-1"?><rss version="2.0"><channel><title>Grüße</title><item><guid>1</guid></item></channel></rss>`;
  expect((await read(Buffer.from(text, 'latin1')))?.title).toBe('Grüße');
});

describe('What is no feed, or would harm, is refused', () => {
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "lol">${'bcdefghij'
    .split('')
    .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)
    .join('')}]>`;
  test.each<[string, string]>([
    ['nothing', ''],
    ['a page', '<!doctype html><html><body>Hello</body></html>'],
    ['a cut-off one', rss('<item><title>x</title>').slice(0, -20)],
    ['billion laughs', `<?xml version="1.0"?>${laughs}${rss('<title>&j;</title>').slice(21)}`],
    [
      'an external entity',
      `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${rss('<title>&a;</title>').slice(21)}`,
    ],
    ['one that is nested deeply', rss(`${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`)],
    ['JSON of another kind', '{"a":1}'],
  ])('%s', async (_, text) => {
    expect(await read(text)).toBeUndefined();
  });
});
