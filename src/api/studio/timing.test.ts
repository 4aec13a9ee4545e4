import { expect, test } from 'vitest';
import { scriptLength } from '#domain/catalogue/rules.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { createAudio, createSession, createUser } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();

const audio = await createAudio(db, { durationMs: 10_000 });
const { id: userId } = await createUser(db);
await setVoiceOwner(db, audio.voiceId, userId, true);
const { token } = await createSession(db, userId);

async function call(method: string, body?: unknown, path = '') {
  const response = await fetch(`${url}/v1/api/studio/audios/${audio.id}/timing${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

test('a script is asked for, looked at, and discarded', async () => {
  expect((await call('GET')).status).toBe(404);
  const script = '--version\n\u202E-w /tmp/x\u0007\nCome in.\r\rSit';
  expect(await call('PUT', { script })).toMatchObject({
    status: 202,
    body: { state: 'waiting', lines: ['--version', '-w /tmp/x', 'Come in.', 'Sit'], times: null },
  });
  expect((await call('GET')).body).toMatchObject({ state: 'waiting', progress: 0 });
  expect((await call('POST', { version: 0 }, '/take')).body.error.code).toBe('audio/timing-not-ready');
  expect((await call('DELETE')).status).toBe(204);
  expect((await call('DELETE')).status).toBe(404);
  expect((await call('POST', { version: 0 }, '/take')).status).toBe(404);
});

test.each([
  ['nothing', '', 400, 'audio/unreadable-script'],
  ['notes alone', '[laughs]', 400, 'audio/unreadable-script'],
  ['a megabyte', 'x\n'.repeat(500_000), 413, 'request/too-large'],
  ['too many characters', 'x '.repeat(scriptLength / 2 + 1), 400, 'request/invalid'],
  ['too many lines', 'x\n'.repeat(5001), 400, 'audio/unreadable-script'],
  ['NUL', '\0', 400, 'audio/unreadable-script'],
])('a script of %s is refused', async (_name, script, status, code) => {
  const answer = await call('PUT', { script });
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  expect((await call('GET')).status).toBe(404);
});
