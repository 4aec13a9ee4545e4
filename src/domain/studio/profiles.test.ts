import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openCovers } from '#gateways/covers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createSeries, createVoice } from '#test/support/factories.ts';
import { VoiceProfileForm } from '../catalogue/forms.ts';
import { claimSlug } from '../catalogue/editing/slugs.ts';
import { audios, voices } from '../catalogue/tables.ts';
import { findVoice, listRecommendedVoices } from '../catalogue/voices.ts';
import type { Blobs } from '../gateways.ts';
import { operator } from '../kernel/actor.ts';
import { auditEntries } from '../kernel/audit.ts';
import { visitor } from '../kernel/viewer.ts';
import type { PictureTools } from './pictures.ts';
import { editProfile, findProfile, listNames } from './profiles.ts';
import { removeAfterTwoDays } from '#test/support/unused-files.ts';

const { db } = await createTestDatabase();

const kept = new Set<string>();
const blobs = {
  stat: async (key: string) => (kept.has(key) ? { bytes: -1 } : undefined),
  write: async (key: string) => void kept.add(key),
  remove: async (key: string) => void kept.delete(key),
} as unknown as Blobs;
const tools: PictureTools = { db, blobs, covers: openCovers() };
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

test('a creator’s page is changed as a whole, and only what changed is recorded', async () => {
  const voice = await createVoice(db, { bio: 'Before' });
  const { id: linkedSeriesId } = await createSeries(db, { voiceId: voice.id });
  const links = [{ label: 'Website', url: 'https://example.org/' }];
  const edit = { name: 'Éva', bio: 'Now', language: 'hu', links, linkedSeriesId };
  expect(await editProfile(tools, operator, voice.id, edit)).toEqual({ ok: true, slug: voice.slug });
  expect(await findVoice(db, voice.id)).toMatchObject({ name: 'Éva', bio: 'Now', language: 'hu', links });
  const [entry] = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, voice.id));
  expect([entry?.before, entry?.after]).toEqual([
    { name: voice.name, bio: 'Before', language: 'en', links: [], linkedSeriesId: null },
    edit,
  ]);
});

test('old addresses redirect to the page, and never to somebody else', async () => {
  const [voice, other] = [await createVoice(db), await createVoice(db)];
  expect(await editProfile(tools, operator, voice.id, { slug: 'new-address' })).toMatchObject({ ok: true });
  expect((await findVoice(db, voice.slug))?.slug).toBe('new-address');
  for (const slug of ['new-address', voice.slug])
    expect(await editProfile(tools, operator, other.id, { slug })).toEqual({ ok: false, reason: 'slug-taken' });
  expect(await editProfile(tools, operator, voice.id, { slug: voice.slug })).toMatchObject({ ok: true });
  expect((await findVoice(db, 'new-address'))?.id).toBe(voice.id);
  expect(await db.transaction((tx) => claimSlug(tx, 'voices', 'New address'))).toBe('new-address-2');
});

test('a portrait is kept and the one before goes; what is not a picture changes nothing', async () => {
  const voice = await createVoice(db);
  expect(await editProfile(tools, operator, voice.id, {}, { picture: pixel })).toMatchObject({ ok: true });
  expect([...kept]).toEqual([expect.stringMatching(/^images\/.+\.webp$/)]);
  const noPicture = { ok: false, reason: 'not-a-picture' };
  expect(await editProfile(tools, operator, voice.id, { bio: 'x' }, { picture: Buffer.from('<svg/>') })).toEqual(
    noPicture,
  );
  expect((await findVoice(db, voice.id))?.bio).toBe('');
  expect(await editProfile(tools, operator, voice.id, {}, { picture: null })).toMatchObject({ ok: true });
  await removeAfterTwoDays(tools);
  expect([...kept]).toEqual([]);
  expect((await findVoice(db, voice.id))?.imageURL).toBeNull();
});

