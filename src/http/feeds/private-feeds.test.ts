import { XMLParser } from 'fast-xml-parser';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { featureSetting } from '#domain/settings/features.ts';
import { credits } from '#domain/catalogue/credits/tables.ts';
import { audios, transcriptTranslations, voices } from '#domain/catalogue/tables.ts';
import { feedUses, privateFeeds } from '#domain/feeds/tables.ts';
import type { FeedKind } from '#domain/feeds/rules.ts';
import { users } from '#domain/identity/tables.ts';
import { newId } from '#domain/kernel/ids.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { pauses } from '#domain/membership/keeping/tables.ts';
import { memberships, subscriptions } from '#domain/membership/tables.ts';
import { limitSetting } from '#domain/settings/limits.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import {
  createAudio,
  createPlaylist,
  createSeries,
  createSession,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { podcastFaults, readAsHtml } from '#test/support/sound/podcast-faults.ts';
import { startTestSite } from '#test/support/site.ts';
import { ageSetting } from '#domain/age/settings.ts';
import { languageSetting } from '#domain/settings/languages.ts';
import { slow } from '#test/support/tags.ts';

const siteUrl = 'https://sotto.example';
const opened = await startTestSite({
  SITE_URL: siteUrl,
  OPERATOR_NAME: 'Night Works',
  OPERATOR_EMAIL: 'hello@sotto.example',
  TRUST_PROXY: '1',
});
const { url, site, db, blobs, logged, errors, identity } = opened;

const small = await sharp({ create: { width: 700, height: 500, channels: 3, background: '#b05040' } })
  .webp()
  .toBuffer();
await blobs.write('images/small.webp', small);
const voice = await createVoice(db, { name: 'Ana & <Co>', imageKey: 'images/small.webp' });
const shared = { voiceId: voice.id, imageKey: 'images/small.webp' };
const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const first = await createAudio(db, {
  ...shared,
  title: 'One & <Two>',
  publishedAt: at(2),
  durationMs: 300_000,
  description: 'Three parts.\n00:00 The door\n01:30 – The stairs\n(4:00) The room',
  cues: [{ start: 0, end: 2, text: 'Come in.' }],
});
const asked = { voiceId: (await createVoice(db)).id, state: 'asked', askedAt: new Date() } as const;
await db.insert(credits).values([
  { id: newId(), audioId: first.id, position: 0, role: 'writer', name: 'John Keats' },
  { id: newId(), audioId: first.id, position: 1, role: 'editor', ...asked },
]);
const second = await createAudio(db, { ...shared, title: 'Second', publishedAt: at(3) });
const other = await createAudio(db, { title: 'Elsewhere', publishedAt: at(4), tagLabels: ['Loud'] });
const draft = await createAudio(db, { ...shared, title: 'Draft', publishedAt: null });
await db.update(audios).set({ firstPublishedAt: sql`published_at` });
for (const { fileKey } of [first, second, other]) await blobs.write(fileKey, Buffer.alloc(1000, 7));
const series = await createSeries(db, {
  title: 'Nights',
  voiceId: voice.id,
  audioIds: [second.id, draft.id, first.id],
});
const house = await createPlaylist(db, { title: 'House', audioIds: [other.id] });

type Person = { id: string; token: string; email: string };

async function newPerson(months = 1): Promise<Person> {
  const { id, username } = await createUser(db);
  const email = `${username}@example.org`;
  await db.update(users).set({ email }).where(eq(users.id, id));
  if (months > 0) await giveMonths(db, id, months);
  return { id, email, token: (await createSession(db, id)).token };
}

