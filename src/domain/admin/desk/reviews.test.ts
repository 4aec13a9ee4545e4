import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createViewer, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { inLanguage } from '#i18n';
import { noteNewSound } from '../../catalogue/editing/publication-gate.ts';
import { publishAudio } from '../../catalogue/editing/publishing.ts';
import type { ReviewMode } from '../../catalogue/review/rules.ts';
import { keepStandardReview, findReviewMode, reviewSetting } from '../../catalogue/review/settings.ts';
import { audioTags, audios, facets, reviews, tags, voices } from '../../catalogue/tables.ts';
import { returnText } from '../../catalogue/review/wording-rules.ts';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import type { MailMessage } from '../../gateways.ts';
import { operator } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { users } from '../../identity/tables.ts';
import { type User, type Viewer, visitor } from '../../kernel/viewer.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { Languages, languageSetting } from '../../settings/languages.ts';
import type { Setting } from '../../settings/setting.ts';
import { ReportContent } from '../../notices/forms.ts';
import { consents, creatorAgreements, performers } from '../../verification/tables.ts';
import { editManagedAudio } from '../../studio/audios/edit-audio.ts';
import { WordLists, wordSetting } from '../../settings/word-lists.ts';
import { BulkActForm, ReviewForm } from '../forms.ts';

const { db } = await createTestDatabase();
const mails: MailMessage[] = [];
const site = await openTestSite(db, undefined, undefined, mails);
const { desk } = site.admin;
const { studio } = site;

const voice = await createVoice(db);
const owner: User = {
  ...(await createViewer(db, { email: 'owner@example.test' })),
  voiceRoles: { [voice.id]: 'owner' },
};
await setVoiceOwner(db, voice.id, owner.id, true);
const moderator: User = { ...(await createViewer(db)), isModerator: true };

async function set(setting: Setting, value: unknown): Promise<void> {
  const { revision } = await findSetting(db, setting);
  await db.transaction((tx) => changeSetting(tx, setting, { actor: operator, value, revision }));
}
const setMode = (mode: ReviewMode | null) => set(reviewSetting, { mode });
const setWatched = (...watched: string[]) => set(wordSetting, WordLists.parse({ watched }));

beforeEach(async () => {
  await setMode('all');
  await setWatched();
  await db.delete(audios);
  mails.length = 0;
});

const newDraft = (overrides: Parameters<typeof createAudio>[1] = {}) =>
  createAudio(db, { voiceId: voice.id, publishedAt: null, ...overrides });
const stateOf = async (id: string) => (await studio.findAudioFacts(owner, id))?.state;
const queue = async (by: User = moderator) => (await desk.listReviews(by, { limit: 10 })).items;
async function sent(overrides: Parameters<typeof createAudio>[1] = {}) {
  const audio = await newDraft(overrides);
  await studio.publishAudio(owner, audio.id);
  const review = (await queue()).find(({ audioId }) => audioId === audio.id);
  if (review === undefined) throw new Error('it is not in the queue');
  return { audio, review };
}
const approve = (id: string, by: User = moderator, words: string[] = []) =>
  desk.decideReview(by, id, ReviewForm.parse({ decision: 'approved', heard: 21, words }));
const giveBack = (id: string, by: User = moderator) =>
  desk.decideReview(
    by,
    id,
    ReviewForm.parse({
      decision: 'returned',
      heard: 3,
      words: [],
      reasonKind: 'wrong-notes',
      reason: 'Please look again.',
      field: 'tags',
    }),
  );

test('what is approved becomes public, with what was heard, and its creator is told', async () => {
  const { audio, review } = await sent();
  expect(await stateOf(audio.id)).toBe('in-review');
  expect(review).toMatchObject({ cause: 'all', isYours: false });
  expect(await approve(review.id)).toEqual({ ok: true });
  expect(await stateOf(audio.id)).toBe('published');
  expect(await queue()).toEqual([]);
  expect((await db.select().from(reviews).where(eq(reviews.id, review.id)))[0]).toMatchObject({
    decision: 'approved',
    decidedBy: moderator.id,
    heardMs: 21_000,
  });
  expect(mails.map(({ subject }) => subject)).toEqual([`“${audio.title}” was approved`]);
  expect(await approve(review.id)).toEqual({ ok: false, reason: 'changed' });
});

