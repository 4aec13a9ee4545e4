import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { readRows } from '#test/support/read-rows.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { askAgainDays, maxCredits } from '../../catalogue/credits/rules.ts';
import { credits } from '../../catalogue/credits/tables.ts';
import { audios, voices } from '../../catalogue/tables.ts';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import type { MailMessage } from '../../gateways.ts';
import { users } from '../../identity/tables.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { newId } from '../../kernel/ids.ts';
import { type User, visitor } from '../../kernel/viewer.ts';
import { eraseUser, exportUser } from '../../privacy/personal-data.ts';
import { openDatabaseIndex } from '../../search/database-index.ts';
import { search } from '../../search/search.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { type WordLists, wordSetting } from '../../settings/word-lists.ts';
import type { CreditForm } from './forms.ts';

const database = await createTestDatabase();
const { db } = database;
const mails: MailMessage[] = [];
const site = await openTestSite(db, undefined, undefined, mails);
const { studio, catalogue, admin } = site;

/** A creator page with an owner. */
async function newCreator(name = `Voice ${newId().slice(-6)}`) {
  const voice = await createVoice(db, { name });
  const { id } = await createUser(db);
  const email = `${id}@example.org`;
  await db.update(users).set({ email }).where(eq(users.id, id));
  await setVoiceOwner(db, voice.id, id, true);
  const owner: User = { kind: 'user', id, isSubscribed: false, isComplete: true, voiceRoles: { [voice.id]: 'owner' } };
  return { voice, owner, email };
}

/** A public audio, and another creator. */
async function two(name?: string) {
  const maren = await newCreator();
  const idris = await newCreator(name);
  const audio = await createAudio(db, { voiceId: maren.voice.id });
  const add = async (form: CreditForm, by: User = maren.owner) => studio.addCredit(by, audio.id, form);
  const ask = async (role: CreditForm['role'] = 'performer') => {
    const added = await add({ role, voiceId: idris.voice.id });
    if (!added.ok) throw new Error(added.reason);
    return added.id;
  };
  const answer = (id: string, state: 'accepted' | 'declined') =>
    studio.answerCredit(idris.owner, idris.voice.id, id, state);
  const shown = async () =>
    (await catalogue.findAudio(audio.id))?.credits.map(({ role, name, voice }) => [role, name, voice?.slug]);
  const managed = async () =>
    (await studio.listCredits(maren.owner, audio.id))?.map(({ role, name, state }) => [role, name, state]);
  const credited = async () =>
    (await catalogue.listAudios(visitor, { creditedId: idris.voice.id, limit: 10 })).items.map(({ id }) => id);
  mails.length = 0;
  return { maren, idris, audio, add, ask, answer, shown, managed, credited };
}

/** Each query is far later than the one before, so that the index always reads changes. */
let clock = Date.now();
const index = openDatabaseIndex({ db, now: () => (clock += 1000) });
const found = async (term: string) =>
  (await search({ db, index }, visitor, { term, page: 0, limit: 10 })).audios.hits.map(({ id }) => id);

test('a name is shown at once; another creator is mailed, and shown after they accepted, until they take it back', async () => {
  const { maren, idris, audio, add, ask, answer, shown, managed, credited } = await two();
  expect(await add({ role: 'writer', name: 'Elizabeth Barrett Browning' })).toMatchObject({ ok: true });
  const id = await ask();
  const written = ['writer', 'Elizabeth Barrett Browning', undefined];
  expect(await shown()).toEqual([written]);
  expect(await credited()).toEqual([]);
  expect(await managed()).toEqual([
    ['writer', 'Elizabeth Barrett Browning', 'accepted'],
    ['performer', idris.voice.name, 'asked'],
  ]);
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [idris.email, `${maren.voice.name} would like to credit ${idris.voice.name}`],
  ]);
  expect(JSON.stringify(mails)).toContain(`/studio/${idris.voice.slug}/credits`);
  expect(JSON.stringify(mails)).not.toContain(audio.title);
  const asked = await studio.listCreditsOfVoice(idris.owner, idris.voice.id, { limit: 10 });
  expect(asked?.items).toMatchObject([
    { id, role: 'performer', state: 'asked', audio: { title: audio.title }, creator: { name: maren.voice.name } },
  ]);
  expect((await studio.countForStudio(idris.voice.id)).credits).toEqual({ asked: 1 });

  expect(await answer(id, 'accepted')).toEqual({ ok: true });
  expect(await shown()).toEqual([written, ['performer', idris.voice.name, idris.voice.slug]]);
  expect(await credited()).toEqual([audio.id]);
  expect(await catalogue.countCredited(visitor, idris.voice.id)).toBe(1);

  expect(await answer(id, 'declined')).toEqual({ ok: true });
  expect(await shown()).toEqual([written]);
  expect(await credited()).toEqual([]);
  expect((await managed())?.[1]).toEqual(['performer', idris.voice.name, 'declined']);
  const log = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, audio.id));
  expect(log.map(({ action, voiceId }) => [action, voiceId])).toEqual([
    ['credit.add', maren.voice.id],
    ['credit.add', maren.voice.id],
    ['credit.accept', idris.voice.id],
    ['credit.decline', idris.voice.id],
  ]);
});

