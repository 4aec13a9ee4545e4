import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { AgeSettings, ageSetting } from '#domain/age/settings.ts';
import { voices } from '#domain/catalogue/tables.ts';
import { Features, featureSetting } from '#domain/settings/features.ts';
import { Languages, languageSetting } from '#domain/settings/languages.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import type { Setting } from '#domain/settings/setting.ts';
import { operator } from '#domain/kernel/actor.ts';
import type { EmbedData } from '#embed/embed-data.ts';
import { createAudio, createSeries, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, site } = await startTestSite({ TRUST_PROXY: '1', REGION_HEADER: 'CF-IPCountry' });
const voice = await createVoice(db, { name: 'Maren Holt' });
const free = await createAudio(db, {
  title: 'Echo </script><b>',
  voiceId: voice.id,
  isFree: true,
  imageKey: 'images/a.webp',
  durationMs: 124_000,
});
const second = await createAudio(db, { title: 'Second', voiceId: voice.id, isFree: true });
const locked = await createAudio(db, { title: 'Locked', voiceId: voice.id });
const draft = await createAudio(db, { title: 'Draft', voiceId: voice.id, isFree: true, publishedAt: null });
const series = await createSeries(db, {
  title: 'Nights',
  voiceId: voice.id,
  audioIds: [free.id, locked.id, draft.id, second.id],
});
const alsoLocked = await createAudio(db, { voiceId: voice.id });
const lockedSeries = await createSeries(db, { title: 'Locked nights', audioIds: [alsoLocked.id] });

const revisions = new Map<string, number>();
async function set<Given extends Setting>(setting: Given, value: object): Promise<void> {
  const revision = revisions.get(setting.key) ?? 0;
  revisions.set(setting.key, revision + 1);
  await changeSetting(db, setting, { actor: operator, value: setting.schema.parse(value), revision } as never);
  await site.settings.refresh();
}

beforeAll(async () => {
  await set(languageSetting, Languages.parse({ de: true }));
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers, redirect: 'manual' });
  const html = await response.text();
  const [, data] = /<script type="application\/json" data-embed="data">([^<]*)<\/script>/.exec(html) ?? [];
  return { response, html, data: data === undefined ? undefined : (JSON.parse(data) as EmbedData) };
}

test('other sites may frame an audio that everyone may hear, which loads nothing of others and sets no cookie', async () => {
  const { response, html, data } = await ask(`/embed/audio/${free.slug}`);
  expect(response.status).toBe(200);
  expect(data?.parts).toEqual([
    {
      id: free.id,
      title: free.title,
      author: 'Maren Holt',
      seconds: 124,
      src: `/media/audios/${free.id}`,
      bars: null,
    },
  ]);
  expect(html).toContain('0:00 / 2:04');
  expect(html).toContain('/images/a.webp?width=384');
  expect(html).not.toContain('<b>');
  expect(html).toContain(`href="${site.facts.url}/audio/${free.slug}"`);
  const { headers } = response;
  expect(headers.get('content-security-policy')).toMatch(/; frame-ancestors \*$/);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
  expect([headers.get('x-frame-options'), headers.get('set-cookie')]).toEqual([null, null]);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('x-robots-tag')).toBe('noindex');
});