test('what is returned says why and where, and can be sent again', async () => {
  const { audio, review } = await sent();
  expect(await giveBack(review.id)).toEqual({ ok: true });
  expect(await studio.findAudioFacts(owner, audio.id)).toMatchObject({
    state: 'returned',
    review: { reason: 'Please look again.', reasonKind: 'wrong-notes', field: 'tags', place: null },
  });
  expect(mails[0]?.text).toContain('Please look again.');
  await studio.publishAudio(owner, audio.id);
  expect(await studio.findAudioFacts(owner, audio.id)).toMatchObject({
    state: 'in-review',
    review: { place: 1, total: 1, returnedAt: null },
  });
});

test('a creator reads the standard sentence in their language, and the reviewer’s words as they were written', async () => {
  await set(languageSetting, Languages.parse({ de: true }));
  const { audio, review } = await sent();
  await db
    .update(users)
    .set({ preferences: { language: 'de' } })
    .where(eq(users.id, owner.id));
  const returned = { decision: 'returned', heard: 3, words: [], reasonKind: 'text-differs', canned: true } as const;
  const form = ReviewForm.parse({ ...returned, reason: 'Mira la última línea.' });
  await inLanguage('es', () => desk.decideReview(moderator, review.id, form));
  const sentence = inLanguage('de', () => returnText('text-differs'));
  expect(sentence).not.toBe(returnText('text-differs'));
  expect(mails[0]?.text).toContain(sentence);
  expect(mails[0]?.text).toContain('Mira la última línea.');
  expect(await studio.findAudioFacts(owner, audio.id)).toMatchObject({
    review: { canned: true, reasonKind: 'text-differs', reason: 'Mira la última línea.', language: 'es' },
  });
  expect(ReviewForm.safeParse(returned).success).toBe(true);
  expect(ReviewForm.safeParse({ ...returned, reasonKind: 'other' }).success).toBe(false);
  expect(ReviewForm.safeParse({ ...returned, canned: false }).success).toBe(false);
  await db.update(users).set({ preferences: {} }).where(eq(users.id, owner.id));
});

test('two pairs of eyes: not who sent it, nor who manages its creator, nor others than moderators', async () => {
  const { audio, review } = await sent();
  const manager: User = { ...moderator, voiceRoles: { [voice.id]: 'editor' } };
  expect(await approve(review.id, manager)).toEqual({ ok: false, reason: 'yours' });
  expect(await approve(review.id, { ...owner, isAdmin: true })).toEqual({ ok: false, reason: 'yours' });
  expect((await queue({ ...owner, isAdmin: true }))[0]?.isYours).toBe(true);
  const listener = await createViewer(db);
  expect(await approve(review.id, listener)).toEqual({ ok: false, reason: 'not-found' });
  expect(await queue(listener)).toEqual([]);
  expect(await desk.findReview(listener, review.id)).toBeUndefined();
  expect(await stateOf(audio.id)).toBe('in-review');
  const admin: User = { ...(await createViewer(db, { isAdmin: true })), isAdmin: true };
  await db.update(reviews).set({ sentBy: admin.id });
  expect(await approve(review.id, admin)).toEqual({ ok: false, reason: 'yours' });
});

test('a reviewer sees who is heard, whether they agreed, and the records of the creator, without emails', async () => {
  const { audio, review } = await sent();
  const [row] = await db.select({ sound: audios.fileKey }).from(audios).where(eq(audios.id, audio.id));
  const performerId = newId();
  const email = 'idris@vale.example';
  await db.insert(performers).values({ id: performerId, voiceId: voice.id, name: 'Idris Vale', email });
  const given = { name: 'Idris Vale', recorded: true, published: true, downloaded: false, answeredAt: new Date() };
  await db
    .insert(consents)
    .values({ audioId: audio.id, performerId, state: 'given', sound: row?.sound ?? null, ...given });
  await db.insert(creatorAgreements).values({ version: 3, text: 'You keep all rights.' });
  const found = await desk.findReview(moderator, review.id);
  expect(found?.performers).toMatchObject({
    owner: { name: voice.name },
    items: [{ name: 'Idris Vale', published: true, downloaded: false, isComplete: true }],
    complete: 2,
    total: 2,
    verification: { state: 'none' },
    agreement: null,
    agreementWaits: true,
  });
  expect(JSON.stringify(found)).not.toContain(email);
  await db.update(consents).set({ state: 'withdrawn', published: false }).where(eq(consents.audioId, audio.id));
  expect(await desk.findReview(moderator, review.id)).toMatchObject({
    obstacle: { reason: 'incomplete-chain', gap: 'consent-against' },
    performers: { complete: 1, gap: 'consent-against' },
  });
  const about = ReportContent.parse({
    about: `audio/${(await createAudio(db, { voiceId: voice.id })).id}`,
    kind: 'minor',
    details: 'Somebody young.',
    goodFaith: 'on',
  });
  await site.notices.giveNotice(visitor, about, 'en');
  const [notice] = (await desk.listNotices(moderator, 'audio', { limit: 1 })).items;
  expect((await desk.findNotice(moderator, notice?.id ?? ''))?.performers).toMatchObject({ total: 1, items: [] });
});

