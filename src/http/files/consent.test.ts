import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { AgeSettings, ageSetting } from '#domain/age/settings.ts';
import { audios } from '#domain/catalogue/tables.ts';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import { newConsentToken } from '#domain/verification/consents.ts';
import { consents, performers } from '#domain/verification/tables.ts';
import { createAudio } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';

const { url, db, site, blobs } = await startTestSite();
const bytes = Buffer.from('a draft');
await blobs.write('audios/draft.m4a', bytes);

/** A draft whose performer has a link. */
async function asked() {
  const audio = await createAudio(db, { publishedAt: null, fileKey: 'audios/draft.m4a', fileBytes: bytes.length });
  const { token, tokenHash } = newConsentToken();
  const performerId = newId();
  await db.insert(performers).values({ id: performerId, voiceId: audio.voiceId, name: 'Hanna' });
  await db
    .insert(consents)
    .values({ audioId: audio.id, performerId, tokenHash, linkUntil: sql`now() + interval '1 day'` });
  return { audio, token, performerId };
}

const post = (token: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${url}/consent/${token}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });

async function stateOf(performerId: string) {
  const [row] = await db.select().from(consents).where(eq(consents.performerId, performerId));
  return row && { state: row.state, downloaded: row.downloaded, name: row.name };
}

test('a form without scripts gives, changes and takes back a consent', async () => {
  const { token, performerId } = await asked();
  const incomplete = await post(token, { act: 'give', published: 'on', credit: 'name', name: 'Hanna' });
  expect([incomplete.status, incomplete.headers.get('location')]).toEqual([303, `/consent/${token}/needs`]);
  expect(await stateOf(performerId)).toMatchObject({ state: 'asked' });
  const long = { act: 'give', recorded: 'on', published: 'on', credit: 'name', name: 'H'.repeat(81) };
  expect((await post(token, long)).headers.get('location')).toBe(`/consent/${token}/name`);
  const given = { ...long, name: ' Hanna Brandt ', language: 'en' };
  expect((await post(token, given)).headers.get('location')).toBe(`/consent/${token}`);
  expect(await stateOf(performerId)).toEqual({ state: 'given', downloaded: false, name: 'Hanna Brandt' });
  await post(token, { ...given, downloaded: 'on', credit: 'none' });
  expect(await stateOf(performerId)).toEqual({ state: 'given', downloaded: true, name: null });
  await post(token, { act: 'refuse' });
  expect(await stateOf(performerId)).toMatchObject({ state: 'withdrawn', downloaded: false });
});

test('other sites, other acts and unknown links change nothing', async () => {
  const { token, performerId } = await asked();
  const form = { act: 'give', recorded: 'on', published: 'on' };
  expect((await post(token, form, { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
  expect((await post(token, { act: 'delete' })).status).toBe(400);
  const unknown = await post('x'.repeat(43), form);
  expect(unknown.headers.get('location')).toBe(`/consent/${'x'.repeat(43)}/ended`);
  expect(await stateOf(performerId)).toMatchObject({ state: 'asked' });
});

test('the draft plays by its link alone, also where a proof of age is asked for', async () => {
  const { audio, token } = await asked();
  const value = AgeSettings.parse({ others: { rule: 'proof', again: 'year' } });
  await changeSetting(db, ageSetting, { actor: operator, value, revision: 0 });
  await site.settings.refresh();
  const sound = await fetch(`${url}/consent/${token}/sound`);
  expect([sound.status, await sound.text()]).toEqual([200, 'a draft']);
  expect(sound.headers.get('cache-control')).toContain('private');
  const part = await fetch(`${url}/consent/${token}/sound`, { headers: { range: 'bytes=2-6' } });
  expect([part.status, await part.text()]).toEqual([206, 'draft']);
  const others = ['x'.repeat(43), token.toLowerCase(), `${token}x`, '..'].map((one) => `/consent/${one}/sound`);
  for (const address of [...others, `/consent/${token}/cover`]) expect((await fetch(url + address)).status).toBe(404);
  expect((await fetch(`${url}/media/audios/${audio.id}`)).status).toBe(403);
});

test('without consent to downloads, the sound streams, and is not kept', async () => {
  await changeSetting(db, ageSetting, { actor: operator, value: AgeSettings.parse({}), revision: 1 });
  await site.settings.refresh();
  const audio = await createAudio(db, { isFree: true, fileKey: 'audios/draft.m4a', fileBytes: bytes.length });
  const statuses = async () => {
    const sent = ['', '?whole', '?download'].map((query) => fetch(`${url}/media/audios/${audio.id}${query}`));
    return (await Promise.all(sent)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200, 200]);
  await db.update(audios).set({ isStreamOnly: true }).where(eq(audios.id, audio.id));
  expect(await statuses()).toEqual([200, 200, 403]);
});
