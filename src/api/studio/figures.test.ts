import { expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { createAudio, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db } = await startTestSite();

async function newPerson() {
  const { id } = await createUser(db);
  const { token } = await createSession(db, id);
  return {
    id,
    get: (path: string) => fetch(`${url}/v1/api${path}`, { headers: { authorization: `Bearer ${token}` } }),
  };
}

const [owner, stranger] = [await newPerson(), await newPerson()];
const voice = await createVoice(db, { name: 'Nora' });
const audio = await createAudio(db, { voiceId: voice.id, title: '=1+1', slug: 'sums' });
await setVoiceOwner(db, voice.slug, owner.id, true);

test('figures are downloaded as CSV by those who manage the voice', async () => {
  const response = await owner.get(`/voices/${voice.slug}/figures.csv?from=2026-01-01&to=2026-01-03`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="${voice.slug}-figures-2026-01-01-to-2026-01-03.csv"`,
  );
  const text = Buffer.from(await response.arrayBuffer()).toString();
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(text.split('\r\n').slice(1, 4)).toEqual(
    ['01', '02', '03'].map((day) => `2026-01-${day},Nora,Under 10,Under 10,Under 10,Under 10,Under 10,Under 10`),
  );
});

test('a file of one audio is named after it, and its title is not computed', async () => {
  const response = await owner.get(`/voices/${voice.id}/figures.csv?audio=${audio.id}&days=7`);
  expect(response.headers.get('content-disposition')).toContain('filename="sums-figures-');
  expect(await response.text()).toContain(",'=1+1,");
});

test('others get the answer of an unknown voice, visitors a 401, and nonsense is never a 5xx', async () => {
  const unknown = await stranger.get('/voices/nobody-at-all/figures.csv');
  const foreign = await stranger.get(`/voices/${voice.slug}/figures.csv`);
  expect([unknown.status, foreign.status]).toEqual([404, 404]);
  expect(await foreign.json()).toEqual(await unknown.json());
  expect((await fetch(`${url}/v1/api/voices/${voice.slug}/figures.csv`)).status).toBe(401);
  const other = await createAudio(db);
  expect((await owner.get(`/voices/${voice.slug}/figures.csv?audio=${other.id}`)).status).toBe(404);
  for (const query of [
    'days=9e9',
    'from=x&to=y',
    'from=0000-00-00',
    'audio=%00',
    'from=-1&days=',
    'from=9999-12-31',
    'to=0001-01-01',
  ])
    expect([query, (await owner.get(`/voices/${voice.slug}/figures.csv?${query}`)).status < 500]).toEqual([
      query,
      true,
    ]);
});
