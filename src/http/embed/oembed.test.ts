import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import { Features, featureSetting } from '#domain/settings/features.ts';
import { createAudio, createSeries, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const siteUrl = 'https://sotto.example';
const { url, db, site, errors } = await startTestSite({ SITE_URL: siteUrl });
const voice = await createVoice(db, { name: 'Maren Holt' });
const free = await createAudio(db, {
  title: 'Echo "&" <b>',
  voiceId: voice.id,
  isFree: true,
  imageKey: 'images/a.webp',
});
const locked = await createAudio(db, { voiceId: voice.id });
const series = await createSeries(db, { title: 'Nights', voiceId: voice.id, audioIds: [free.id] });

function ask(of: string, more: Record<string, string> = {}) {
  return fetch(`${url}/oembed?${new URLSearchParams({ url: of, ...more })}`);
}

const iframe = `<iframe src="${siteUrl}/embed/audio/${free.slug}" width="640" height="180" title="Echo &quot;&amp;&quot; &lt;b>" frameborder="0" loading="lazy"></iframe>`;
const expected = {
  version: '1.0',
  type: 'rich',
  provider_name: 'Sotto',
  provider_url: `${siteUrl}/`,
  title: free.title,
  author_name: 'Maren Holt',
  thumbnail_url: `${siteUrl}/images/a.webp?width=640&height=640&quality=80&format=jpeg`,
  thumbnail_width: 640,
  thumbnail_height: 640,
  html: iframe,
  width: 640,
  height: 180,
  cache_age: 3600,
};

test.each(['', '?via=share', '?t=95#x'])('an audio is described for consumers of oEmbed (%s)', async (query) => {
  const response = await ask(`${siteUrl}/audio/${free.slug}${query}`, { format: 'json' });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual(expected);
});

test('as XML, too', async () => {
  const response = await ask(`${siteUrl}/audio/${free.slug}`, { format: 'xml' });
  expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  const { oembed } = new XMLParser().parse(await response.text()) as { oembed: object };
  expect(oembed).toEqual({ ...expected, version: 1 });
});

test('a series is higher, for its parts, and a frame’s own address is described as well', async () => {
  const found = (await (await ask(`${siteUrl}/embed/series/${series.slug}`)).json()) as Record<string, unknown>;
  expect(found).toMatchObject({ title: 'Nights', width: 640, height: 360 });
  expect(found['html']).toContain(`src="${siteUrl}/embed/series/${series.slug}"`);
});

test('neither the frame nor the picture exceeds the largest size that is asked for', async () => {
  const response = await ask(`${siteUrl}/audio/${free.slug}`, { maxwidth: '300', maxheight: '150' });
  expect(await response.json()).toMatchObject({
    width: 300,
    height: 150,
    thumbnail_width: 128,
    thumbnail_height: 128,
    html: expect.stringContaining('width="300" height="150"'),
  });
});

test.each([
  ['an audio that is gone', `${siteUrl}/audio/gone`, {}, 404],
  ['another page of the site', `${siteUrl}/audios`, {}, 404],
  ['another site', `https://other.example/audio/${free.slug}`, {}, 404],
  ['an audio for subscribers', `${siteUrl}/audio/${locked.slug}`, {}, 401],
  ['another format', `${siteUrl}/audio/${free.slug}`, { format: 'yaml' }, 501],
  ['no address', '', {}, 400],
  ['no size', `${siteUrl}/audio/${free.slug}`, { maxwidth: '-1' }, 400],
])('%s is refused', async (_what, of, more, status) => {
  expect((await ask(of, more)).status).toBe(status);
  expect(errors).toEqual([]);
});

test('with frames turned off, nothing is described', async () => {
  await changeSetting(db, featureSetting, { actor: operator, value: Features.parse({ embeds: false }), revision: 0 });
  await site.settings.refresh();
  expect((await ask(`${siteUrl}/audio/${free.slug}`)).status).toBe(404);
});