async function call(by: Person | undefined, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api/user/feeds${path}`, {
    method,
    headers: {
      ...(by && { authorization: `Bearer ${by.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** @returns the path of the feed */
async function newFeed(by: Person, kind: FeedKind, subject?: string): Promise<string> {
  const { status, body } = await call(by, 'POST', '', { kind, ...(subject && { subject }) });
  expect([status, body]).toMatchObject([201, { address: expect.stringMatching(/^https:\/\/sotto\.example\/feeds\//) }]);
  return body.address.slice(siteUrl.length) as string;
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url + path, { headers, method, redirect: 'manual' });

/** @param network of the client, such as `203.0.113` */
const from = (network: string) => ({ 'x-forwarded-for': `${network}.9` });

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', isArray: (name) => name === 'item' });
type Node = Record<string, unknown>;
type Channel = Node & { item: (Node & { guid: Node; enclosure: Node })[] };

const nodeOf = (value: unknown): Node => (value ?? {}) as Node;

async function read(path: string): Promise<Channel> {
  const response = await get(path);
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
  expect(podcastFaults(text, siteUrl + path)).toEqual([]);
  return (parser.parse(text) as { rss: { channel: Channel } }).rss.channel;
}

const pathOf = (address: unknown) => String(address).slice(siteUrl.length);
const titles = ({ item }: Channel) => item.map(({ title }) => title);

/** Changes a setting, and waits until the site uses it, which the change feed triggers too. */
async function change(
  setting: typeof featureSetting | typeof limitSetting | typeof languageSetting | typeof ageSetting,
  value: object,
): Promise<void> {
  await db
    .insert(siteSettings)
    .values({ key: setting.key, value })
    .onConflictDoUpdate({ target: siteSettings.key, set: { value } });
  const read = async () => {
    await site.settings.refresh();
    return site.settings.read(setting);
  };
  await expect.poll(read).toMatchObject(value);
}

const ana = await newPerson();

test('a feed is created for subscribers, and its address is shown once', async () => {
  expect((await call(undefined, 'GET', '')).status).toBe(401);
  expect((await call(undefined, 'POST', '', { kind: 'all' })).status).toBe(401);
  const poor = await newPerson(0);
  expect(await call(poor, 'POST', '', { kind: 'all' })).toMatchObject({
    status: 402,
    body: { error: { code: 'subscription/required' } },
  });
  const path = await newFeed(ana, 'voice', voice.slug);
  const { body } = await call(ana, 'GET', '');
  expect(body.items[0]).toMatchObject({ kind: 'voice', title: 'Ana & <Co>', lastUsedAt: null, isStopped: false });
  const token = path.slice('/feeds/'.length, -'.xml'.length);
  const { rows } = await db.execute(sql`select to_jsonb(f)::text as row from private_feeds f`);
  expect(JSON.stringify([body, rows])).not.toContain(token);
});

test.each([
  [{ kind: 'voice' }, 400],
  [{ kind: 'all', subject: 'x' }, 400],
  [{ kind: 'everything' }, 400],
  [{ kind: 'voice', subject: 'nobody' }, 404],
  [{ kind: 'series', subject: 'no\0thing' }, 404],
  [{ kind: 'userPlaylist', subject: 'not-an-id' }, 404],
])('a feed of %j is refused with %i', async (form, status) => {
  expect((await call(ana, 'POST', '', form)).status).toBe(status);
});

test('each kind of feed has its audios, and nobody else’s', async () => {
  const bo = await newPerson();
  const viewer = { kind: 'user', id: bo.id, isSubscribed: true, isComplete: true } as const;
  await site.library.setFavorite(viewer, { contentTypeId: 'audio', id: other.id, isFavorite: true });
  const own = await createUserPlaylist(db, { userId: bo.id, isPublic: false, audioIds: [second.id, first.id] });
  const secret = await createUserPlaylist(db, { isPublic: false, audioIds: [first.id] });
  const feeds: [FeedKind, string | undefined, string[]][] = [
    ['all', undefined, ['Elsewhere', 'Second', 'One & <Two>']],
    ['voice', voice.slug, ['Second', 'One & <Two>']],
    ['series', series.slug, ['Second', 'One & <Two>']],
    ['library', undefined, ['Elsewhere']],
    ['playlist', house.slug, ['Elsewhere']],
    ['userPlaylist', own.id, ['Second', 'One & <Two>']],
  ];
  for (const [kind, subject, expected] of feeds)
    expect([kind, titles(await read(await newFeed(bo, kind, subject)))]).toEqual([kind, expected]);
  expect((await call(bo, 'POST', '', { kind: 'userPlaylist', subject: secret.id })).status).toBe(404);
  await site.library.setTagHidden(bo.id, 'loud', true);
  expect(titles(await read(await newFeed(bo, 'all')))).toEqual(['Second', 'One & <Two>']);
  // Hidden only from the user who hides it.
  expect(titles(await read(await newFeed(ana, 'all')))).toContain('Elsewhere');
});

test('plain texts of creators are text in every feed, with their lines', async () => {
  const text =
    'I <3 you & <b>you</b>.\n\n<img src="https://evil.example/p.gif">\n<a href="https://evil.example">Log in</a>';
  const hostile = await createVoice(db, { name: 'Hostile', slug: 'hostile', bio: text });
  const audio = await createAudio(db, { voiceId: hostile.id, description: text, publishedAt: at(1) });
  const bad = await createSeries(db, { title: 'Bad', voiceId: hostile.id, audioIds: [audio.id], description: text });
  const list = await createPlaylist(db, { title: 'Listed', audioIds: [audio.id], description: text });
  const person = await newPerson();
  const subjects: [FeedKind, string][] = [
    ['voice', hostile.slug],
    ['series', bad.slug],
    ['playlist', list.slug],
  ];
  for (const [kind, subject] of subjects) {
    const { item, description } = await read(await newFeed(person, kind, subject));
    for (const written of [description, item[0]?.['description']])
      expect([kind, readAsHtml(String(written))]).toEqual([kind, { text, elements: ['br'] }]);
  }
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, audio.id));
});

test('a feed keeps the rules of RSS 2.0, of Apple, and of the podcast namespace', async () => {
  const path = await newFeed(ana, 'voice', voice.id);
  const base = siteUrl + path.slice(0, -'.xml'.length);
  const channel = await read(path);
  expect(channel).toMatchObject({
    title: 'Ana & <Co> · Sotto',
    link: `${siteUrl}/creators/${voice.slug}`,
    description: 'Audios by Ana &amp; &lt;Co&gt;.',
    language: 'en',
    'atom:link': { '@href': siteUrl + path, '@rel': 'self', '@type': 'application/rss+xml' },
    'itunes:author': 'Ana & <Co>',
    'itunes:owner': { 'itunes:name': 'Night Works', 'itunes:email': 'hello@sotto.example' },
    'itunes:explicit': true,
    'itunes:block': 'Yes',
    'itunes:category': { '@text': 'Arts' },
    'podcast:locked': { '#text': 'yes', '@owner': 'hello@sotto.example' },
  });
  const guids = channel.item.map(({ guid }) => guid['#text']);
  expect(guids).toEqual([second.id, first.id]);
  const cover = (channel['itunes:image'] as Node)['@href'];
  for (const item of channel.item) {
    expect(item.guid['@isPermaLink']).toBe('false');
    expect(item['pubDate']).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    expect(item.enclosure).toMatchObject({ '@type': 'audio/mpeg', '@length': '1000' });
    expect(String(item.enclosure['@url'])).toMatch(/\.mp3$/);
    expect(String(item.enclosure['@url']).startsWith(`${base}/`)).toBe(true);
    expect((item['itunes:image'] as Node)['@href']).toBe(cover);
  }
  expect(channel.item[1]).toMatchObject({
    'itunes:duration': 300,
    'podcast:transcript': { '@url': `${base}/${first.id}/transcript.vtt`, '@type': 'text/vtt' },
    'podcast:chapters': { '@url': `${base}/${first.id}/chapters.json`, '@type': 'application/json+chapters' },
    'podcast:person': [
      { '@role': 'narrator', '@group': 'cast', '#text': voice.name },
      { '@role': 'writer', '@group': 'writing', '#text': 'John Keats' },
    ],
  });
  expect(channel.item[0]).not.toHaveProperty('podcast:chapters');
  // The source is 700 × 500.
  const picture = await get(pathOf(cover));
  const { format, width, height } = await sharp(new Uint8Array(await picture.arrayBuffer())).metadata();
  expect([picture.headers.get('content-type'), format, width, height]).toEqual(['image/jpeg', 'jpeg', 1600, 1600]);
  expect(String(cover)).toMatch(/\.jpg$/);
  const chapters = await get(pathOf(nodeOf(channel.item[1]?.['podcast:chapters'])['@url']));
  expect([chapters.headers.get('content-type'), await chapters.json()]).toMatchObject([
    'application/json+chapters',
    {
      version: '1.2.0',
      chapters: [
        { startTime: 0, title: 'The door' },
        { startTime: 90, title: 'The stairs' },
        { startTime: 240, title: 'The room' },
      ],
    },
  ]);
  const transcript = await get(pathOf(nodeOf(channel.item[1]?.['podcast:transcript'])['@url']));
  expect(transcript.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
  expect(await transcript.text()).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nCome in.\n');
});

test('a transcript is in a feed once for each language', async () => {
  const spoken = { start: 0, end: 2, text: 'Listen.' };
  const said = { ...spoken, text: 'Hör zu.' };
  const translator = await createVoice(db, { name: 'Translated', slug: 'translated' });
  const audio = await createAudio(db, { voiceId: translator.id, cues: [spoken], publishedAt: at(1) });
  const other = await createAudio(db, { voiceId: translator.id, publishedAt: at(2) });
  await db.insert(transcriptTranslations).values([
    { audioId: audio.id, language: 'pt-BR', cues: [spoken] },
    { audioId: audio.id, language: 'de', cues: [said] },
    { audioId: other.id, language: 'de', cues: [said] },
  ]);
  const path = await newFeed(ana, 'voice', translator.slug);
  const { item } = await read(path);
  const base = `${siteUrl}${path.slice(0, -'.xml'.length)}/${audio.id}`;
  const transcripts = item.find(({ guid }) => guid['#text'] === audio.id)?.['podcast:transcript'];
  expect(transcripts).toEqual([
    { '@url': `${base}/transcript.vtt`, '@type': 'text/vtt', '@language': 'en' },
    { '@url': `${base}/transcript.de.vtt`, '@type': 'text/vtt', '@language': 'de' },
    { '@url': `${base}/transcript.pt-BR.vtt`, '@type': 'text/vtt', '@language': 'pt-BR' },
  ]);
  // Translations are read beside a transcript.
  expect(item.find(({ guid }) => guid['#text'] === other.id)).not.toHaveProperty('podcast:transcript');
  expect(await (await get(pathOf(`${base}/transcript.de.vtt`))).text()).toContain('Hör zu.');
  expect(await (await get(pathOf(`${base}/transcript.vtt`))).text()).toContain('Listen.');
  expect((await get(pathOf(`${base}/transcript.fr.vtt`))).status).toBe(404);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.voiceId, translator.id));
});

test('a feed has the language of its creator, and its items theirs', async () => {
  const jule = await createVoice(db, { language: 'de' });
  const inFrench = await createAudio(db, {
    voiceId: jule.id,
    language: 'fr',
  });
  const channel = await read(await newFeed(ana, 'voice', jule.id));
  expect(channel).toMatchObject({
    language: 'de',
    item: [{ guid: { '#text': inFrench.id }, 'dc:language': 'fr' }],
  });
});

test('a feed without a picture of its own gets one that is drawn', async () => {
  const channel = await read(await newFeed(ana, 'all'));
  const address = pathOf((channel['itunes:image'] as Node)['@href']);
  const picture = await get(address);
  const { format, width, height } = await sharp(new Uint8Array(await picture.arrayBuffer())).metadata();
  expect([address.endsWith('/cover.jpg'), format, width, height]).toEqual([true, 'jpeg', 1600, 1600]);
  const etag = picture.headers.get('etag') ?? '';
  expect((await get(address, { 'if-none-match': etag })).status).toBe(304);
});

test('episodes keep their numbers, whatever is published before them', async () => {
  const numbers = async (path: string) =>
    (await read(path)).item.map((item) => [item['title'], item['itunes:episode']]);
  const voices = await createVoice(db);
  const one = await createAudio(db, { voiceId: voices.id, title: 'A', publishedAt: at(1) });
  await createAudio(db, { voiceId: voices.id, title: 'B', publishedAt: at(2) });
  const reader = await newPerson();
  expect(await numbers(await newFeed(reader, 'voice', voices.id))).toEqual([
    ['B', 2],
    ['A', 1],
  ]);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, one.id));
  await createAudio(db, { voiceId: voices.id, title: 'C', publishedAt: at(1) });
  // Another user, whose feed is rendered separately.
  const later = await newPerson();
  await site.library.setTagHidden(later.id, 'loud', true);
  expect(await numbers(await newFeed(later, 'voice', voices.id))).toEqual([
    ['B', 2],
    ['C', 3],
  ]);
  const serial = await read(await newFeed(reader, 'series', series.id));
  expect(serial['itunes:type']).toBe('serial');
  // The second part is a draft.
  expect(serial.item.map((item) => item['itunes:episode'])).toEqual([1, 3]);
});

test('the sound comes in ranges, with its tag, and only while the subscription runs', async () => {
  const cem = await newPerson();
  const path = await newFeed(cem, 'voice', voice.id);
  const channel = await read(path);
  const sound = pathOf(channel.item[0]?.enclosure['@url']);
  const whole = await get(sound);
  expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, 1000]);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'audio/mpeg',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  const part = await get(sound, { range: 'bytes=10-19' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/1000']);
  expect((await get(sound, { range: 'bytes=5000-' })).status).toBe(416);
  const head = await get(sound, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000']);
  expect((await get(sound, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);
  expect((await get(sound, {}, 'POST')).status).toBe(405);
  // Exists on the site, but not in this feed.
  for (const audio of [other, draft]) expect((await get(sound.replace(second.id, audio.id))).status).toBe(404);
  expect((await get(sound.replace(second.id, 'x'))).status).toBe(404);

  await db
    .update(memberships)
    .set({ giftUntil: at(20) })
    .where(eq(memberships.userId, cem.id));
  for (const file of [
    sound,
    `${path.slice(0, -4)}/${first.id}/transcript.vtt`,
    `${path.slice(0, -4)}/${first.id}/chapters.json`,
  ])
    expect([file, (await get(file)).status]).toEqual([file, 402]);
  const ended = await read(path);
  expect(ended.item).toHaveLength(1);
  expect(ended.item[0]).toMatchObject({
    title: 'Your subscription has ended',
    pubDate: 'Tue, 20 Jan 2026 00:00:00 GMT',
    enclosure: { '@type': 'audio/mp4' },
  });
  const tones = pathOf(ended.item[0]?.enclosure['@url']);
  const notice = await get(tones);
  const bytes = Buffer.from(await notice.arrayBuffer());
  expect(String(bytes.byteLength)).toBe(ended.item[0]?.enclosure['@length']);
  const start = await get(tones, { range: 'bytes=4-7' });
  expect([start.status, await start.text()]).toEqual([206, bytes.toString('latin1', 4, 8)]);
  expect((await get(tones, {}, 'HEAD')).headers.get('accept-ranges')).toBe('bytes');
  expect((await get(tones, { 'if-none-match': notice.headers.get('etag') ?? '' })).status).toBe(304);
  await giveMonths(db, cem.id, 1);
  expect((await read(path)).item).toHaveLength(2);
});

test('a creator’s own audios welcome, remind of a payment and say goodbye in their feed', async () => {
  const dora = await newPerson(0);
  const own = await createVoice(db, { name: 'Dora Lind' });
  const [welcome, payment, farewell] = await Promise.all(
    ['Welcome', 'Payment', 'Farewell'].map((title) => createAudio(db, { voiceId: own.id, title, publishedAt: at(5) })),
  );
  for (const { fileKey } of [welcome!, payment!, farewell!]) await blobs.write(fileKey, Buffer.alloc(500, 3));
  await db
    .update(voices)
    .set({ welcomeAudioId: welcome!.id, paymentAudioId: payment!.id, farewellAudioId: farewell!.id })
    .where(eq(voices.id, own.id));
  const day = 86_400_000;
  const since = new Date(Date.now() - day);
  const terms = { period: 'month', amount: 999, currency: 'usd' } as const;
  const times = { startedAt: at(1), periodEndsAt: new Date(Date.now() + 9 * day) };
  await db
    .insert(subscriptions)
    .values({ userId: dora.id, subscriptionId: 'sub_dora', status: 'active', ...terms, ...times });
  const set = (changes: Partial<typeof subscriptions.$inferInsert>) =>
    db.update(subscriptions).set(changes).where(eq(subscriptions.userId, dora.id));
  const path = await newFeed(dora, 'voice', own.id);
  const library = await newFeed(dora, 'all');
  const soundOf = (item?: { enclosure: Node }) => pathOf(item?.enclosure['@url']);
  const types = (await read(path)).item.map((item) => [item.title, item['itunes:episodeType']]);
  expect(Object.fromEntries(types)).toEqual({ Welcome: 'trailer', Payment: 'full', Farewell: 'full' });
  expect((await read(library)).item.some((item) => item['itunes:episodeType'] === 'trailer')).toBe(false);

  await set({ status: 'past-due', unpaidSince: since });
  const due = (await read(path)).item;
  expect(due).toHaveLength(4);
  expect(due[0]).toMatchObject({
    title: 'Your last payment failed',
    guid: { '#text': `due payment ${since.toISOString().slice(0, 10)}` },
  });
  const reminder = soundOf(due[0]);
  expect(reminder).toMatch(/\/payment\/payment[a-z0-9-]*\.mp3$/);
  expect((await (await get(reminder)).arrayBuffer()).byteLength).toBe(500);
  // Feeds of several creators have the site's own sound.
  expect(soundOf((await read(library)).item[0])).toMatch(/\/notice\.m4a$/);
  // No other audio by this way, and none that is not said now.
  const goodbye = reminder.replace('/payment/', '/farewell/');
  expect((await get(goodbye)).status).toBe(404);

  await set({ status: 'trialing', unpaidSince: null });
  const pause = { id: newId(), userId: dora.id, subscriptionId: 'sub_dora', months: 1, appliedAt: since };
  await db.insert(pauses).values({ ...pause, fromAt: since, untilAt: times.periodEndsAt });
  const paused = (await read(path)).item;
  expect(paused.map(({ title }) => title)).toEqual(['Your subscription is paused']);
  expect(soundOf(paused[0])).toMatch(/\/notice\.m4a$/);

  await set({ status: 'ended', endsAt: since });
  const ended = (await read(path)).item;
  expect(ended.map(({ title }) => title)).toEqual(['Your subscription has ended']);
  expect((await (await get(soundOf(ended[0]))).arrayBuffer()).byteLength).toBe(500);
  expect(soundOf(ended[0])).toMatch(/\/farewell\//);
  expect((await get(reminder)).status).toBe(404);
  // Its sound as an episode is for subscribers again.
  expect((await get(soundOf(ended[0]).replace('farewell/', `${farewell!.id}/`))).status).toBe(402);
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, farewell!.id));
  expect(soundOf((await read(path)).item[0])).toMatch(/\/notice\.m4a$/);
});

test('a feed answers 304 and HEAD, is compressed, and changes with its content only', async () => {
  const path = await newFeed(ana, 'voice', voice.id);
  const got = await get(path, { 'accept-encoding': 'gzip' });
  const etag = got.headers.get('etag') ?? '';
  expect(got.headers.get('content-encoding')).toBe('gzip');
  expect(got.headers.get('cache-control')).toBe('private, no-cache');
  expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
  const modified = (await get(path)).headers.get('last-modified') ?? '';
  const since = await get(path, { 'if-modified-since': modified });
  expect([since.status, since.headers.get('last-modified')]).toEqual([304, modified]);
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  const head = await get(path, { 'accept-encoding': 'identity' }, 'HEAD');
  const plain = await get(path, { 'accept-encoding': 'identity' });
  expect([head.status, head.headers.get('content-length')]).toEqual([
    200,
    String((await plain.arrayBuffer()).byteLength),
  ]);
  // Each address has its own bytes, and so its own tag.
  const again = await get(await newFeed(ana, 'voice', voice.id), { 'if-none-match': etag });
  expect(again.status).toBe(200);
});

test('revoked, unknown and foreign addresses answer alike, and guessing is limited', async () => {
  const dee = await newPerson();
  const path = await newFeed(dee, 'all');
  const [{ id }] = (await call(dee, 'GET', '')).body.items;
  expect((await call(ana, 'DELETE', `/${id}`)).status).toBe(404);
  expect((await call(ana, 'POST', `/${id}/address`)).status).toBe(404);
  expect((await get(path)).status).toBe(200);
  const renewed = pathOf((await call(dee, 'POST', `/${id}/address`)).body.address);
  expect([(await get(path)).status, (await get(renewed)).status]).toEqual([404, 200]);
  expect((await call(dee, 'DELETE', `/${id}`)).status).toBe(204);
  expect((await call(dee, 'DELETE', `/${id}`)).status).toBe(404);
  const unknown = `/feeds/${'A'.repeat(32)}.xml`;
  const [revoked, guessed] = [await get(renewed, from('198.51.100')), await get(unknown, from('198.51.100'))];
  expect([revoked.status, await revoked.text()]).toEqual([404, await guessed.text()]);
  for (const odd of [
    '/feeds/',
    '/feeds/x.xml',
    '/feeds/%00.xml',
    `/feeds/${'A'.repeat(32)}/../x.mp3`,
    '/feeds/a/b/c.mp3',
  ])
    expect([odd, (await get(odd, from('198.51.100'))).status]).toEqual([odd, 404]);
  const statuses = new Set<number>();
  for (let guess = 0; guess < 70; guess += 1) statuses.add((await get(unknown, from('192.0.2'))).status);
  expect([...statuses]).toEqual([404, 429]);
  // Others' guesses do not affect a user with a valid address.
  expect((await get(await newFeed(ana, 'all'), from('192.0.2'))).status).toBe(200);
});

test('suspended users and a site without feeds: the address answers nothing', async () => {
  const eve = await newPerson();
  const path = await newFeed(eve, 'all');
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, eve.id));
  expect((await get(path)).status).toBe(404);
  await db.update(users).set({ suspendedAt: null }).where(eq(users.id, eve.id));
  expect((await get(path)).status).toBe(200);
  await change(featureSetting, { privateFeeds: false });
  expect((await get(path)).status).toBe(404);
  expect(await call(eve, 'POST', '', { kind: 'all' })).toMatchObject({ status: 403 });
  await change(featureSetting, { privateFeeds: true });
  expect((await get(path)).status).toBe(200);
});

test('a feed that 200 networks use is stopped, its user gets one mail, and a new address starts it', slow, async () => {
  const fay = await newPerson();
  const path = await newFeed(fay, 'voice', voice.id);
  const sound = pathOf((await read(path)).item[0]?.enclosure['@url']);
  const sent = () => identity.mails.filter(({ to }) => to === fay.email);
  const statuses: number[] = [];
  for (let network = 0; network < 200; network += 1)
    statuses.push((await get(sound, { range: 'bytes=0-9', ...from(`10.0.${network}`) })).status);
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 206));
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toMatchObject({ subject: 'One of your podcast feeds was stopped' });
  for (const title of [voice.name, second.title]) expect(sent()[0]?.text).not.toContain(title);
  const refused = await get(sound, from('10.0.0'));
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(titles(await read(path))).toEqual(['This feed was stopped']);
  const [feed] = (await call(fay, 'GET', '')).body.items;
  expect(feed).toMatchObject({ isStopped: true });
  const renewed = pathOf((await call(fay, 'POST', `/${feed.id}/address`)).body.address);
  const again = pathOf((await read(renewed)).item[0]?.enclosure['@url']);
  expect((await get(again, from('10.0.199'))).status).toBe(200);
  expect(sent()).toHaveLength(1);
});

