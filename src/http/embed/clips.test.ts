import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { AgeSettings, ageSetting } from '#domain/age/settings.ts';
import { audios, voices } from '#domain/catalogue/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { quoteOf } from '#domain/listening/clips/rules.ts';
import { clips } from '#domain/listening/clips/tables.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import { Features, featureSetting } from '#domain/settings/features.ts';
import { storedFiles } from '#domain/stored-files.ts';
import { openSoundEngine } from '#gateways/sound/sound-engine.ts';
import { createAudio, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { tone, wavOf } from '#test/support/sound/sounds.ts';

const { url, db, site, blobs, jobs } = await startTestSite({ TRUST_PROXY: '1', REGION_HEADER: 'CF-IPCountry' });
const engine = openSoundEngine({ blobs, dir: join(tmpdir(), 'sotto-clips') });
const isThere = (await engine.version()) !== undefined;

const wav = wavOf(tone(440), { seconds: 8, rate: 8000 });
await blobs.write('audio/source.wav', wav);
const file = { fileKey: 'audio/source.wav', fileMime: 'audio/wav', fileBytes: wav.length, durationMs: 8000 };
const voice = await createVoice(db, { name: 'Maren Holt' });
const cues = [
  { start: 0, end: 2, text: 'How do I love thee?' },
  { start: 2, end: 5, text: 'Let me count "the" ways.' },
  { start: 5, end: 8, text: 'I love thee.' },
];
const free = await createAudio(db, { ...file, title: 'Love <3', voiceId: voice.id, isFree: true, cues });
const locked = await createAudio(db, { ...file, voiceId: voice.id });
const streamed = await createAudio(db, { ...file, voiceId: voice.id, isFree: true, isStreamOnly: true });
const draft = await createAudio(db, { ...file, voiceId: voice.id, isFree: true, publishedAt: null });

const { id: userId } = await createUser(db);
const { token } = await createSession(db, userId);

async function ask(id: string, start: number, end: number, bearer: string | undefined = token) {
  const response = await fetch(`${url}/v1/api/audios/${id}/clips`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify({ start, end }),
  });
  const body = (await response.json()) as { id: string; state: string; url: string; error?: { code: string } };
  return { status: response.status, code: body.error?.code, ...body };
}

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.clone().text(), response };
}

/** A clip that is cut. */
async function newClip(start: number, end: number): Promise<string> {
  const { id } = await ask(free.id, start, end);
  await site.listening.makeClip({ blobs, engine }, id);
  return id;
}

const reopen = { isFree: true, fileKey: file.fileKey, publishedAt: new Date(Date.now() - 60_000), isStreamOnly: false };
afterEach(async () => {
  await db.update(audios).set(reopen).where(eq(audios.id, free.id));
  await db.update(voices).set({ allowsClips: true, hiddenAt: null }).where(eq(voices.id, voice.id));
});

test('needs an account; what it makes is cut by a job, and the same seconds are the same clip', async () => {
  expect(await ask(free.id, 1, 3, '')).toMatchObject({ status: 401 });
  const made = await ask(free.slug, 1.04, 3);
  expect(made).toMatchObject({ status: 202, state: 'waiting', url: `${site.facts.url}/clip/${made.id}` });
  expect(jobs).toContain(`make-clip ${made.id}`);
  const { id: other } = await createUser(db);
  const again = await ask(free.id, 1, 3, (await createSession(db, other)).token);
  expect(again.id).toBe(made.id);
  expect(await site.listening.findWaitingClips()).toContain(made.id);
});

test.each([
  ['an audio for subscribers', locked.id, 1, 3, 409, 'clip/not-free'],
  ['an audio that may not be kept', streamed.id, 1, 3, 409, 'clip/not-allowed'],
  ['an unpublished audio', draft.id, 1, 3, 404, 'request/not-found'],
  ['more than a minute', free.id, 1, 61.2, 400, 'request/invalid'],
  ['less than a second', free.id, 1, 1.5, 400, 'request/invalid'],
  ['seconds after the end of the audio', free.id, 7.5, 20, 400, 'request/invalid'],
])('%s is refused', async (_what, id, start, end, status, code) => {
  expect(await ask(id, start, end)).toMatchObject({ status, code });
});

