import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { inLanguage } from '#i18n';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readRows } from '#test/support/read-rows.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audios } from '../catalogue/tables.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import type { MailMessage } from '../gateways.ts';
import { users } from '../identity/tables.ts';
import { operator } from '../kernel/actor.ts';
import { auditEntries } from '../kernel/audit.ts';
import { newId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { eraseUser, exportUser } from '../privacy/personal-data.ts';
import type { ConsentForm } from './forms.ts';
import { maskEmail } from './rules.ts';
import { consents, performers } from './tables.ts';

const database = await createTestDatabase();
const { db } = database;
const mails: MailMessage[] = [];
const site = await openTestSite(db, undefined, undefined, mails, { operator: { email: 'operator@example.org' } });
const { studio, verification } = site;

const yes: ConsentForm = { recorded: true, published: true, downloaded: true, name: 'Hanna Brandt' };

/** An audio of an owned creator, with a performer who got a link. */
async function asked({ publishedAt = null as Date | null, name = 'Hanna' as string | null } = {}) {
  const voice = await createVoice(db, { name: `Maren ${newId().slice(-4)}` });
  const { id } = await createUser(db);
  const ownerEmail = `${id}@example.org`;
  await db.update(users).set({ email: ownerEmail }).where(eq(users.id, id));
  await setVoiceOwner(db, voice.id, id, true);
  const owner: User = { kind: 'user', id, isSubscribed: false, isComplete: true, voiceRoles: { [voice.id]: 'owner' } };
  const audio = await createAudio(db, { voiceId: voice.id, publishedAt });
  const email = `hanna-${newId().slice(-6)}@post.example`;
  mails.length = 0;
  const added = await studio.addPerformer(owner, audio.id, { name, email });
  if (!added.ok) throw new Error(added.reason);
  return { voice, owner, ownerEmail, audio, email, performerId: added.id, token: lastToken() };
}

function lastToken(): string {
  const [, token = ''] = /\/consent\/([\w-]{43})/.exec(mails.map(({ text }) => text).join('\n')) ?? [];
  return token;
}

const isPublic = async (audioId: string) => {
  const [row] = await db.select({ at: audios.publishedAt }).from(audios).where(eq(audios.id, audioId));
  return row?.at !== null;
};

test('a performer gets a link that the database does not have, hears the draft, and agrees', async () => {
  const { audio, owner, email, ownerEmail, token, voice } = await asked();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[email, `${voice.name} asks for your consent`]]);
  const titled = () => mails.filter((mail) => JSON.stringify(mail).includes(audio.title));
  expect(titled()).toEqual([]);
  const { rows } = await db.execute<{ row: string }>(sql`select to_jsonb(c)::text as row from consents c`);
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  expect(await verification.findConsent(token)).toMatchObject({ state: 'asked', recorded: false, name: 'Hanna' });
  expect(await verification.findConsentSound(token)).toMatchObject({ key: audio.fileKey, cache: 'private' });
  mails.length = 0;
  const answered = await inLanguage('de', () => verification.answerConsent(token, { act: 'give', form: yes }));
  expect(answered).toEqual({ ok: true, state: 'given' });
  expect(await studio.listPerformers(owner, audio.id)).toMatchObject({
    complete: 2,
    total: 2,
    gap: null,
    items: [{ name: 'Hanna Brandt', state: 'given', maskedEmail: maskEmail(email), isComplete: true }],
  });
  expect(mails.map(({ to }) => to).toSorted()).toEqual([email, ownerEmail].toSorted());
  expect(titled()).toEqual([]);
  // The copy is in the language of the page, and so are later mails.
  expect(mails.find(({ to }) => to === email)?.subject).toBe('Deine Einwilligung ist festgehalten');
  await studio.publishAudio(owner, audio.id);
  mails.length = 0;
  await verification.tellPublished();
  await verification.tellPublished();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[email, 'Eine Aufnahme mit dir ist veröffentlicht']]);
  expect(titled()).toEqual([]);
  const log = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, audio.id));
  expect(log.map(({ action, actorRole }) => [action, actorRole])).toEqual([
    ['performer.add', 'owner'],
    ['consent.give', 'performer'],
    ['audio.publish', 'owner'],
  ]);
  expect(JSON.stringify(log)).not.toContain(email);
});