test('networks are counted at once as well as one after the other', slow, async () => {
  const gil = await newPerson();
  const sound = pathOf((await read(await newFeed(gil, 'voice', voice.id))).item[0]?.enclosure['@url']);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, network) => get(sound, { range: 'bytes=0-9', ...from(`10.1.${network}`) })),
  );
  expect(answers.filter(({ status }) => status === 206)).toHaveLength(20);
  expect(identity.mails.filter(({ to }) => to === gil.email)).toHaveLength(1);
});

test('one home is one network, and downloads have a limit a day', async () => {
  const hal = await newPerson();
  await change(limitSetting, { feedDownloadsPerDay: 2 });
  const path = await newFeed(hal, 'all');
  const channel = await read(path);
  const sounds = channel.item
    .filter(({ guid }) => [first.id, second.id, other.id].includes(String(guid['#text'])))
    .map(({ enclosure }) => pathOf(enclosure['@url']));
  expect(sounds).toHaveLength(3);
  const plays = async ({ id } = other) => (await site.catalogue.findAudio(id))?.plays ?? 0;
  const [before, ofFirst] = [await plays(), await plays(first)];
  // Reading a transcript is neither a download nor a play.
  expect((await get(`${path.slice(0, -4)}/${first.id}/transcript.vtt`, from('203.0.113'))).status).toBe(200);
  expect(await plays(first)).toBe(ofFirst);
  // Ranges of one download, and a second download that day, count once.
  for (const address of ['203.0.113.7', '203.0.113.8', '203.0.113.9'])
    for (const range of ['bytes=0-1', 'bytes=2-'])
      expect((await get(sounds[0] ?? '', { range, 'x-forwarded-for': address })).status).toBe(206);
  expect(await plays()).toBe(before + 1);
  expect((await get(sounds[1] ?? '', from('203.0.113'))).status).toBe(200);
  expect((await get(sounds[2] ?? '', from('203.0.113'))).status).toBe(429);
  // A HEAD request is no download.
  expect((await get(sounds[2] ?? '', from('203.0.113'), 'HEAD')).status).toBe(200);
  expect((await get(sounds[0] ?? '', from('203.0.113'))).status).toBe(200);
  const [feed] = await db.select().from(privateFeeds).where(eq(privateFeeds.userId, hal.id));
  const uses = await db
    .select()
    .from(feedUses)
    .where(eq(feedUses.feedId, feed?.id ?? ''));
  expect(uses.map(({ kind }) => kind).toSorted()).toEqual(['download', 'download', 'network']);
  expect(JSON.stringify(uses)).not.toMatch(new RegExp(`203\\.0\\.113|${other.id}`));
  await db
    .update(feedUses)
    .set({ day: '2026-01-01' })
    .where(eq(feedUses.feedId, feed?.id ?? ''));
  expect(await site.feeds.purgeOldUses()).toBe(3);
  await change(limitSetting, { feedDownloadsPerDay: 100 });
});

