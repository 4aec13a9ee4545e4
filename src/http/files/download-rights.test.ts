import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import { type Viewer, visitor } from '#domain/kernel/viewer.ts';
import { newId } from '#domain/kernel/ids.ts';
import { canDownload, canPlay } from '#domain/listening/rules.ts';
import { giveMonths } from '#domain/membership/entitlement.ts';
import { newConsentToken } from '#domain/verification/consents.ts';
import { consents, performers } from '#domain/verification/tables.ts';
import { createAudio, createSeries, createSession, createUser, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { findViewer } from '../viewer.ts';

const { url, db, site, blobs } = await startTestSite();
const bytes = Buffer.from('sound');
await blobs.write('audios/one.m4a', bytes);
const file = { fileKey: 'audios/one.m4a', fileBytes: bytes.length };
const voice = await createVoice(db);
const series = await createSeries(db, { voiceId: voice.id });
const inSeries = async (id: string, position: number) =>
  db.execute(sql`insert into series_items (series_id, audio_id, position) values (${series.id}, ${id}, ${position})`);

/** One audio for each right to hear and each answer of its performer. */
async function newAudio(isFree: boolean, agrees: boolean) {
  const audio = await createAudio(db, { ...file, voiceId: voice.id, isFree });
  const { token, tokenHash } = newConsentToken();
  const performerId = newId();
  await db.insert(performers).values({ id: performerId, voiceId: voice.id, name: 'Hanna' });
  await db
    .insert(consents)
    .values({ audioId: audio.id, performerId, tokenHash, linkUntil: sql`now() + interval '1 day'` });
  const form = { recorded: true, published: true, downloaded: agrees, name: null };
  expect(await site.verification.answerConsent(token, { act: 'give', form })).toMatchObject({ ok: true });
  return { ...audio, isFree, isDownloadable: agrees, token };
}
const all = [
  await newAudio(true, true),
  await newAudio(true, false),
  await newAudio(false, true),
  await newAudio(false, false),
];
for (const [position, { id }] of all.entries()) await inSeries(id, position);

type Person = { viewer: Viewer; token?: string };

async function newPerson(months: number, rights?: 'owner' | 'admin'): Promise<Person> {
  const { id } = await createUser(db);
  if (months > 0) await giveMonths(db, id, months);
  if (rights === 'owner') await setVoiceOwner(db, voice.id, id, true);
  if (rights === 'admin') await setAdmin(db, id, true);
  const { token } = await createSession(db, id);
  return { viewer: await findViewer(site, new Request(url, { headers: { authorization: `Bearer ${token}` } })), token };
}
const people: Record<string, Person> = {
  visitor: { viewer: visitor },
  user: await newPerson(0),
  subscriber: await newPerson(1),
  owner: await newPerson(0, 'owner'),
  admin: await newPerson(0, 'admin'),
};

const ask = async (path: string, { token }: Person) => {
  const response = await fetch(url + path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const text = await response.text();
  return response.ok ? 'ok' : (JSON.parse(text) as { error: { code: string } }).error.code;
};

test.each(Object.keys(people))('a %s hears and keeps each audio as one rule says, by every address', async (who) => {
  const person = people[who] ?? { viewer: visitor };
  const { viewer } = person;
  for (const audio of all) {
    const facts = { ...audio, voice };
    const refused = viewer.kind === 'visitor' ? 'auth/login-required' : 'subscription/required';
    const heard = canPlay(viewer, facts) ? 'ok' : refused;
    const kept = heard !== 'ok' ? heard : canDownload(viewer, facts) ? 'ok' : 'audio/stream-only';
    const answers = [];
    for (const way of ['', '?whole', '?download', '.m4a', '.m4a?download'])
      answers.push(await ask(`/media/audios/${audio.id}${way}`, person));
    const { isFree, isDownloadable } = audio;
    expect({ isFree, isDownloadable, answers }).toEqual({
      isFree,
      isDownloadable,
      answers: [heard, heard, kept, kept, kept],
    });
  }
});

const feedsOf = async () => {
  const subscriber = people['subscriber'];
  const made = (kind: string, subject?: string) =>
    fetch(`${url}/v1/api/user/feeds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${subscriber?.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind, ...(subject && { subject }) }),
    });
  const addresses = [];
  for (const answer of [await made('all'), await made('voice', voice.slug), await made('series', series.slug)])
    addresses.push(new URL(((await answer.json()) as { address: string }).address).pathname);
  return addresses;
};

test('no feed has an audio that may not be kept, and its former address says why', async () => {
  const open = [`/creators/${voice.slug}/feed.xml`, `/series/${series.slug}/feed.xml`];
  const own = await feedsOf();
  for (const path of [...open, ...own]) {
    const text = await (await fetch(url + path)).text();
    for (const { id, isFree, isDownloadable } of all)
      expect([path, isFree, isDownloadable, text.includes(id)]).toEqual([
        path,
        isFree,
        isDownloadable,
        isDownloadable && (isFree || own.includes(path)),
      ]);
  }
  for (const { id, slug, isDownloadable } of all)
    for (const path of own)
      expect(await ask(`${path.replace('.xml', '')}/${id}/${slug}.m4a`, { viewer: visitor })).toBe(
        isDownloadable ? 'ok' : 'audio/stream-only',
      );
});

test('a feed follows the answer of a performer', async () => {
  const [free] = all;
  if (free === undefined) throw new Error('No audio');
  const path = `/creators/${voice.slug}/feed.xml`;
  const isIn = async () => (await (await fetch(url + path)).text()).includes(free.id);
  expect(await isIn()).toBe(true);
  const answer = (downloaded: boolean) =>
    site.verification.answerConsent(free.token, {
      act: 'give',
      form: { recorded: true, published: true, downloaded, name: null },
    });
  await answer(false);
  await expect.poll(isIn).toBe(false);
  await answer(true);
  await expect.poll(isIn).toBe(true);
});

test('a creator without an episode that may be kept has no feed to show', async () => {
  const has = () => site.catalogue.hasEpisode({ voiceId: voice.id });
  expect(await has()).toBe(true);
  await db.update(audios).set({ isStreamOnly: true }).where(eq(audios.voiceId, voice.id));
  expect(await has()).toBe(false);
});