test('a scheduled time waits for the review', async () => {
  const later = new Date(Date.now() + 3_600_000);
  const [soon, missed] = [await newDraft(), await newDraft()];
  for (const { id } of [soon, missed]) await studio.publishAudio(owner, id, later);
  await db
    .update(reviews)
    .set({ publishAt: new Date(0) })
    .where(eq(reviews.audioId, missed.id));
  for (const { id } of await queue()) await approve(id);
  expect(await studio.findAudioFacts(owner, soon.id)).toMatchObject({
    state: 'scheduled',
    publishedAt: later.toISOString(),
  });
  expect(await stateOf(missed.id)).toBe('published');
});

test('of new creators the first five are reviewed', async () => {
  await setMode('new-creators');
  for (let nth = 1; nth <= 5; nth += 1) {
    const { review } = await sent();
    expect(review).toMatchObject({ cause: 'new-creator', nth });
    await approve(review.id);
  }
  const sixth = await newDraft();
  await studio.publishAudio(owner, sixth.id);
  expect(await stateOf(sixth.id)).toBe('published');
});

test('what was public before stays so, and may be published again', async () => {
  const { id } = await createAudio(db, { voiceId: voice.id });
  expect(await stateOf(id)).toBe('published');
  await studio.unpublishAudio(owner, id);
  await studio.publishAudio(owner, id);
  expect(await stateOf(id)).toBe('published');
});

test('acts on many audios say how many went to review instead of online', async () => {
  await setMode('new-creators');
  const cleared = await createAudio(db, { voiceId: voice.id });
  await studio.unpublishAudio(owner, cleared.id);
  const [first, second] = [await newDraft(), await newDraft()];
  const ids = [cleared.id, first.id];
  const acted = await studio.actOnAudios(owner, ids, { act: 'publish' });
  expect(acted).toMatchObject({ changed: ids, sentForReview: [first.id] });
  expect(await studio.actOnAudios(owner, [first.id], { act: 'free' })).toMatchObject({ sentForReview: [] });
  const form = BulkActForm.parse({ verb: 'publish', ids: [cleared.id, first.id, second.id] });
  const started = await site.admin.content.startBulkAct(operator, form);
  if (!started.ok) throw new Error(started.reason);
  await site.admin.content.runBulkAct(started.id);
  const state = { state: 'done', changed: 1, sentForReview: 1, unchanged: 2, refused: 0 };
  expect(await site.admin.content.findBulkAct(operator, started.id)).toMatchObject(state);
  // Undoing makes it a draft again.
  const undone = await site.admin.content.undoBulkAct(operator, started.id);
  if (!undone.ok) throw new Error(undone.reason);
  await site.admin.content.runBulkAct(undone.id);
  expect(await stateOf(second.id)).toBe('draft');
});

test('new sound hides a public audio until it is approved, with its first date, and starts a review again', async () => {
  const audio = await createAudio(db, { voiceId: voice.id });
  const replace = (key: string) =>
    db.transaction(async (tx) => {
      await tx.update(audios).set({ fileKey: key }).where(eq(audios.id, audio.id));
      await noteNewSound(tx, audio.id, owner.id);
    });
  await replace('audio/second.mp3');
  expect(await stateOf(audio.id)).toBe('in-review');
  const [first] = await queue();
  expect(first?.cause).toBe('new-sound');
  await replace('audio/third.mp3');
  expect(await approve(first?.id ?? '')).toEqual({ ok: false, reason: 'changed' });
  const [second] = await queue();
  await approve(second?.id ?? '');
  expect(await studio.findAudioFacts(owner, audio.id)).toMatchObject({
    state: 'published',
    publishedAt: audio.publishedAt?.toISOString(),
  });
});