test('an empty feed and one whose creator is gone say so in an item', async () => {
  const ivy = await newPerson();
  const library = await newFeed(ivy, 'library');
  expect(titles(await read(library))).toEqual(['No audios yet']);
  const gone = await createUserPlaylist(db, { userId: ivy.id, audioIds: [first.id] });
  const path = await newFeed(ivy, 'userPlaylist', gone.id);
  await site.library.deleteUserPlaylist(ivy.id, gone.id);
  expect(titles(await read(path))).toEqual(['This feed is no longer available']);
});

test('a feed is in the language of its user, while the site offers it', async () => {
  const dora = await newPerson();
  const path = await newFeed(dora, 'all');
  await db
    .update(users)
    .set({ preferences: { language: 'de' } })
    .where(eq(users.id, dora.id));
  const before = await get(path);
  expect((await read(path))['title']).toBe('Everything · Sotto');
  await change(languageSetting, { de: true });
  const after = await get(path);
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  expect((await read(path))['title']).toBe('Alles · Sotto');
  expect((await read(path))['description']).toBe('Alles bei Sotto, das Neueste zuerst.');
  // Other users of the same content.
  expect((await read(await newFeed(ana, 'all')))['title']).toBe('Everything · Sotto');
  await change(languageSetting, { de: false });
});