test.each(['/oembed', '/healthz', `/media/audios/${free.id}`, '/v1/api/audios', '/offline', '/embedded/audio/x'])(
  'nothing may frame %s',
  async (path) => {
    const { response } = await ask(path);
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);

test('a series has its free parts, each with its number of the list', async () => {
  const { response, html, data } = await ask(`/embed/series/${series.slug}`);
  expect(response.status).toBe(200);
  expect(data?.parts.map(({ id }) => id)).toEqual([free.id, second.id]);
  expect(html.match(/data-part="\d"/g)).toEqual(['data-part="0"', 'data-part="1"']);
  expect(html).toContain('Nights · Maren Holt');
});

const closedText = 'cannot be heard here';

test.each([
  ['an audio for subscribers', `/embed/audio/${locked.slug}`, 200, `/audio/${locked.slug}`],
  ['a series without a free part', `/embed/series/${lockedSeries.slug}`, 200, `/series/${lockedSeries.slug}`],
  ['an unpublished audio', `/embed/audio/${draft.slug}`, 404, '/'],
  ['an audio that is gone', '/embed/audio/gone', 404, '/'],
  ['a series that is gone', '/embed/series/gone', 404, '/'],
])('%s shows a link to the site in its place', async (_what, path, status, leadsTo) => {
  const { response, html, data } = await ask(path);
  expect([response.status, data]).toEqual([status, undefined]);
  expect(html).toContain(closedText);
  expect(html).toContain(`href="${site.facts.url}${leadsTo}"`);
  expect(html).not.toContain('/media/');
  expect(response.headers.get('content-security-policy')).toMatch(/frame-ancestors \*$/);
});

test('a subscriber’s session opens nothing in a frame, and is not prolonged by it', async () => {
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  const { response, html } = await ask(`/embed/audio/${locked.slug}`, { cookie: `sotto_session=${token}` });
  expect(html).toContain(closedText);
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('nothing of a hidden creator is in a frame', async () => {
  const hidden = await createVoice(db);
  const one = await createAudio(db, { voiceId: hidden.id, isFree: true });
  const list = await createSeries(db, { voiceId: hidden.id, audioIds: [one.id] });
  expect((await ask(`/embed/series/${list.slug}`)).response.status).toBe(200);
  await db
    .update(voices)
    .set({ hiddenAt: new Date() })
    .where(sql`id = ${hidden.id}`);
  expect((await ask(`/embed/series/${list.slug}`)).response.status).toBe(404);
});

test('its language is that of the address, and its theme that of the query', async () => {
  const german = await ask(`/de/embed/audio/${free.slug}?theme=light`);
  expect(german.html).toMatch(/<html lang="de" dir="ltr" data-theme="light">/);
  expect(german.html).toContain('Auf Sotto anhören');
  expect(german.html).toContain(`href="${site.facts.url}/de/audio/${free.slug}"`);
  const { html } = await ask(`/embed/audio/${free.slug}?theme=${encodeURIComponent('"><b>')}`);
  expect(html).not.toMatch(/data-theme|<b>/);
});

test('where a rule of age asks something of a visitor, a frame has no sound, and keeps no answer', async () => {
  const rules = [
    { place: 'FR', rule: 'statement', again: 'year', preset: null },
    { place: 'GB', rule: 'proof', again: 'year', preset: null },
  ];
  await set(ageSetting, AgeSettings.parse({ rules }));
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  for (const region of ['FR', 'GB'])
    for (const cookie of ['', `sotto_session=${token}`]) {
      const headers = { 'cf-ipcountry': region, 'x-forwarded-for': '198.51.100.7', cookie };
      const { response, html } = await ask(`/embed/audio/${free.slug}`, headers);
      expect([region, response.status, html.includes(closedText)]).toEqual([region, 200, true]);
      expect(html).not.toContain('/media/');
      expect(html).toContain(`href="${site.facts.url}/audio/${free.slug}"`);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  const open = await ask(`/embed/audio/${free.slug}`, { 'cf-ipcountry': 'IS', 'x-forwarded-for': '198.51.100.7' });
  expect(open.data?.parts).toHaveLength(1);
  await set(ageSetting, AgeSettings.parse({}));
});

test('an operator can turn frames off', async () => {
  await set(featureSetting, Features.parse({ embeds: false }));
  const { response, html } = await ask(`/embed/audio/${free.slug}`);
  expect([response.status, html.includes(closedText), html.includes('/media/')]).toEqual([404, true, false]);
  await set(featureSetting, Features.parse({}));
  expect((await ask(`/embed/audio/${free.slug}`)).response.status).toBe(200);
});

test('a play in a frame counts with the source “embed”', async () => {
  const response = await fetch(`${url}/v1/api/audios/play/${second.id}?source=embed`);
  expect(await response.json()).toMatchObject({ counted: true });
  const { rows } = await db.execute(
    sql`select source from figure_changes where kind = 'play' and audio_id = ${second.id}`,
  );
  expect(rows).toEqual([{ source: 'embed' }]);
});

test('other methods are refused', async () => {
  expect((await fetch(`${url}/embed/audio/${free.slug}`, { method: 'POST' })).status).toBe(405);
});