test('a watched word holds an audio by itself, until a reviewer has seen it there', async () => {
  await setMode('off');
  await setWatched('fire');
  const plain = await newDraft();
  await studio.publishAudio(owner, plain.id);
  expect(await stateOf(plain.id)).toBe('published');
  const { audio, review } = await sent({ cues: [{ start: 0, end: 1, text: 'Into fire' }] });
  expect(review).toMatchObject({ cause: 'watched-word', watchedWords: ['fire'] });
  // Added after the reviewer read it.
  await setWatched('fire', 'into');
  await approve(review.id, moderator, ['fire']);
  expect(await stateOf(audio.id)).toBe('in-review');
  const [again] = await queue();
  await approve(again?.id ?? '', moderator, ['fire', 'into']);
  expect(await stateOf(audio.id)).toBe('published');
});

test('a watched word that is written into a public audio hides it for review; an old one does not', async () => {
  await setMode('off');
  const { id } = await createAudio(db, { voiceId: voice.id, description: 'With fire' });
  await setWatched('fire', 'ice');
  async function edit(description: string) {
    const version = (await studio.findEditedAudio(owner, id))?.version ?? 0;
    const saved = await studio.saveAudio(owner, id, { version, change: { description } });
    if (!saved.ok) throw new Error(saved.reason);
    await studio.publishChanges(owner, id, saved.version);
  }
  await edit('With more fire');
  expect(await stateOf(id)).toBe('published');
  await edit('With fire and ice');
  expect(await stateOf(id)).toBe('in-review');
});

test('a comment with a watched word waits for the desk, not for the creator; a link in it then for the creator', async () => {
  await setWatched('fire');
  await db.update(voices).set({ holdsLinks: true }).where(eq(voices.id, voice.id));
  const audio = await createAudio(db, { voiceId: voice.id });
  const listener = await createViewer(db, { email: 'listener@example.test' });
  const write = async (by: User, text: string) => {
    const outcome = await site.community.writeComment(by, audio.id, { text, parentId: undefined });
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome.comment;
  };
  const open = { id: audio.id, commentsDisabled: false };
  const seenBy = async (viewer: Viewer) =>
    (await site.community.listComments(viewer, open, { limit: 9 })).items.map(({ text }) => text);
  const held = async (by: User = moderator) => (await desk.listHeldComments(by, { limit: 9 })).items;
  const mine = async () =>
    (await site.community.listVoiceComments(owner, voice.id, { filter: 'waiting', limit: 9 }))?.items.map(
      ({ text, isForDesk }) => [text, isForDesk],
    );

  const shown = await write(listener, 'Into the fire');
  const linked = await write(listener, 'Fire at shop.example.com');
  const removed = await write(listener, 'More fire');
  await write(owner, 'The fire of a creator');
  await write(listener, 'Only shop.example.com');
  expect(shown.waitsForCreator).toBe(true);
  expect(await seenBy(visitor)).toEqual([]);
  expect((await held()).map(({ text, marks }) => [text, marks])).toEqual([
    ['Into the fire', [[9, 13]]],
    ['Fire at shop.example.com', [[0, 4]]],
    ['More fire', [[5, 9]]],
    ['The fire of a creator', [[4, 8]]],
  ]);
  expect((await desk.countWaiting()).review).toBe(4);
  expect(await held(owner)).toEqual([]);
  await expect(site.community.setCommentHidden(owner, shown.id, false)).rejects.toThrow(/operator decides/);
  expect(await desk.decideHeldComment(owner, shown.id, true)).toEqual({ ok: false, reason: 'not-found' });
  const author: User = { ...listener, isModerator: true };
  expect(await desk.decideHeldComment(author, shown.id, true)).toEqual({ ok: false, reason: 'yours' });

  expect(await desk.decideHeldComment(moderator, shown.id, true)).toEqual({ ok: true });
  expect(await desk.decideHeldComment(moderator, linked.id, true)).toEqual({ ok: true });
  expect(await seenBy(visitor)).toEqual(['Into the fire']);
  expect(await mine()).toEqual([
    ['Only shop.example.com', false],
    ['The fire of a creator', true],
    ['More fire', true],
    ['Fire at shop.example.com', false],
  ]);
  expect(await site.community.setCommentHidden(owner, linked.id, false)).toEqual({ changed: true });

  mails.length = 0;
  expect(await desk.decideHeldComment(moderator, removed.id, false)).toEqual({ ok: true });
  expect(await seenBy(listener)).not.toContain('More fire');
  expect(mails).toMatchObject([{ to: 'listener@example.test', subject: 'Your comment was not published' }]);
  expect(await desk.decideHeldComment(moderator, removed.id, false)).toEqual({ ok: false, reason: 'not-found' });
  // Hidden by the creator, who need not wait for the desk to do that.
  const [last] = await held();
  await site.community.setCommentHidden(owner, last?.id ?? '', true);
  // The desk still decides, so that hiding and showing leads past nobody, and leaves it hidden.
  expect(await held()).toMatchObject([{ id: last?.id, waitsNext: true }]);
  expect(await desk.decideHeldComment(moderator, last?.id ?? '', true)).toEqual({ ok: true });
  expect(await held()).toEqual([]);
  expect(await seenBy(visitor)).not.toContain('The fire of a creator');
});