test.each([
  ['withdrawn', true],
  ['refused', false],
] as const)('a consent that is %s hides the audio at once, and keeps it hidden', async (state, wasGiven) => {
  const { audio, owner, token, ownerEmail, email } = await asked({ publishedAt: new Date('2026-01-01T00:00:00Z') });
  if (wasGiven) await verification.answerConsent(token, { act: 'give', form: yes });
  expect(await isPublic(audio.id)).toBe(true);
  mails.length = 0;
  expect(await verification.answerConsent(token, { act: 'refuse' })).toEqual({ ok: true, state });
  expect(await isPublic(audio.id)).toBe(false);
  const { rows } = await db.execute(sql`select kind from notices where subject_id = ${audio.id}`);
  expect(rows).toEqual(state === 'withdrawn' ? [{ kind: 'consent' }] : []);
  const told = [email, ownerEmail, ...(state === 'withdrawn' ? ['operator@example.org'] : [])];
  expect(mails.map(({ to }) => to).toSorted()).toEqual(told.toSorted());
  expect(await studio.publishAudio(owner, audio.id)).toMatchObject({
    reason: 'incomplete-chain',
    gap: 'consent-against',
  });
  expect(await studio.publishAudio(owner, audio.id, new Date(Date.now() + 60_000))).toMatchObject({ ok: false });
  // The sound is the same, so removing its performer changes nothing about who is heard.
  const [consent] = await db.select().from(consents).where(eq(consents.audioId, audio.id));
  const performerId = consent?.performerId ?? '';
  expect(await studio.removePerformer(owner, audio.id, performerId)).toMatchObject({ reason: 'same-sound' });
  // Agreed again by the same link.
  await verification.answerConsent(token, { act: 'give', form: yes });
  expect(await studio.publishAudio(owner, audio.id)).toMatchObject({ ok: true });
  await verification.answerConsent(token, { act: 'refuse' });
  await db.update(audios).set({ fileKey: 'audio/other.mp3' }).where(eq(audios.id, audio.id));
  expect(await studio.removePerformer(owner, audio.id, performerId)).toEqual({ ok: true });
  expect(await db.$count(performers, eq(performers.id, performerId))).toBe(0);
  expect(await studio.publishAudio(owner, audio.id)).toMatchObject({ ok: true });
});

test('downloads are off while somebody has not agreed to them', async () => {
  const { audio, owner, token, performerId } = await asked({ publishedAt: new Date() });
  const isStreamOnly = async () =>
    (await db.select({ is: audios.isStreamOnly }).from(audios).where(eq(audios.id, audio.id)))[0]?.is;
  expect(await isStreamOnly()).toBe(true);
  expect(await site.listening.findGoneAudios([audio.id])).toEqual({ gone: [audio.id], streamOnly: [audio.id] });
  await verification.answerConsent(token, { act: 'give', form: { ...yes, downloaded: false } });
  expect(await isStreamOnly()).toBe(true);
  await verification.answerConsent(token, { act: 'give', form: yes });
  expect(await isStreamOnly()).toBe(false);
  expect(await site.listening.findGoneAudios([audio.id])).toEqual({ gone: [], streamOnly: [] });
  await verification.answerConsent(token, { act: 'give', form: { ...yes, downloaded: false } });
  await studio.removePerformer(owner, audio.id, performerId);
  expect(await isStreamOnly()).toBe(false);
});

test('an unanswered link runs out after 14 days, and a new one ends the former', async () => {
  const { audio, owner, token, performerId } = await asked();
  const age = (days: number) =>
    db.execute(sql`update consents set link_until = link_until - make_interval(days => ${days}::int)
      where performer_id = ${performerId}`);
  await age(13);
  expect(await verification.findConsent(token)).toBeDefined();
  await age(1);
  expect(await verification.findConsent(token)).toBeUndefined();
  expect(await verification.findConsentSound(token)).toBeUndefined();
  expect(await verification.answerConsent(token, { act: 'give', form: yes })).toMatchObject({ reason: 'not-found' });
  expect((await studio.listPerformers(owner, audio.id))?.items).toMatchObject([{ isLinkOver: true }]);
  mails.length = 0;
  expect(await studio.renewPerformerLink(owner, audio.id, performerId, 'mail')).toEqual({ ok: true, link: null });
  const second = lastToken();
  const copied = await studio.renewPerformerLink(owner, audio.id, performerId, 'copy');
  const [, third = ''] = /consent\/(.*)$/.exec((copied.ok && copied.link) || '') ?? [];
  const works = async (one: string) => (await verification.findConsent(one)) !== undefined;
  expect([await works(token), await works(second), await works(third)]).toEqual([false, false, true]);
  // An answered one goes on.
  await verification.answerConsent(third, { act: 'give', form: yes });
  await age(400);
  expect(await works(third)).toBe(true);
});