test('a feed is labelled for filters until the operator wants no label', async () => {
  const path = await newFeed(ana, 'all');
  const rating = async () => (await get(path)).headers.get('rating');
  expect(await rating()).toBe('RTA-5042-1996-1400-1577-RTA');
  await change(ageSetting, { ratingLabel: false });
  expect(await rating()).toBeNull();
  await change(ageSetting, { ratingLabel: true });
});

test('one user has room for thirty feeds', async () => {
  const jo = await newPerson();
  for (let made = 0; made < 30; made += 1) await newFeed(jo, 'all');
  expect((await call(jo, 'POST', '', { kind: 'all' })).status).toBe(409);
});

test('logs name no address and no title', async () => {
  const path = await newFeed(ana, 'voice', voice.id);
  const channel = await read(path);
  // Read to the end, because the file is opened with the first read.
  await (await get(pathOf(channel.item[0]?.enclosure['@url']))).arrayBuffer();
  const { fileKey } = second;
  await blobs.remove(fileKey);
  expect((await get(pathOf(channel.item[0]?.enclosure['@url']), from('10.9.9'))).status).toBe(404);
  await blobs.write(fileKey, Buffer.alloc(1000, 7));
  const text = JSON.stringify(logged);
  const token = path.slice('/feeds/'.length, -4);
  for (const secret of [token, second.title, second.slug]) expect(text).not.toContain(secret);
  expect(errors.map(({ msg }) => msg)).toEqual(['A sound file is missing']);
  const metrics = await (await get('/metrics')).text();
  expect(metrics).not.toContain(token);
});