test('withdrawing, deleting and publishing without a condition end a review', async () => {
  const [withdrawn, deleted, freed] = [await sent(), await sent(), await sent()];
  await studio.unpublishAudio(owner, withdrawn.audio.id);
  expect(await stateOf(withdrawn.audio.id)).toBe('draft');
  await studio.deleteAudio(owner, deleted.audio.id);
  await setMode('off');
  await publishAudio(db, freed.audio.id);
  expect(await stateOf(freed.audio.id)).toBe('published');
  expect(await queue()).toEqual([]);
  expect(await db.$count(reviews, eq(reviews.decision, 'withdrawn'))).toBe(3);
});

test('the usual time is the median of the last reviews, and needs five', async () => {
  const waits = await sent();
  const usual = async () => (await studio.findAudioFacts(owner, waits.audio.id))?.usualReviewTime;
  for (let count = 1; count <= 5; count += 1) {
    expect(await usual()).toBeUndefined();
    const { review } = await sent();
    await approve(review.id);
    await db
      .update(reviews)
      .set({ sentAt: new Date(Date.now() - count * 3_600_000), decidedAt: new Date() })
      .where(eq(reviews.id, review.id));
  }
  expect(Math.round(((await usual()) ?? 0) / 3_600_000)).toBe(3);
});

test('without a choice of operators, only sites that others can open review new creators', async () => {
  await setMode(null);
  await keepStandardReview(db, true);
  expect(await findReviewMode(db)).toBe('off');
  await keepStandardReview(db, false);
  expect(await findReviewMode(db)).toBe('new-creators');
  await setMode('off');
  expect(await findReviewMode(db)).toBe('off');
  await keepStandardReview(db, true);
});

test('a required facet keeps back what was never public; Undo, restoration and review bring the rest back', async () => {
  await setMode('off');
  await setWatched('fire');
  const out = await createAudio(db, { voiceId: voice.id });
  const first = await sent({ title: 'Fire', tagLabels: ['Calm'] });
  const moodId = newId();
  await db.insert(facets).values({ id: moodId, slug: 'mood', label: 'Mood', chooses: 'many', isRequired: true });
  // Without tags it would let nobody publish.
  const draft = await newDraft();
  expect(await studio.publishAudio(owner, draft.id)).toMatchObject({ ok: true });

  await db.update(tags).set({ facetId: moodId }).where(eq(tags.slug, 'calm'));
  await db.delete(audioTags);
  expect(await studio.publishAudio(owner, (await newDraft()).id)).toMatchObject({ ok: false, facets: ['Mood'] });
  expect(await approve(first.review.id, moderator, ['fire'])).toEqual({ ok: false, reason: 'missing-facet' });
  const obstacle = { reason: 'missing-facet', facets: ['Mood'] };
  expect(await desk.findReview(moderator, first.review.id)).toMatchObject({ obstacle });
  const { content } = site.admin;
  for (const verb of ['unpublish', 'delete']) {
    const started = await content.startBulkAct(operator, BulkActForm.parse({ verb, ids: [out.id] }));
    await content.runBulkAct(started.ok ? started.id : '');
    const undone = await content.undoBulkAct(operator, started.ok ? started.id : '');
    await content.runBulkAct(undone.ok ? undone.id : '');
    expect([verb, await stateOf(out.id)]).toEqual([verb, 'published']);
  }
  await editManagedAudio(db, operator, out.id, { description: 'Into fire' });
  expect(await stateOf(out.id)).toBe('in-review');
  const review = (await queue()).find(({ audioId }) => audioId === out.id);
  expect(await approve(review?.id ?? '', moderator, ['fire'])).toEqual({ ok: true });
});
