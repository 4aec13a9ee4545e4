import { afterAll, expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, errors } = await startTestSite({ TRUST_PROXY: '1' });

/** A malicious creator, and another creator's audio. */
const audio = await createAudio(db, { title: 'Mine' });
const foreign = await createAudio(db);
const creator = await createUser(db);
await setVoiceOwner(db, audio.voiceId, creator.id, true);
const { token } = await createSession(db, creator.id);

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1/api/studio${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const invalid = { status: 400, body: { error: { code: 'request/invalid', message: expect.any(String) } } };
const rightToLeft = '\u202e' + 'שלום עולם '.repeat(50);
const change = (fields: unknown) => call('PATCH', `/audios/${audio.id}`, { version: 0, change: fields });

afterAll(() => expect(errors).toEqual([]));

test.each(['%00', '%00a', '%F0%9F%98%80', '%25', '%5C', encodeURIComponent(rightToLeft.slice(0, 60))])(
  'a search for %s finds what it finds',
  async (q) => {
    for (const list of ['audios', 'comments', 'series-audios'])
      expect([200, 404]).toContain((await call('GET', `/voices/${audio.voiceId}/${list}?q=${q}`)).status);
    expect((await call('GET', `/tags?q=${q}`)).status).toBe(200);
  },
);

test.each([
  ['a title of 500 letters from right to left', { title: rightToLeft }],
  ['a title of blanks', { title: ' \u200b\u2800 ' }],
  ['a title that is a list', { title: ['a'] }],
  ['a description with a NUL', { description: 'a\0b' }],
  ['an address with dots', { slug: '../../admin' }],
  ['a color that is code', { color: 'url(x)' }],
  ['too many tags', { tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) }],
  ['a tag of 500 letters', { tags: [rightToLeft] }],
  ['a place that is no number', { series: { slug: 'a', part: '1' } }],
  [
    'a transcript of too many lines',
    { transcript: Array.from({ length: 20_001 }, () => ({ start: 0, end: 1, text: 'a' })) },
  ],
  ['a transcript before the beginning', { transcript: [{ start: -1, end: 1, text: 'a' }] }],
  ['a transcript with a NUL', { transcript: [{ start: 0, end: 1, text: 'a\0' }] }],
  ['a transcript with an endless line', { transcript: [{ start: 0, end: 1, text: 'a'.repeat(1001) }] }],
  ['a transcript at no time', { transcript: [{ start: 1e300, end: 1e301, text: 'a' }] }],
  ['who may comment that is no choice', { commenters: 'friends' }],
  ['a voice', { voice: 'another' }],
  ['a field that does not exist', { __proto__: null, nonsense: 1 }],
])('%s is refused', async (_what, fields) => {
  expect(await change(fields)).toMatchObject(invalid);
});

test('characters that turn the text around are left out', async () => {
  const draft = await createAudio(db, { voiceId: audio.voiceId, publishedAt: null });
  const fields = { title: 'safe\u202egnp.exe', description: 'a\u2066b', badge: 'N\u202eew', tags: ['qui\u202eet'] };
  expect((await call('PATCH', `/audios/${draft.id}`, { version: 0, change: fields })).status).toBe(200);
  expect((await call('GET', `/audios/${draft.id}`)).body.values).toMatchObject({
    title: 'safegnp.exe',
    description: 'ab',
    badge: 'New',
    tags: ['quiet'],
  });
});

test('bodies that are no JSON, and ids that are none, are refused', async () => {
  for (const body of ['', '{', 'null', '[]', `{"version":${'['.repeat(10_000)}`])
    expect(await call('PATCH', `/audios/${audio.id}`, body)).toMatchObject(invalid);
  for (const id of ['x', '%00', '..%2f..', encodeURIComponent(rightToLeft)])
    expect([400, 404]).toContain((await call('GET', `/audios/${id}`)).status);
  for (const voiceId of [foreign.voiceId, foreign.id])
    for (const path of ['audios', 'comments', 'uploads', 'people'])
      expect((await call('GET', `/voices/${voiceId}/${path}`)).status).toBe(404);
});

test('an upload that names what it may not, or says nonsense, is refused', async () => {
  const start = (metadata: Record<string, string>, length = '10') =>
    fetch(`${url}/uploads`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'upload-length': length,
        'upload-metadata': Object.entries(metadata)
          .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
          .join(),
      },
    });
  const own = { voiceId: audio.voiceId, fileName: 'a.wav' };
  for (const [metadata, length, status] of [
    [{ ...own, voiceId: foreign.voiceId }, '10', 404],
    [{ ...own, replaces: foreign.id }, '10', 404],
    [{ ...own, title: rightToLeft }, '10', 400],
    [{ ...own, commenters: 'friends' }, '10', 400],
    [{ ...own, categoryId: foreign.id }, '10', 400],
    [{ ...own, fileName: 'a\0' }, '10', 415],
    [own, '-1', 400],
    [own, '99999999999999', 413],
  ] as const) {
    const answer = await start(metadata, length);
    expect([metadata, answer.status < 500, (await answer.json()).error.code]).toEqual([
      metadata,
      true,
      expect.any(String),
    ]);
    expect([metadata, length, answer.status]).toEqual([metadata, length, status]);
  }
});