test('creators are recommended in order; merged ones as who they are now, hidden ones not', async () => {
  const [voice, first, second, hidden, merged] = await Promise.all(
    ['Rae', 'Ada', 'Bo', 'Cy', 'Di'].map((name) => createVoice(db, { name })),
  );
  if (!voice || !first || !second || !hidden || !merged) throw new Error('no creators');
  const recommend = (recommendedIds: string[]) =>
    editProfile(tools, operator, voice.id, VoiceProfileForm.parse({ recommendedIds }));
  const names = async () => (await listRecommendedVoices(db, visitor, voice.id)).map(({ name }) => name);
  const ids = [second.id, first.id, hidden.id, merged.id];
  expect(await recommend([...ids, second.id])).toMatchObject({ ok: true });
  expect(await names()).toEqual(['Bo', 'Ada', 'Cy', 'Di']);
  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, hidden.id));
  await db.update(voices).set({ hiddenAt: new Date(), mergedInto: second.id }).where(eq(voices.id, merged.id));
  expect(await names()).toEqual(['Bo', 'Ada']);
  expect((await listNames(db, ids)).map(({ name }) => name).toSorted()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
  // A hidden one may stay, and cannot be added.
  expect(await recommend(ids.toReversed())).toMatchObject({ ok: true });
  expect(await names()).toEqual(['Bo', 'Ada']);
  expect(await recommend([first.id])).toMatchObject({ ok: true });
  const refused = { ok: false, reason: 'unknown-creator' };
  for (const id of [hidden.id, voice.id, crypto.randomUUID()]) expect(await recommend([id, first.id])).toEqual(refused);
  const six = Array.from({ length: 6 }, () => crypto.randomUUID());
  expect(VoiceProfileForm.safeParse({ recommendedIds: six }).success).toBe(false);
  expect(await names()).toEqual(['Ada']);
});

test('only own public audios that may be kept speak in private feeds', async () => {
  const voice = await createVoice(db);
  const own = await createAudio(db, { voiceId: voice.id });
  const unfit = [
    await createAudio(db, { voiceId: voice.id, publishedAt: null }),
    await createAudio(db, { voiceId: voice.id, isStreamOnly: true }),
    await createAudio(db),
  ];
  const refused = { ok: false, reason: 'unknown-audio' };
  for (const { id } of unfit)
    expect(await editProfile(tools, operator, voice.id, { welcomeAudioId: own.id, farewellAudioId: id })).toEqual(
      refused,
    );
  const edit = { welcomeAudioId: own.id, paymentAudioId: own.id };
  expect(await editProfile(tools, operator, voice.id, edit)).toMatchObject({ ok: true });
  expect(await findProfile(db, voice.id)).toMatchObject({ ...edit, farewellAudioId: null });
  await db.delete(audios).where(eq(audios.id, own.id));
  expect(await findProfile(db, voice.id)).toMatchObject({ welcomeAudioId: null, paymentAudioId: null });
});

test('a series of somebody else is not linked, and strangers change nothing', async () => {
  const [voice, other] = [await createVoice(db), await createVoice(db)];
  const { id } = await createSeries(db, { voiceId: other.id });
  const refused = { ok: false, reason: 'unknown-series' };
  expect(await editProfile(tools, operator, voice.id, { linkedSeriesId: id })).toEqual(refused);
  const stranger = { ...visitor, kind: 'user', id, isSubscribed: true, isComplete: true } as const;
  const notFound = { ok: false, reason: 'not-found' };
  expect(await editProfile(tools, stranger, voice.id, { name: 'Mine' })).toEqual(notFound);
});

test.each([
  'http://example.org',
  'javascript:alert(1)',
  'https://user:password@example.org',
  'https://localhost',
  '//example.org',
  'example.org',
  'https://example.org/\0',
  'https://example.org/\uD800',
  `https://example.org/${'한'.repeat(200)}`,
])('%s is no link', (url) => {
  expect(VoiceProfileForm.safeParse({ links: [{ label: 'x', url }] }).success).toBe(false);
});

test('a link is stored as browsers understand it', () => {
  const url = ' https://EXAMPLE.org/a\tb?q=ü ';
  const { data } = VoiceProfileForm.safeParse({ links: [{ label: 'x', url }] });
  expect(data?.links?.[0]?.url).toBe('https://example.org/ab?q=%C3%BC');
});

test.each([
  [{ name: ' ' }],
  [{ name: 'x'.repeat(121) }],
  [{ slug: 'A b' }],
  [{ links: Array(6).fill({ label: 'x', url: 'https://a.b' }) }],
])('%j is no page', (form) => {
  expect(VoiceProfileForm.safeParse(form).success).toBe(false);
});