test('nobody but a manager of the creator who is named answers, and nobody but one of the audio changes its credits', async () => {
  const { maren, idris, audio, ask, managed } = await two();
  const id = await ask();
  const notFound = { ok: false, reason: 'not-found' };
  expect(await studio.answerCredit(maren.owner, idris.voice.id, id, 'accepted')).toEqual(notFound);
  expect(await studio.answerCredit(maren.owner, maren.voice.id, id, 'accepted')).toEqual(notFound);
  expect(await studio.removeCredit(idris.owner, audio.id, id)).toEqual(notFound);
  expect(await studio.setCreditRole(idris.owner, audio.id, id, 'editor')).toEqual(notFound);
  expect(await studio.orderCredits(idris.owner, audio.id, [id])).toEqual(notFound);
  expect(await studio.addCredit(idris.owner, audio.id, { role: 'writer', name: 'Keats' })).toEqual(notFound);
  expect(await studio.listCredits(idris.owner, audio.id)).toBeUndefined();
  expect(await studio.listCreditsOfVoice(maren.owner, idris.voice.id, { limit: 1 })).toBeUndefined();
  expect(await managed()).toEqual([['performer', idris.voice.name, 'asked']]);
  // The yes is the creator's own; operators can take it back.
  expect(await studio.answerCredit(operator, idris.voice.id, id, 'accepted')).toEqual({ ok: false, reason: 'not-own' });
  expect(await studio.answerCredit(operator, idris.voice.id, id, 'declined')).toEqual({ ok: true });
  expect(await managed()).toEqual([['performer', idris.voice.name, 'declined']]);
  // Operators are no exception, but for pages that they open as such.
  const byOperator = await studio.addCredit(operator, audio.id, { role: 'sound', voiceId: idris.voice.id });
  expect(byOperator).toMatchObject({ ok: true });
  expect((await managed())?.at(-1)).toEqual(['sound', idris.voice.name, 'asked']);
});

test('the creator of the audio, and one with the same owner, are not asked, and the latter can still decline', async () => {
  const { maren, idris, audio, add, shown, answer } = await two();
  const both: User = { ...maren.owner, voiceRoles: { [maren.voice.id]: 'owner', [idris.voice.id]: 'editor' } };
  expect(await add({ role: 'performer', voiceId: maren.voice.id })).toMatchObject({ ok: true });
  const second = await add({ role: 'editor', voiceId: idris.voice.id }, both);
  expect(await shown()).toEqual([
    ['performer', maren.voice.name, maren.voice.slug],
    ['editor', idris.voice.name, idris.voice.slug],
  ]);
  expect(mails).toEqual([]);
  expect(await studio.listCreditsOfVoice(maren.owner, maren.voice.id, { limit: 10 })).toMatchObject({ items: [] });
  expect(await answer(second.ok ? second.id : '', 'declined')).toEqual({ ok: true });
  expect(await shown()).toHaveLength(1);
  // An own audio is not one that names its creator.
  expect((await catalogue.listAudios(visitor, { creditedId: maren.voice.id, limit: 10 })).items).toEqual([]);
  expect(audio.voiceId).toBe(maren.voice.id);
});