test.skipIf(!isThere)('its page has picture, words and sound, and no other site may frame it', async () => {
  const id = await newClip(1.5, 5.5);
  const page = await open(`/clip/${id}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h1 class="clip__title" data-embed="title" dir="auto" lang="en">Love &lt;3</h1>');
  expect(page.text).toContain('Maren Holt · 4 sec');
  expect(page.text).toContain('“Let me count &quot;the&quot; ways.”');
  expect(page.text).toContain(`<meta property="og:audio" content="${site.facts.url}/clip/${id}/sound" />`);
  expect(page.text).toContain(`/audio/${free.slug}?t=1"`);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
  const sound = await open(`/clip/${id}/sound`);
  expect([sound.status, sound.headers.get('content-type')]).toEqual([200, 'audio/mp4']);
  expect(sound.headers.get('cache-control')).toBe('private, no-cache');
  const card = await fetch(`${url}/cards/clip/${id}.jpg`);
  expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const [row] = await db.select().from(clips).where(eq(clips.id, id));
  expect(row).toMatchObject({ state: 'ready', fileBytes: Number(sound.headers.get('content-length')) });
  const [stored] = await db
    .select()
    .from(storedFiles)
    .where(eq(storedFiles.key, row?.fileKey ?? ''));
  expect(stored?.state).toBe('kept');
  expect(await (await fetch(`${url}/v1/api/clips/${id}`)).json()).toMatchObject({ id, state: 'ready' });
});

test('until it is cut, its page says so and asks again', async () => {
  const { id } = await ask(free.id, 2, 7);
  const { status, text } = await open(`/clip/${id}`);
  expect(status).toBe(200);
  expect(text).toContain('This clip is being cut');
  expect(text).toContain('<meta http-equiv="refresh" content="3" />');
  expect((await open(`/clip/${id}/sound`)).status).toBe(404);
});

test.skipIf(!isThere).each([
  ['is for subscribers now', () => db.update(audios).set({ isFree: false }).where(eq(audios.id, free.id))],
  ['is not public any more', () => db.update(audios).set({ publishedAt: null }).where(eq(audios.id, free.id))],
  ['may not be kept any more', () => db.update(audios).set({ isStreamOnly: true }).where(eq(audios.id, free.id))],
  ['has another recording', () => db.update(audios).set({ fileKey: 'audio/other.wav' }).where(eq(audios.id, free.id))],
  [
    'is of a creator who wants no clips',
    () => db.update(voices).set({ allowsClips: false }).where(eq(voices.id, voice.id)),
  ],
  ['is of a hidden creator', () => db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, voice.id))],
])('all of it is gone as soon as its audio %s', async (_what, change) => {
  const id = await newClip(1, 4);
  const paths = [`/clip/${id}`, `/clip/${id}/sound`, `/cards/clip/${id}.jpg`, `/v1/api/clips/${id}`];
  for (const path of paths) expect([path, (await open(path)).status]).toEqual([path, 200]);
  await change();
  for (const path of paths) expect([path, (await open(path)).status]).toEqual([path, 404]);
});

test('an operator can turn clips off', async () => {
  const { id } = await ask(free.id, 0, 3);
  await changeSetting(db, featureSetting, { actor: operator, value: Features.parse({ clips: false }), revision: 0 });
  await site.settings.refresh();
  expect((await open(`/clip/${id}`)).status).toBe(404);
  expect((await ask(free.id, 0, 3)).code).toBe('site/feature-off');
  await changeSetting(db, featureSetting, { actor: operator, value: Features.parse({}), revision: 1 });
  await site.settings.refresh();
  expect((await open(`/clip/${id}`)).status).toBe(200);
});

test.skipIf(!isThere)('where a rule of age asks something of a visitor, its page has no sound', async () => {
  const id = await newClip(0, 5);
  const rules = [{ place: 'FR', rule: 'statement', again: 'year', preset: null }];
  await changeSetting(db, ageSetting, { actor: operator, value: AgeSettings.parse({ rules }), revision: 0 });
  await site.settings.refresh();
  const headers = { 'cf-ipcountry': 'FR', 'x-forwarded-for': '198.51.100.7' };
  const page = await open(`/clip/${id}`, headers);
  expect([page.status, page.text.includes('data-embed="play"')]).toEqual([200, false]);
  expect(page.text).toContain('Please confirm your age');
  expect((await open(`/clip/${id}/sound`, headers)).status).toBe(403);
  await changeSetting(db, ageSetting, { actor: operator, value: AgeSettings.parse({}), revision: 1 });
  await site.settings.refresh();
});

test('a clip that cannot be cut fails, and is cut when somebody chooses it again', async () => {
  const { id } = await ask(free.id, 3, 8);
  await db.update(clips).set({ recording: 'audio/gone.wav' }).where(eq(clips.id, id));
  await site.listening.makeClip({ blobs, engine }, id);
  expect(await db.select({ state: clips.state }).from(clips).where(eq(clips.id, id))).toEqual([{ state: 'failed' }]);
  await db.update(clips).set({ recording: file.fileKey }).where(eq(clips.id, id));
  expect(await ask(free.id, 3, 8)).toMatchObject({ id, state: 'waiting' });
});

test('clips are deleted after a year, and failed ones after a day', async () => {
  const ids = [];
  for (const [end, days, state] of [
    [6.1, 364, 'waiting'],
    [6.2, 366, 'waiting'],
    [6.3, 2, 'failed'],
    [6.4, 0, 'failed'],
  ] as const) {
    const { id } = await ask(free.id, 0, end);
    const createdAt = sql`now() - make_interval(days => ${days})`;
    await db.update(clips).set({ createdAt, state }).where(eq(clips.id, id));
    ids.push(id);
  }
  expect(await site.listening.purgeClips()).toBe(2);
  const left = (await db.select({ id: clips.id }).from(clips)).map(({ id }) => id);
  expect(ids.map((id) => left.includes(id))).toEqual([true, false, false, true]);
});

test('it quotes the lines that are said in it, and cuts a long quote between words', () => {
  expect(quoteOf(cues, { start: 2.4, end: 8 })).toBe('Let me count "the" ways. I love thee.');
  expect(quoteOf(cues, { start: 4.9, end: 5.1 })).toBe('');
  const long = quoteOf([{ start: 0, end: 1, text: 'word '.repeat(100) }], { start: 0, end: 1 });
  expect(long).toMatch(/word…$/);
  expect(long.length).toBeLessThanOrEqual(181);
});
