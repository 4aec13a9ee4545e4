import { expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();

const cues = [{ start: 0, end: 2, text: 'It rains' }];
const inGerman = [{ start: 0, end: 2, text: 'Es regnet' }];

async function ownAudio() {
  const audio = await createAudio(db, { cues, durationMs: 10_000 });
  const { id } = await createUser(db);
  await setVoiceOwner(db, audio.voiceId, id, true);
  const { token } = await createSession(db, id);
  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(`${url}/v1/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }
  return { audio, call, path: `/studio/audios/${audio.id}/translations` };
}

test('a translation is added, listed, read by listeners, and removed', async () => {
  const { audio, call, path } = await ownAudio();
  expect(await call('PUT', `${path}/DE`, { cues: inGerman })).toEqual({ status: 204, body: null });
  expect((await call('GET', path)).body.items).toMatchObject([{ language: 'de', name: 'German', lines: 1 }]);
  expect((await call('GET', `${path}/de`)).body).toEqual({ language: 'de', cues: inGerman });
  const read = async (language: string) => (await call('GET', `/audios/${audio.id}/transcript${language}`)).body;
  expect(await read('?language=de')).toMatchObject({ language: 'de', direction: 'ltr', cues: inGerman });
  expect(await read('')).toMatchObject({
    language: 'en',
    cues,
    languages: [
      { code: 'en', name: 'English' },
      { code: 'de', name: 'Deutsch' },
    ],
  });
  expect((await call('DELETE', `${path}/de`)).status).toBe(204);
  expect((await call('DELETE', `${path}/de`)).status).toBe(404);
  expect((await call('GET', `${path}/de`)).status).toBe(404);
});

test('lines with wrong times are named', async () => {
  const { call, path } = await ownAudio();
  const late = [...inGerman, { start: 20, end: 22, text: 'x' }];
  expect(await call('PUT', `${path}/de`, { cues: late })).toMatchObject({
    status: 409,
    body: {
      error: { code: 'audio/mistimed-translation', message: expect.stringContaining('Line 2 of the translation') },
    },
  });
  expect((await call('PUT', `${path}/en`, { cues })).body.error.code).toBe('audio/spoken-language');
});

test.each([
  ['zxx', { cues: inGerman }],
  ['xx', { cues: inGerman }],
  ['de%00', { cues: inGerman }],
  ['de', { cues: [] }],
  ['de', { cues: [{ start: -1, end: 2, text: 'x' }] }],
  ['de', { cues: [{ start: 0, end: 2, text: '\0' }] }],
  ['de', { cues: Array.from({ length: 20_001 }, () => inGerman[0]) }],
  ['de', {}],
])('a translation into %s is refused as invalid', async (language, body) => {
  const { call, path } = await ownAudio();
  expect(await call('PUT', `${path}/${language}`, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'request/invalid' } },
  });
  expect((await call('GET', path)).body.items).toEqual([]);
});
