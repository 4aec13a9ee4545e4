import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { choosePreview } from '#domain/catalogue/editing/publishing.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { maxPictureBytes } from '#domain/studio/rules.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';

const { url, db, blobs, errors } = await startTestSite({ TRUST_PROXY: '1' });

async function newPerson() {
  const { id } = await createUser(db);
  return { id, token: (await createSession(db, id)).token };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

async function call(by: Person, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${by.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

async function ownAudio(overrides: Parameters<typeof createAudio>[1] = {}) {
  const audio = await createAudio(db, overrides);
  const owner = await newPerson();
  await setVoiceOwner(db, audio.voiceId, owner.id, true);
  return { audio, owner, path: `/studio/audios/${audio.id}` };
}

test('a draft of a live audio is saved, in conflict with another, and published', async () => {
  const { audio, owner, path } = await ownAudio({ title: 'Old' });
  const other = await newPerson();
  await setVoiceOwner(db, audio.voiceId, other.id, true);
  expect(await call(owner, 'PATCH', path, { version: 0, change: { title: 'New' } })).toMatchObject({
    status: 200,
    body: { version: 1, apart: ['title'] },
  });
  expect(await call(other, 'PATCH', path, { version: 0, change: { title: 'Other' } })).toMatchObject({
    status: 409,
    body: { error: { code: 'audio/changed-meanwhile', change: { by: expect.any(String), at: expect.any(String) } } },
  });
  const publicTitle = async () => (await call(other, 'GET', `/audios/${audio.slug}`)).body.title;
  expect(await publicTitle()).toBe('Old');
  expect(await call(owner, 'POST', `${path}/changes/publish`, { version: 1 })).toMatchObject({ status: 200 });
  expect(await publicTitle()).toBe('New');
});

test('the choice of commenters stays in the draft while listeners see the audio, and is published with it', async () => {
  const { audio, owner, path } = await ownAudio();
  const commenters = async () => (await call(owner, 'GET', `/audios/${audio.id}/comments`)).body.commenters;
  const choose = (version: number, choice: unknown) =>
    call(owner, 'PATCH', path, { version, change: { commenters: choice } });
  expect(await choose(0, 'subscribers')).toMatchObject({ status: 200, body: { version: 1, apart: ['commenters'] } });
  expect(await commenters()).toBe('everyone');
  await call(owner, 'POST', `${path}/changes/publish`, { version: 1 });
  expect(await commenters()).toBe('subscribers');
  expect((await call(owner, 'GET', path)).body.values).toMatchObject({ commenters: 'subscribers' });
  for (const nonsense of ['friends', true, null, ['nobody']])
    expect(await choose(2, nonsense)).toMatchObject({ status: 400, body: { error: { code: 'request/invalid' } } });
  await choose(2, 'nobody');
  await call(owner, 'POST', `${path}/changes/publish`, { version: 3 });
  expect((await call(owner, 'GET', `/audios/${audio.id}`)).body.commentsDisabled).toBe(true);
});

test('a synthetic voice is none, partly or wholly, alone and for several audios', async () => {
  const { audio, owner, path } = await ownAudio();
  const shown = async () => (await call(owner, 'GET', `/audios/${audio.id}`)).body.syntheticVoice;
  const act = (body: object) => call(owner, 'POST', '/studio/audios/acts', { ids: [audio.id], ...body });
  expect(await shown()).toBe('none');
  for (const unknown of ['', 'mostly', null, 7])
    expect(await call(owner, 'PATCH', path, { version: 0, change: { syntheticVoice: unknown } })).toMatchObject({
      status: 400,
      body: { error: { code: 'request/invalid', field: 'change.syntheticVoice' } },
    });
  for (const body of [{ act: 'set-synthetic-voice' }, { act: 'free', syntheticVoice: 'partly' }])
    expect(await act(body)).toMatchObject({ status: 400, body: { error: { field: 'syntheticVoice' } } });
  expect(await call(owner, 'PATCH', path, { version: 0, change: { syntheticVoice: 'partly' } })).toMatchObject({
    status: 200,
    body: { apart: ['syntheticVoice'] },
  });
  expect(await shown()).toBe('none');
  expect(await act({ act: 'set-synthetic-voice', syntheticVoice: 'wholly' })).toMatchObject({
    status: 200,
    body: { changed: [audio.id] },
  });
  expect(await shown()).toBe('wholly');
});

test('a language is a known one in BCP 47, alone and for several audios', async () => {
  const { audio, owner, path } = await ownAudio();
  const language = async () => (await call(owner, 'GET', `/audios/${audio.id}`)).body.language;
  const act = (body: object) => call(owner, 'POST', '/studio/audios/acts', { ids: [audio.id], ...body });
  for (const unknown of ['', 'german', 'xx', 'und', 'de-1996', 'de\0', 'x'.repeat(5000), null, 7, ['de']]) {
    expect(await call(owner, 'PATCH', path, { version: 0, change: { language: unknown } })).toMatchObject({
      status: 400,
      body: { error: { code: 'request/invalid', field: 'change.language' } },
    });
    expect(await act({ act: 'set-language', language: unknown })).toMatchObject({ status: 400 });
  }
  for (const body of [{ act: 'set-language' }, { act: 'free', language: 'de' }])
    expect(await act(body)).toMatchObject({ status: 400, body: { error: { field: 'language' } } });
  expect(await language()).toBe('en');
  expect(await act({ act: 'set-language', language: 'pt-br' })).toMatchObject({
    status: 200,
    body: { changed: [audio.id] },
  });
  expect(await language()).toBe('pt-BR');
});

test('an audio is scheduled in the future, and not in the past', async () => {
  const { audio, owner, path } = await ownAudio({ publishedAt: null });
  const schedule = (at: unknown) => call(owner, 'PUT', `${path}/publication`, { state: 'scheduled', at });
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  for (const past of ['2001-01-01T00:00:00Z', new Date(Date.now() - 1000).toISOString()])
    expect(await schedule(past)).toMatchObject({ status: 400, body: { error: { code: 'audio/in-the-past' } } });
  expect(await schedule('9999-12-31T23:59:59Z')).toMatchObject({
    status: 400,
    body: { error: { message: 'Choose a time before the year 9001.' } },
  });
  for (const nonsense of ['soon', '2026-02-31T00:00:00Z', 5, null]) expect((await schedule(nonsense)).status).toBe(400);
  expect(await schedule(inAnHour)).toMatchObject({ status: 200, body: { state: 'scheduled', publishedAt: inAnHour } });
  expect((await call(owner, 'GET', `/audios/${audio.id}`)).status).toBe(404);
  expect(await call(owner, 'PUT', `${path}/publication`, { state: 'published' })).toMatchObject({
    body: { state: 'published' },
  });
  expect((await call(owner, 'GET', `/audios/${audio.id}`)).status).toBe(200);
});

test('scheduling a published audio is undone with its date, and refused for the preview', async () => {
  const publishedAt = new Date('2026-01-02T03:04:05.678Z');
  const { audio, owner, path } = await ownAudio({ publishedAt });
  const publication = (body: unknown) => call(owner, 'PUT', `${path}/publication`, body);
  const scheduled = { state: 'scheduled', at: new Date(Date.now() + 3_600_000).toISOString() };
  expect(await publication(scheduled)).toMatchObject({ status: 200, body: { state: 'scheduled' } });
  expect(await publication({ state: 'published' })).toMatchObject({
    body: { state: 'published', publishedAt: publishedAt.toISOString() },
  });
  await choosePreview(db, audio.id);
  expect(await publication(scheduled)).toMatchObject({
    status: 409,
    body: { error: { code: 'audio/is-preview' } },
  });
  expect((await call(owner, 'GET', `/audios/${audio.id}`)).status).toBe(200);
});

const cue = (start: number, end: number) => ({ start, end, text: 'Hush' });
const mistimed = [cue(0, 2), cue(1, 3), cue(5, 4), cue(6, 7), cue(58, 61)];
const refusedLines = {
  status: 409,
  body: {
    error: {
      code: 'audio/mistimed-transcript',
      message: expect.stringContaining('Lines 2, 3, 5 of the transcript have wrong times.'),
    },
  },
};

test('a transcript with wrong times is saved in a draft, and not published', async () => {
  const { audio, owner, path } = await ownAudio({ publishedAt: null });
  const publication = (body: unknown) => call(owner, 'PUT', `${path}/publication`, body);
  const at = new Date(Date.now() + 3_600_000).toISOString();
  expect((await call(owner, 'PATCH', path, { version: 0, change: { transcript: mistimed } })).status).toBe(200);
  expect(await publication({ state: 'published' })).toMatchObject(refusedLines);
  expect(await publication({ state: 'scheduled', at })).toMatchObject(refusedLines);
  expect(await call(owner, 'POST', '/studio/audios/acts', { act: 'publish', ids: [audio.id] })).toMatchObject({
    body: { refused: [{ id: audio.id, reason: 'mistimed-transcript' }] },
  });
  expect((await call(owner, 'GET', `/audios/${audio.id}`)).status).toBe(404);
  const right = [cue(0, 2), cue(2, 3), { start: 59, end: 60, text: '' }];
  expect((await call(owner, 'PATCH', path, { version: 1, change: { transcript: right } })).status).toBe(200);
  expect((await publication({ state: 'scheduled', at })).status).toBe(200);
  // Its time comes without another check.
  expect(await call(owner, 'PATCH', path, { version: 2, change: { transcript: mistimed } })).toMatchObject(
    refusedLines,
  );
});

test('a transcript with wrong times stays in the draft of a published audio', async () => {
  const { audio, owner, path } = await ownAudio({ isFree: true });
  expect((await call(owner, 'PATCH', path, { version: 0, change: { transcript: mistimed } })).status).toBe(200);
  const slug = `other-${audio.slug}`;
  expect((await call(owner, 'PATCH', path, { version: 1, change: { slug } })).status).toBe(200);
  expect(await call(owner, 'POST', `${path}/changes/publish`, { version: 2 })).toMatchObject(refusedLines);
  expect((await call(owner, 'GET', `/audios/${audio.id}/transcript`)).status).toBe(404);
  await call(owner, 'PATCH', path, { version: 2, change: { transcript: [cue(0, 2)] } });
  expect((await call(owner, 'POST', `${path}/changes/publish`, { version: 3 })).status).toBe(200);
});

test('old addresses redirect after a new slug', async () => {
  const { audio, owner, path } = await ownAudio({ publishedAt: null });
  expect((await call(owner, 'PATCH', path, { version: 0, change: { slug: `new-${audio.slug}` } })).status).toBe(200);
  await call(owner, 'PUT', `${path}/publication`, { state: 'published' });
  expect((await call(owner, 'GET', `/audios/${audio.slug}`)).body).toMatchObject({ slug: `new-${audio.slug}` });
});

test('several audios at once: those of others stay as they are', async () => {
  const { audio, owner } = await ownAudio();
  const foreign = await ownAudio();
  const ids = [audio.id, foreign.audio.id];
  expect(await call(owner, 'POST', '/studio/audios/acts', { act: 'unpublish', ids })).toMatchObject({
    status: 200,
    body: { changed: [audio.id], refused: [{ id: foreign.audio.id, title: null, reason: 'not-found' }] },
  });
  expect((await call(owner, 'GET', `/audios/${foreign.audio.id}`)).status).toBe(200);
  expect((await call(owner, 'POST', '/studio/audios/acts', { act: 'explode', ids })).status).toBe(400);
  expect((await call(owner, 'POST', '/studio/audios/acts', { act: 'free', ids: [] })).status).toBe(400);
});

test('bad input is a 400, and changes nothing', async () => {
  const { owner, path } = await ownAudio({ title: 'Stays' });
  const bad = [
    { title: '' },
    { title: 'x'.repeat(500) },
    { title: 'a\0b' },
    { description: 'x'.repeat(5001) },
    { slug: 'Not A Slug' },
    { slug: '../../etc' },
    { badge: 'x'.repeat(21) },
    { color: 'red' },
    { categories: Array.from({ length: 9 }, (_, index) => `c-${index}`) },
    { tags: ['x'.repeat(61)] },
    { tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) },
    { series: { slug: 'x', part: 0 } },
    { isFree: 'yes' },
    { voice: 'other' },
    { fileKey: 'audio/other.mp3' },
  ];
  for (const change of bad)
    expect([change, (await call(owner, 'PATCH', path, { version: 0, change })).status]).toEqual([change, 400]);
  expect((await call(owner, 'PATCH', path, { version: -1, change: {} })).status).toBe(400);
  expect((await call(owner, 'PATCH', path, { version: 0, change: { series: { slug: 'no-such' } } })).status).toBe(409);
  expect((await call(owner, 'GET', path)).body).toMatchObject({ version: 0, values: { title: 'Stays' } });
});

test('right-to-left titles and scripts are kept as they are', async () => {
  const { owner, path } = await ownAudio({ publishedAt: null });
  const change = {
    title: 'שיר השירים',
    description: '<script>alert(1)</script>',
    tags: ['<img src=x onerror=alert(1)>'],
  };
  expect((await call(owner, 'PATCH', path, { version: 0, change })).status).toBe(200);
  expect((await call(owner, 'GET', path)).body.values).toMatchObject(change);
});

test('covers: a picture is accepted; other files and too large ones are refused', slow, async () => {
  const { owner, path } = await ownAudio({ publishedAt: null });
  const put = (choice: unknown, version = 0) => call(owner, 'PUT', `${path}/cover`, { version, choice });
  // Each crop of it is a different picture.
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const jpeg = await sharp({ create: { width: 1600, height: 1500, channels: 3, background: '#335', noise } })
    .jpeg()
    .toBuffer();
  for (const choice of [
    { picture: '!!!' },
    { picture: '' },
    {},
    { area: { x: 0.5, y: 0, size: 10 } },
    { drawn: false },
  ])
    expect([choice, (await put(choice)).status]).toEqual([choice, 400]);
  expect(await put({ picture: Buffer.from('<svg/>').toString('base64') })).toMatchObject({
    status: 400,
    body: { error: { code: 'audio/not-a-picture' } },
  });
  // Some hundred kilobytes that would fill 7 GB of memory.
  expect(await put({ picture: pngOf(50_000, 50_000).toString('base64') })).toMatchObject({
    status: 400,
    body: { error: { code: 'picture/too-costly' } },
  });
  const huge = Buffer.alloc(maxPictureBytes + 10_000).toString('base64');
  expect((await put({ picture: huge })).status).toBe(413);
  expect(await put({ area: { x: 0, y: 0, size: 10 } })).toMatchObject({ status: 400 });
  expect(await put({ picture: jpeg.toString('base64') })).toMatchObject({ status: 200 });
  const edited = (await call(owner, 'GET', path)).body;
  expect(edited.cover).toMatchObject({ source: { width: 1600, height: 1500 }, area: { x: 50, y: 0, size: 1500 } });
  expect((await fetch(`${url}${edited.cover.imageUrl}?width=256&quality=80&format=webp`)).status).toBe(200);
  expect((await put({ area: { x: 100, y: 0, size: 1500 } }, 0)).status).toBe(409);
  expect((await put({ area: { x: 100, y: 0, size: 1500 } }, edited.version)).status).toBe(200);
});

test('the original file is for those who manage the voice, and never under /media', async () => {
  const { audio, owner } = await ownAudio({ publishedAt: null, isFree: true });
  await blobs.write(audio.fileKey, Buffer.from('sound'));
  const get = (by: Person | undefined, path: string) =>
    fetch(`${url}${path}`, by && { headers: { authorization: `Bearer ${by.token}` } });
  const original = `/studio-files/audios/${audio.id}/original`;
  const own = await get(owner, original);
  expect([own.status, await own.text()]).toEqual([200, 'sound']);
  expect(own.headers.get('content-disposition')).toBe(
    `attachment; filename="${audio.slug}.mp3"; filename*=UTF-8''${audio.slug}.mp3`,
  );
  expect(own.headers.get('cache-control')).toBe('private, no-cache');
  const stranger = (await ownAudio()).owner;
  for (const by of [stranger, undefined]) {
    expect((await get(by, original)).status).toBe(404);
    expect((await get(by, `/media/audios/${audio.id}`)).status).toBe(404);
  }
  const heard = await get(owner, `/media/audios/${audio.id}`);
  // Free to all once it is published, and until then in no shared cache.
  expect([heard.status, heard.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  expect((await get(owner, '/studio-files/audios/%00/original')).status).toBe(404);
});

test('none of these calls is an error of the site', () => {
  expect(errors).toEqual([]);
});

/** A complete PNG of one color, written row by row (https://www.w3.org/TR/png-3/). */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit a pixel, gray.
  header[8] = 1;
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