test('a creator who was asked or declined is not named by the name alone, nor asked again at once', async () => {
  const { maren, idris, audio, add, ask, answer, shown } = await two();
  const id = await ask();
  const byName = () => add({ role: 'writer', name: idris.voice.name.toUpperCase() });
  expect(await byName()).toEqual({ ok: false, reason: 'needs-consent' });
  expect(await add({ role: 'performer', voiceId: idris.voice.id })).toEqual({ ok: false, reason: 'there-already' });
  await answer(id, 'declined');
  expect(await byName()).toEqual({ ok: false, reason: 'needs-consent' });
  expect(await studio.setCreditRole(maren.owner, audio.id, id, 'editor')).toEqual({ ok: false, reason: 'declined' });
  expect(await studio.removeCredit(maren.owner, audio.id, id)).toEqual({ ok: true });
  expect(await studio.listCredits(maren.owner, audio.id)).toEqual([]);
  expect(await studio.listCreditsOfVoice(idris.owner, idris.voice.id, { limit: 10 })).toMatchObject({ items: [] });
  expect(await answer(id, 'accepted')).toEqual({ ok: false, reason: 'not-found' });
  expect(await byName()).toEqual({ ok: false, reason: 'needs-consent' });
  expect(await add({ role: 'performer', voiceId: idris.voice.id })).toEqual({ ok: false, reason: 'declined' });
  const before = new Date(Date.now() - (askAgainDays + 1) * 24 * 60 * 60 * 1000);
  await db.update(credits).set({ answeredAt: before }).where(eq(credits.audioId, audio.id));
  mails.length = 0;
  expect(await ask()).toEqual(expect.any(String));
  expect(mails).toHaveLength(1);
  expect(await shown()).toEqual([]);
});

test('the name of a creator who is credited here is no plain text, and goes when they decline', async () => {
  const { maren, idris, audio, add, ask, answer, managed, shown } = await two();
  const byName = () => add({ role: 'writer', name: ` ${idris.voice.name.toUpperCase()}` });
  const id = await ask();
  await answer(id, 'accepted');
  expect(await byName()).toEqual({ ok: false, reason: 'needs-consent' });
  // Written by a former version.
  await db
    .insert(credits)
    .values({ id: newId(), audioId: audio.id, position: 1, role: 'writer', name: idris.voice.name });
  expect(await add({ role: 'sound', name: 'Keats' })).toMatchObject({ ok: true });
  expect(await shown()).toHaveLength(3);
  await answer(id, 'declined');
  expect((await managed())?.map(([role, name]) => [role, name])).toEqual([
    ['performer', idris.voice.name],
    ['sound', 'Keats'],
  ]);
  expect(await studio.removeCredit(maren.owner, audio.id, id)).toEqual({ ok: true });
  expect(await byName()).toEqual({ ok: false, reason: 'needs-consent' });
});

test('what was removed is forgotten after 30 days, and only then are caches told', async () => {
  const { maren, audio, ask, answer } = await two();
  const id = await ask();
  await answer(id, 'declined');
  await studio.removeCredit(maren.owner, audio.id, id);
  expect(await studio.purgeRemovedCredits()).toBe(0);
  const old = new Date(Date.now() - (askAgainDays + 1) * 24 * 60 * 60 * 1000);
  await db.update(credits).set({ answeredAt: old }).where(eq(credits.audioId, audio.id));
  expect(await studio.purgeRemovedCredits()).toBe(1);
  expect(await db.$count(credits, eq(credits.audioId, audio.id))).toBe(0);
});

test('a name comes before the question, too', async () => {
  const { idris, add } = await two();
  await add({ role: 'writer', name: idris.voice.name });
  expect(await add({ role: 'performer', voiceId: idris.voice.id })).toEqual({ ok: false, reason: 'there-already' });
});

test('who is asked again and again by the same creator gets one mail a day', async () => {
  const { maren, idris, audio, ask } = await two();
  for (let times = 0; times < 3; times += 1) await studio.removeCredit(maren.owner, audio.id, await ask());
  const other = await createAudio(db, { voiceId: maren.voice.id });
  const askAgain = (role: CreditForm['role']) =>
    studio.addCredit(maren.owner, other.id, { role, voiceId: idris.voice.id });
  expect(await askAgain('performer')).toMatchObject({ ok: true });
  expect(mails).toHaveLength(1);
  await db.update(credits).set({ askedAt: sql`now() - interval '25 hours'` });
  expect(await askAgain('writer')).toMatchObject({ ok: true });
  expect(mails).toHaveLength(2);
});