test('a consent belongs to the sound that was agreed to', async () => {
  const { audio, owner, token } = await asked();
  await verification.answerConsent(token, { act: 'give', form: yes });
  await db.update(audios).set({ fileKey: 'audio/new-take.mp3' }).where(eq(audios.id, audio.id));
  expect(await studio.listPerformers(owner, audio.id)).toMatchObject({
    complete: 1,
    items: [{ isOutdated: true, isComplete: false }],
  });
  expect(await verification.findConsent(token)).toMatchObject({ isOutdated: true });
});

test('others neither see nor change performers, and operators record what they keep', async () => {
  const { audio, performerId, owner } = await asked({ name: null });
  const stranger: User = { kind: 'user', id: newId(), isSubscribed: false, isComplete: true };
  expect(await studio.listPerformers(stranger, audio.id)).toBeUndefined();
  const form = { name: null, email: 'a@post.example' };
  for (const refused of [
    studio.addPerformer(stranger, audio.id, form),
    studio.renewPerformerLink(stranger, audio.id, performerId, 'copy'),
    studio.removePerformer(stranger, audio.id, performerId),
    studio.setOwnerHeard(stranger, audio.id, false),
    site.admin.content.recordConsent(owner, audio.id, performerId, { reference: '10-417', downloaded: true }),
  ])
    expect(await refused).toMatchObject({ ok: false, reason: 'not-found' });
  await site.admin.content.recordConsent(operator, audio.id, performerId, { reference: '10-417', downloaded: false });
  const check = { method: 'In person', reference: '9', checkedOn: '2026-05-14', until: '2028-05-14' };
  await site.admin.content.recordPerformerCheck(operator, audio.id, performerId, check);
  expect((await studio.listPerformers(owner, audio.id))?.items).toMatchObject([
    { name: null, state: 'given', reference: '10-417', isComplete: true, verifiedUntil: '2028-05-14' },
  ]);
});

test('the owner is heard by default, and can say otherwise', async () => {
  const { audio, owner, voice } = await asked();
  expect(await studio.listPerformers(owner, audio.id)).toMatchObject({ owner: { name: voice.name }, total: 2 });
  await studio.setOwnerHeard(owner, audio.id, false);
  expect(await studio.listPerformers(owner, audio.id)).toMatchObject({ owner: null, total: 1 });
  await studio.setOwnerHeard(owner, audio.id, true);
  expect(await studio.listPerformers(owner, audio.id)).toMatchObject({ total: 2 });
});

test('a performer with an account exports their consents; its deletion leaves the consent without their email', async () => {
  const { audio, owner, token, email } = await asked();
  await verification.answerConsent(token, { act: 'give', form: yes });
  const { id } = await createUser(db);
  await db.update(users).set({ email }).where(eq(users.id, id));
  const exported = await exportUser(db, id, 'secret');
  expect(await readRows(exported['consents'])).toMatchObject([{ audio: audio.title, email, state: 'given' }]);
  expect(await readRows((await exportUser(db, owner.id, 'secret'))['consents'])).toEqual([]);
  await eraseUser(db, id);
  expect((await studio.listPerformers(owner, audio.id))?.items).toMatchObject([{ state: 'given', maskedEmail: null }]);
  expect(await verification.answerConsent(token, { act: 'refuse' })).toMatchObject({ state: 'withdrawn' });
});

test('the archive of an audio has its whole chain, for operators alone', async () => {
  const { audio, owner, token, email } = await asked();
  await verification.answerConsent(token, { act: 'give', form: yes });
  const check = { method: 'Video call', reference: '06-112', checkedOn: '2026-05-14', until: '2028-05-14' };
  await site.admin.content.recordCheck(operator, audio.voiceId, check);
  expect(await site.admin.content.findChain(owner, audio.id)).toBeUndefined();
  expect(await site.admin.content.findChain(operator, audio.slug)).toMatchObject({
    audio: { id: audio.id, sound: audio.fileKey },
    gap: null,
    creator: { isHeard: true, verification: { state: 'verified', reference: '06-112' } },
    performers: [{ name: 'Hanna Brandt', email, consent: { state: 'given', sound: audio.fileKey } }],
    acts: [
      { action: 'performer.add', role: 'owner' },
      { action: 'consent.give', role: 'performer' },
      { action: 'verification.record', role: 'operator' },
    ],
  });
});

test('addresses are masked', () => {
  expect(['hanna@post.example', 'ab@x.example', 'a@x.example'].map(maskEmail)).toEqual([
    'h…a@post.example',
    'a…@x.example',
    'a…@x.example',
  ]);
});