test('another part is another question, and keeps its place', async () => {
  const { maren, audio, add, ask, answer, managed } = await two();
  const id = await ask();
  await answer(id, 'accepted');
  await add({ role: 'writer', name: 'Keats' });
  mails.length = 0;
  await db
    .update(credits)
    .set({ askedAt: sql`now() - interval '25 hours'` })
    .where(eq(credits.id, id));
  expect(await studio.setCreditRole(maren.owner, audio.id, id, 'editor')).toEqual({ ok: true });
  expect((await managed())?.map(([role, , state]) => [role, state])).toEqual([
    ['editor', 'asked'],
    ['writer', 'accepted'],
  ]);
  expect(mails).toHaveLength(1);
  // An answer that was under way was about the former part.
  expect(await answer(id, 'accepted')).toEqual({ ok: false, reason: 'not-found' });
  const [asked] = (await studio.listCredits(maren.owner, audio.id)) ?? [];
  expect(await answer(asked?.id ?? '', 'accepted')).toEqual({ ok: true });
  const [, writer] = (await studio.listCredits(maren.owner, audio.id)) ?? [];
  expect(await studio.setCreditRole(maren.owner, audio.id, writer?.id ?? '', 'other')).toMatchObject({ ok: true });
  expect((await managed())?.map(([role]) => role)).toEqual(['editor', 'other']);
});

test('credits are put into another order, unless it is one of another list', async () => {
  const { maren, audio, add, managed } = await two();
  for (const name of ['One', 'Two', 'Three']) await add({ role: 'other', name });
  const ids = ((await studio.listCredits(maren.owner, audio.id)) ?? []).map(({ id }) => id);
  const order = (next: string[]) => studio.orderCredits(maren.owner, audio.id, next);
  expect(await order(ids.toReversed())).toEqual({ ok: true });
  expect((await managed())?.map(([, name]) => name)).toEqual(['Three', 'Two', 'One']);
  const changed = { ok: false, reason: 'order-changed' };
  expect(await order(ids.slice(1))).toEqual(changed);
  expect(await order([...ids.slice(1), ids[1] ?? ''])).toEqual(changed);
  await studio.removeCredit(maren.owner, audio.id, ids[2] ?? '');
  await add({ role: 'other', name: 'Four' });
  expect((await managed())?.map(([, name]) => name)).toEqual(['Two', 'One', 'Four']);
});

test('names have a limit, are named once in a part, and obey the lists of words', async () => {
  const { audio, add } = await two();
  expect(await add({ role: 'writer', name: 'Élise' })).toMatchObject({ ok: true });
  expect(await add({ role: 'writer', name: 'elise' })).toEqual({ ok: false, reason: 'there-already' });
  for (let n = 1; n < maxCredits; n += 1) await add({ role: 'other', name: `Name ${n}` });
  expect(await add({ role: 'sound', name: 'One more' })).toEqual({ ok: false, reason: 'full' });
  const other = await two();
  const setWords = async (value: WordLists) => {
    const { revision } = await findSetting(db, wordSetting);
    await db.transaction((tx) => changeSetting(tx, wordSetting, { actor: operator, value, revision }));
  };
  await setWords({ refused: ['gone'], watched: ['ahem'], help: '' });
  await expect(other.add({ role: 'other', name: 'Gone Girl' })).rejects.toMatchObject({ code: 'words/refused' });
  expect(await other.add({ role: 'other', name: 'Ahem' })).toMatchObject({ ok: true });
  const held = await db.select({ state: audios.reviewState }).from(audios).where(eq(audios.id, other.audio.id));
  expect(held).toEqual([{ state: 'waiting' }]);
  await setWords({ refused: [], watched: [], help: '' });
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ credits: { length: maxCredits } });
});

test('a creator who is hidden or deleted is not named, and neither is one who is unknown', async () => {
  const { maren, idris, audio, add, ask, answer, shown, managed } = await two('Thaddeus');
  await answer(await ask(), 'accepted');
  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, idris.voice.id));
  expect(await shown()).toEqual([]);
  expect(await found(idris.voice.name)).toEqual([]);
  expect(await managed()).toEqual([['performer', idris.voice.name, 'accepted']]);
  expect(await add({ role: 'sound', voiceId: idris.voice.id })).toEqual({ ok: false, reason: 'unknown-creator' });
  await db.update(voices).set({ hiddenAt: null }).where(eq(voices.id, idris.voice.id));
  expect(await shown()).toHaveLength(1);
  expect(await found(idris.voice.name)).toEqual([audio.id]);
  await db.delete(voices).where(eq(voices.id, idris.voice.id));
  expect(await shown()).toEqual([]);
  expect(await studio.listCredits(maren.owner, audio.id)).toEqual([]);
  expect(await add({ role: 'sound', voiceId: newId() })).toEqual({ ok: false, reason: 'unknown-creator' });
});

test('a credit of an audio that is not public is in no list', async () => {
  const { maren, idris, audio, ask, answer, credited } = await two();
  const id = await ask();
  await answer(id, 'accepted');
  await db.update(audios).set({ publishedAt: null }).where(eq(audios.id, audio.id));
  expect(await credited()).toEqual([]);
  expect(await catalogue.countCredited(visitor, idris.voice.id)).toBe(0);
  await db
    .update(audios)
    .set({ publishedAt: new Date(0), isFree: true })
    .where(eq(audios.id, audio.id));
  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, maren.voice.id));
  expect(await credited()).toEqual([]);
});

test('search finds an audio by the names in its credits, as soon as they are shown, and after a creator was renamed', async () => {
  const { idris, audio, add, ask, answer } = await two('Wolfram');
  await add({ role: 'writer', name: 'Clementine Farrow' });
  expect(await found('farrow clementine')).toEqual([audio.id]);
  const id = await ask();
  expect(await found(idris.voice.name)).toEqual([]);
  await answer(id, 'accepted');
  expect(await found(idris.voice.name)).toEqual([audio.id]);
  await db.update(voices).set({ name: 'Perceval' }).where(eq(voices.id, idris.voice.id));
  expect(await found('Perceval')).toEqual([audio.id]);
  await answer(id, 'declined');
  expect(await found('Perceval')).toEqual([]);
});

test('a change of credits is announced to the caches of all processes', async () => {
  const { ask, answer } = await two();
  const { pool } = database;
  const client = await pool.connect();
  const tables: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => tables.push(payload));
  await client.query('listen catalogue_changed');
  await answer(await ask(), 'accepted');
  await client.query('select 1');
  await client.query('unlisten *');
  client.release();
  expect(tables).toEqual(['credits', 'credits']);
});

test('merging creators moves their credits, and keeps one of each part', async () => {
  const { idris, audio, ask, answer, shown } = await two();
  await answer(await ask(), 'accepted');
  await answer(await ask('sound'), 'accepted');
  const into = await newCreator();
  await answer(await ask('writer'), 'accepted');
  const row = { audioId: audio.id, position: 2, voiceId: into.voice.id, askedAt: new Date() } as const;
  await db.insert(credits).values([
    { ...row, id: newId(), role: 'sound', state: 'declined' },
    { ...row, id: newId(), role: 'writer', state: 'asked' },
  ]);
  const theirs = await createAudio(db, { voiceId: idris.voice.id });
  await studio.addCredit(idris.owner, theirs.id, { role: 'editor', voiceId: into.voice.id });
  await admin.content.mergeVoice(operator, idris.voice.id, { into: into.voice.id, name: idris.voice.name });
  expect((await shown())?.map(([role, name]) => [role, name])).toEqual([
    ['performer', into.voice.name],
    ['writer', into.voice.name],
  ]);
  // The question is now about an audio of their own.
  expect((await catalogue.findAudio(theirs.id))?.credits).toMatchObject([{ role: 'editor', name: into.voice.name }]);
  const { rows } = await db.execute(sql`select role, state from credits where audio_id = ${audio.id} order by role`);
  expect(rows).toEqual([
    { role: 'performer', state: 'accepted' },
    { role: 'sound', state: 'declined' },
    { role: 'writer', state: 'accepted' },
  ]);
});

test('an export has what names one’s pages; the page and its credits outlive the account', async () => {
  const { maren, idris, audio, ask, answer, shown } = await two();
  await answer(await ask(), 'accepted');
  const { credits: exported } = await exportUser(db, idris.owner.id, 'secret');
  expect(await readRows(exported)).toMatchObject([
    { creator: idris.voice.name, audio: audio.title, role: 'performer', state: 'accepted' },
  ]);
  expect(await readRows((await exportUser(db, maren.owner.id, 'secret'))['credits'])).toEqual([]);
  await eraseUser(db, idris.owner.id);
  expect(await shown()).toHaveLength(1);
});
