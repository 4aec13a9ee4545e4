import { desc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createAudio, createUser, createUserPlaylist, createViewer, createVoice } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { type Language, languageCodes } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { NoticeDecisionForm } from '../admin/forms.ts';
import { audios, voices } from '../catalogue/tables.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import type { MailMessage } from '../gateways.ts';
import { operator } from '../kernel/actor.ts';
import { auditEntries } from '../kernel/audit.ts';
import { newId } from '../kernel/ids.ts';
import { type User, visitor } from '../kernel/viewer.ts';
import { userPlaylists } from '../library/tables.ts';
import { users } from '../identity/tables.ts';
import { languageSetting } from '../settings/languages.ts';
import { siteSettings } from '../settings/tables.ts';
import { ReportContent } from './forms.ts';
import { faultsOf, maskedEmail, placeIn } from './rules.ts';
import { noticeAppeals, noticeDecisions, notices } from './tables.ts';
import { cannedText } from './wording-rules.ts';

const { db } = await createTestDatabase();
const mails: MailMessage[] = [];
const site = await openTestSite(db, undefined, openPlainPayments().provider, mails);
const { desk } = site.admin;

const june: User = { ...(await createViewer(db, { username: 'june.k' })), isModerator: true };
const ada: User = { ...(await createViewer(db, { username: 'ada.m' })), isAdmin: true };

const form = (about: string, more: Partial<ReportContent> = {}) =>
  ReportContent.parse({
    about,
    kind: 'rights',
    details: `My words from 0:16 to 0:52, ${newId()}.`,
    name: 'Ruth Adeyemi',
    email: 'Ruth@Adeyemi.example',
    goodFaith: 'on',
    ...more,
  });

async function give(about: string, more: Partial<ReportContent> = {}) {
  const outcome = await site.notices.giveNotice(visitor, form(about, more), 'en');
  if (!outcome.ok) throw new Error(outcome.reason);
  const [row] = await db
    .select()
    .from(notices)
    .orderBy(sql`number desc`)
    .limit(1);
  return { token: outcome.token, id: row?.id ?? '' };
}

async function ownAudio() {
  const voice = await createVoice(db);
  const { id: ownerId } = await createUser(db, { email: `${voice.slug}@example.org` });
  await setVoiceOwner(db, voice.id, ownerId, true);
  const audio = await createAudio(db, { voiceId: voice.id, isFree: true });
  return { ...audio, ownerEmail: `${voice.slug}@example.org` };
}

const isPublic = async (id: string) =>
  (await db.select({ at: audios.publishedAt }).from(audios).where(eq(audios.id, id)))[0]?.at instanceof Date;
const decision = (verb: NoticeDecisionForm['verb'], more: Partial<NoticeDecisionForm> = {}): NoticeDecisionForm => ({
  verb,
  ground: 'rules',
  clause: undefined,
  canned: undefined,
  reasons: 'Because of this.',
  ...more,
});

async function decide(id: string, verb: NoticeDecisionForm['verb'], by = june) {
  const outcome = await desk.decideNotice(by, id, decision(verb));
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.decisionId;
}

/** Ten seconds later. */
async function later() {
  await db
    .update(noticeDecisions)
    .set({ followUpAt: sql`now() - interval '1 second'` })
    .where(sql`follow_up_at is not null`);
  await site.notices.doDueNotices();
}

test('what a kind asks for', () => {
  const none = ReportContent.parse({});
  expect(faultsOf(none)).toEqual(['about', 'kind', 'details', 'name', 'email', 'goodFaith']);
  const full = form('audio/x');
  expect(faultsOf(full)).toEqual([]);
  expect(faultsOf({ ...full, kind: 'copyright' })).toEqual(['work', 'owner']);
  expect(faultsOf({ ...full, kind: 'illegal' })).toEqual(['country', 'law']);
  expect(faultsOf({ ...full, kind: 'minor', name: '', email: '' })).toEqual([]);
  expect(faultsOf({ ...full, kind: 'minor', email: 'nobody' })).toEqual(['email']);
  expect([placeIn('from 0:16 to 0:52'), placeIn('at 1:02:03'), placeIn('somewhere')]).toEqual([
    { from: 16, to: 52 },
    { from: 3723, to: 3728 },
    undefined,
  ]);
  expect(maskedEmail('ruth@adeyemi.example')).toBe('r…h@adeyemi.example');
});

test('a report without an account has a receipt, by mail too, and a private page; sent twice, it is one', async () => {
  const audio = await ownAudio();
  const sent = form(`audio/${audio.id}`, { kind: 'copyright', work: 'My translation', owner: 'owner' });
  const [first, second] = await Promise.all([
    site.notices.giveNotice(visitor, sent, 'en'),
    site.notices.giveNotice(visitor, sent, 'en'),
  ]);
  expect(first).toEqual(second);
  if (!first.ok) throw new Error('refused');
  expect(await db.$count(notices, eq(notices.subjectId, audio.id))).toBe(1);
  const state = await site.notices.findNoticeState(first.token);
  expect(state).toMatchObject({
    number: expect.stringMatching(/^N-\d{4}-\d+$/),
    side: 'reporter',
    kind: 'copyright',
    subject: { name: audio.title },
    email: 'r…h@adeyemi.example',
    decision: null,
    canAppeal: false,
  });
  // Copyright hides nothing before it is decided.
  expect(await isPublic(audio.id)).toBe(true);
  expect(mails.filter(({ to }) => to === 'ruth@adeyemi.example')).toMatchObject([
    { subject: `We received your report ${state?.number}`, text: expect.stringContaining(`/report/${first.token}`) },
  ]);
  const { rows } = await db.execute<{ row: string }>(sql`select to_jsonb(n)::text as row from notices n`);
  expect(rows.map(({ row }) => row).join()).not.toContain(first.token);
  expect(await site.notices.findNoticeState('5d7c-q2wm-80fe')).toBeUndefined();
});

test('a report about nothing, or elsewhere, or about what listeners do not see, says so', async () => {
  const draft = await createAudio(db, { publishedAt: null });
  for (const about of ['', 'https://elsewhere.example/audio/x', '/audio/unknown-one', `audio/${draft.id}`])
    expect(await site.notices.giveNotice(visitor, form(about), 'en')).toMatchObject({ ok: false, faults: ['about'] });
  const audio = await ownAudio();
  expect(await site.notices.findSubject(`${site.facts.url}/de/audio/${audio.slug}?t=3`)).toMatchObject({
    id: audio.id,
  });
  expect(await site.notices.findSubject('/terms')).toMatchObject({ type: 'page', address: '/terms' });
});

test('some kinds hide at once; a decision to keep brings back what was', async () => {
  const audio = await ownAudio();
  const [before] = await db.select().from(audios).where(eq(audios.id, audio.id));
  const { id } = await give(`audio/${audio.id}`, { kind: 'consent' });
  expect(await isPublic(audio.id)).toBe(false);
  expect(await site.catalogue.findAudio(audio.slug)).toBeUndefined();
  const row = (await desk.listNotices(june, 'audio', { limit: 50 })).items.find((one) => one.id === id);
  expect(row).toMatchObject({ state: 'hidden', kind: 'consent', reports: 1, clock: { left: 7, over: 0 } });
  await decide(id, 'keep');
  const [after] = await db.select().from(audios).where(eq(audios.id, audio.id));
  expect({ ...after, updatedAt: before?.updatedAt }).toEqual(before);
});

test('two notices of one kind are decided together; another one keeps hidden what the first would show', async () => {
  const audio = await ownAudio();
  const [one, two] = [await give(`audio/${audio.id}`), await give(`audio/${audio.id}`)];
  const other = await give(`audio/${audio.id}`, { kind: 'minor' });
  await decide(one.id, 'keep');
  expect(await site.notices.findNoticeState(two.token)).toMatchObject({ isHidden: false });
  expect(await db.$count(noticeDecisions, eq(noticeDecisions.noticeId, two.id))).toBe(1);
  expect(await isPublic(audio.id)).toBe(false);
  await decide(other.id, 'keep');
  expect(await isPublic(audio.id)).toBe(true);
});

test('removed, taken back within ten seconds, and removed again with reasons to both sides', async () => {
  const audio = await ownAudio();
  const { id, token } = await give(`audio/${audio.id}`);
  await later();
  mails.length = 0;
  const first = await decide(id, 'remove');
  expect((await db.select().from(audios).where(eq(audios.id, audio.id)))[0]?.deletedAt).not.toBeNull();
  expect(await desk.undoNoticeDecision(june, first)).toEqual({ ok: true });
  expect(await isPublic(audio.id)).toBe(true);
  await later();
  expect(mails).toEqual([]);

  const second = await decide(id, 'remove');
  expect(await site.notices.findNoticeState(token)).toMatchObject({ decision: null });
  await later();
  expect(await desk.undoNoticeDecision(june, second)).toEqual({ ok: false, reason: 'too-late' });
  expect(mails.map(({ to }) => to).toSorted()).toEqual([audio.ownerEmail, 'ruth@adeyemi.example'].toSorted());
  for (const { text } of mails)
    expect(text).toMatch(
      /It was removed for everyone\.[^]*Because of this\.[^]*Rules of the site[^]*No automatic means/,
    );
  // The creator is not told who reported it.
  expect(mails.find(({ to }) => to === audio.ownerEmail)?.text).not.toMatch(/ruth|adeyemi/i);
  expect(await site.notices.findNoticeState(token)).toMatchObject({ decision: { verb: 'remove' }, canAppeal: true });
  // Decided meanwhile.
  expect(await desk.decideNotice(ada, id, decision('keep'))).toMatchObject({
    ok: false,
    reason: 'decided',
    earlier: { by: 'june.k' },
  });
});

test('each side reads a standard reason in its own language, and own words as they were written', async () => {
  await db.insert(siteSettings).values({ key: languageSetting.key, value: { de: true, fr: true } });
  const audio = await ownAudio();
  await db
    .update(users)
    .set({ preferences: { language: 'de' } })
    .where(eq(users.email, audio.ownerEmail));
  const given = await site.notices.giveNotice(visitor, form(`audio/${audio.id}`), 'fr');
  if (!given.ok) throw new Error('refused');
  const [row] = await db.select().from(notices).where(eq(notices.subjectId, audio.id));
  await later();
  expect(mails.findLast(({ to }) => to === 'ruth@adeyemi.example')?.text).toContain('votre signalement');
  mails.length = 0;
  const choice = decision('keep', { canned: 'free-of-copyright', reasons: 'Wharton died in 1895.' });
  const decided = await inLanguage('es', () => desk.decideNotice(june, row?.id ?? '', choice));
  expect(decided).toMatchObject({ ok: true });
  await later();
  const readBy = (address: string) => mails.find(({ to }) => to === address)?.text;
  const sentence = (of: Language) => inLanguage(of, () => cannedText('free-of-copyright'));
  expect(new Set(languageCodes.map(sentence)).size).toBe(languageCodes.length);
  for (const [address, of] of [
    ['ruth@adeyemi.example', 'fr'],
    [audio.ownerEmail, 'de'],
  ] as const) {
    expect(readBy(address)).toContain(sentence(of));
    expect(readBy(address)).toContain('Wharton died in 1895.');
  }
  expect(await site.notices.findNoticeState(given.token)).toMatchObject({
    decision: { canned: 'free-of-copyright', reasons: 'Wharton died in 1895.', language: 'es' },
  });
  expect(NoticeDecisionForm.safeParse({ verb: 'keep', ground: 'none', canned: 'no-violation' }).success).toBe(true);
  expect(NoticeDecisionForm.safeParse({ verb: 'keep', ground: 'none', reasons: ' ' }).success).toBe(false);
});

test('one appeal of each side, read by someone else; it brings back all that was', async () => {
  const audio = await ownAudio();
  const { id } = await give(`audio/${audio.id}`);
  await later();
  mails.length = 0;
  await decide(id, 'remove');
  await later();
  const owners = /\/report\/([\da-z-]+)/.exec(mails.find(({ to }) => to === audio.ownerEmail)?.text ?? '')?.[1] ?? '';
  expect(await site.notices.findNoticeState(owners)).toMatchObject({ side: 'owner', email: null, canAppeal: true });
  expect(await site.notices.appeal(owners, 'It is mine.')).toEqual({ ok: true });
  expect(await site.notices.appeal(owners, 'Again.')).toEqual({ ok: true });
  expect(await site.notices.findNoticeState(owners)).toMatchObject({
    appeal: { reasons: 'It is mine.', isOpen: true },
  });
  expect(await desk.listAppeals(june)).toMatchObject([{ noticeId: id, isOwn: true }]);
  expect(await desk.listAppeals(ada)).toMatchObject([{ noticeId: id, isOwn: false, side: 'owner' }]);
  expect(await desk.decideNotice(june, id, decision('keep'))).toEqual({ ok: false, reason: 'own-decision' });
  await decide(id, 'keep', ada);
  expect(await isPublic(audio.id)).toBe(true);
  expect(await desk.listAppeals(ada)).toEqual([]);
  await later();
  expect(await site.notices.findNoticeState(owners)).toMatchObject({
    decision: { verb: 'keep', isOfAppeal: true },
    canAppeal: false,
  });
});

test('an appeal is too late after six months', async () => {
  const { id, token } = await give(`audio/${(await ownAudio()).id}`);
  await decide(id, 'keep');
  await later();
  await db
    .update(noticeDecisions)
    .set({ createdAt: sql`now() - interval '6 months 1 day'` })
    .where(eq(noticeDecisions.noticeId, id));
  expect(await site.notices.appeal(token, 'Late.')).toEqual({ ok: false, reason: 'too-late' });
});

test('what is overdue hides itself, and the operator is told once', async () => {
  const audio = await ownAudio();
  const { id } = await give(`audio/${audio.id}`);
  await db
    .update(notices)
    .set({ dueAt: sql`now() - interval '1 second'` })
    .where(eq(notices.id, id));
  mails.length = 0;
  await site.notices.doDueNotices();
  await site.notices.doDueNotices();
  expect(await isPublic(audio.id)).toBe(false);
  expect((await db.select().from(notices).where(eq(notices.id, id)))[0]).toMatchObject({ hiddenBy: 'overdue' });
  const { rows } = await db.execute<{ visible: number }>(sql`
    select count(*)::int as visible from notices n join audios a on a.id = n.subject_id
    where n.settled_at is null and n.due_at <= now() and a.published_at is not null`);
  expect(rows).toEqual([{ visible: 0 }]);
  await decide(id, 'hide');
  expect(await isPublic(audio.id)).toBe(false);
});

test.each(['voice', 'user', 'user-playlist', 'comment'] as const)('a %s is hidden and shown again', async (type) => {
  const author = await createViewer(db);
  const audio = await ownAudio();
  const made = {
    voice: async () => audio.voiceId,
    user: async () => author.id,
    'user-playlist': async () => (await createUserPlaylist(db, { userId: author.id, isPublic: true })).id,
    comment: async () => {
      const outcome = await site.community.writeComment(author, audio.id, {
        text: `Words ${newId()}`,
        parentId: undefined,
      });
      if (!outcome.ok) throw new Error(outcome.reason);
      return outcome.comment.id;
    },
  };
  const subjectId = await made[type]();
  const isShown = {
    voice: async () => (await db.select().from(voices).where(eq(voices.id, subjectId)))[0]?.hiddenAt === null,
    user: async () => (await site.identity.findPublicProfile(subjectId)) !== undefined,
    'user-playlist': async () =>
      (await db.select().from(userPlaylists).where(eq(userPlaylists.id, subjectId)))[0]?.isPublic === true,
    comment: async () =>
      (await site.community.listComments(visitor, { id: audio.id, commentsDisabled: false }, { limit: 9 })).items
        .length === 1,
  };
  expect(await isShown[type]()).toBe(true);
  const { id } = await give(`${type}/${subjectId}`);
  await decide(id, 'hide');
  expect(await isShown[type]()).toBe(false);
  // Its owner cannot show it again.
  if (type === 'user-playlist') {
    await db.update(userPlaylists).set({ isPublic: true }).where(eq(userPlaylists.id, subjectId));
    expect(await isShown[type]()).toBe(false);
  }
  await later();
  const token = /\/report\/([\da-z-]+)/.exec(
    mails.findLast(({ to }) => to === 'ruth@adeyemi.example')?.text ?? '',
  )?.[1];
  await site.notices.appeal(token ?? '', 'No.');
  await decide(id, 'keep', ada);
  expect(await isShown[type]()).toBe(true);
});

test('reported comments are notices, decided as before', async () => {
  const audio = await ownAudio();
  const author = await createViewer(db);
  const outcome = await site.community.writeComment(author, audio.id, { text: 'A shop.', parentId: undefined });
  if (!outcome.ok) throw new Error(outcome.reason);
  const { id: commentId } = outcome.comment;
  await site.community.reportComment(await createViewer(db), commentId, { reason: 'spam' });
  const find = async () =>
    (await desk.listNotices(june, 'comment', { limit: 50 })).items.find(({ text }) => text === 'A shop.');
  expect(await find()).toMatchObject({ kind: 'rules', reports: 1, state: 'visible', clock: { left: 7 } });
  const id = (await find())?.id ?? '';
  expect(await desk.findNotice(june, id)).toMatchObject({ ofReports: true, subject: { id: commentId } });
  expect(await desk.decideNotice(june, id, decision('keep'))).toMatchObject({ reason: 'not-found' });
  const decided = await site.admin.people.decideReport(june, commentId, {
    verb: 'remove',
    note: undefined,
    notifiesOwners: false,
    paysBack: false,
  });
  expect(await find()).toBeUndefined();
  if (!decided.ok) throw new Error(decided.reason);
  await site.admin.people.undoDecision(june, decided.decisionId ?? '');
  expect(await find()).toMatchObject({ id });
  await site.community.deleteComment(author, commentId);
  expect((await desk.countNotices(june)).comment).toBe(0);
  await site.notices.doDueNotices();
  expect(await db.$count(notices, eq(notices.id, id))).toBe(0);
});

test('the reporter’s name is shown on request, which the log notes; a question reaches the creator and their answer the desk', async () => {
  const audio = await ownAudio();
  const { id } = await give(`audio/${audio.id}`);
  expect(JSON.stringify(await desk.findNotice(june, id))).not.toMatch(/adeyemi/i);
  expect(await desk.findReporter(june, id)).toEqual({ name: 'Ruth Adeyemi', email: 'ruth@adeyemi.example' });
  mails.length = 0;
  expect(await desk.askOwner(june, id)).toEqual({ ok: true });
  const token = /\/report\/([\da-z-]+)/.exec(mails[0]?.text ?? '')?.[1] ?? '';
  expect(mails).toMatchObject([{ to: audio.ownerEmail }]);
  expect(await site.notices.answerQuestion(token, 'I can record it again.')).toEqual({ ok: true });
  expect(await desk.findNotice(june, id)).toMatchObject({ asked: { answer: 'I can record it again.' } });
  const acts = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id));
  expect(acts.map(({ action, actorRole }) => `${action} ${actorRole}`).toSorted()).toEqual([
    'notice.answer operator',
    'notice.ask moderator',
    'notice.show-reporter moderator',
  ]);
  await desk.openNotice(june, id);
  expect(await desk.findNotice(ada, id)).toMatchObject({ openedBy: { name: 'june.k' } });
  expect(await desk.findNotice(june, id)).toMatchObject({ openedBy: null });
});

test('name and email go a year after the last decision, unless an appeal waits; the rest stays', async () => {
  const { id, token } = await give(`audio/${(await ownAudio()).id}`);
  const contact = async () => {
    const [row] = await db.select().from(notices).where(eq(notices.id, id));
    return { name: row?.name, email: row?.email, digest: row?.digest !== null };
  };
  const kept = { name: 'Ruth Adeyemi', email: 'ruth@adeyemi.example', digest: true };
  const forget = async (decidedBefore: string) => {
    const at = sql`now() - ${decidedBefore}::interval`;
    await db.update(notices).set({ settledAt: at }).where(eq(notices.id, id));
    await db.update(noticeDecisions).set({ createdAt: at }).where(eq(noticeDecisions.noticeId, id));
    await site.notices.forgetReporters();
    return contact();
  };
  const figures = () => desk.findNoticeReport(ada, String(new Date().getUTCFullYear()));
  await site.notices.forgetReporters();
  expect(await contact()).toEqual(kept);
  await decide(id, 'keep');
  expect(await forget('2 years')).toEqual(kept);
  await later();
  expect(await forget('11 months 29 days')).toEqual(kept);
  await db
    .insert(noticeAppeals)
    .values({ id: newId(), noticeId: id, side: 'owner', reasons: 'No.', dueAt: new Date() });
  expect(await forget('1 year 1 day')).toEqual(kept);
  await db.update(noticeAppeals).set({ settledAt: new Date() }).where(eq(noticeAppeals.noticeId, id));
  const before = await figures();
  expect(await forget('1 year 1 day')).toEqual({ name: null, email: null, digest: false });
  expect(await figures()).toEqual(before);
  expect(await site.notices.findNoticeState(token)).toMatchObject({ email: null, decision: { verb: 'keep' } });
  expect(await desk.findNotice(june, id)).toMatchObject({ hasReporter: false, isSettled: true });
});

test('the desk sees earlier reports by the same email, and how many came from a network, for thirty days', async () => {
  const audio = await ownAudio();
  const from = async (email: string, address: string) => {
    await site.notices.giveNotice(visitor, form(`audio/${audio.id}`, { email }), 'en', address);
    const [row] = await db.select().from(notices).orderBy(desc(notices.number)).limit(1);
    return row?.id ?? '';
  };
  const first = await from('one@example.org', '203.0.113.7');
  await from('two@example.org', '203.0.113.8');
  const last = await from('one@example.org', '203.0.113.8');
  const found = async () => (await desk.findNotice(june, last))?.fromSame;
  expect(await found()).toMatchObject([
    { isSameEmail: false, isSameNetwork: true },
    { id: first, isSameEmail: true, isSameNetwork: false, verb: null },
  ]);
  await decide(last, 'keep');
  expect(await found()).toMatchObject([{ verb: 'keep' }, { verb: 'keep' }]);
  expect(JSON.stringify(await found())).not.toMatch(/example/);
  const { rows } = await db.execute<{ row: string }>(sql`select to_jsonb(n)::text as row from notices n`);
  expect(rows.map(({ row }) => row).join()).not.toContain('203.0.113');
  const pass = async (days: number) => {
    await db.update(notices).set({ createdAt: sql`now() - make_interval(days => ${days})` });
    await site.notices.forgetReporters();
    return db.$count(notices, sql`network is not null`);
  };
  expect(await pass(29)).toBe(3);
  expect(await pass(31)).toBe(0);
});

test('ten reports from one network are received in a day; the same one again is none', async () => {
  const audio = await ownAudio();
  const send = (sent: ReportContent) => site.notices.giveNotice(visitor, sent, 'en', '198.51.100.1');
  const first = form(`audio/${audio.id}`);
  expect(await send(first)).toMatchObject({ ok: true });
  for (let count = 2; count <= 10; count += 1)
    expect(await send(form(`audio/${audio.id}`))).toMatchObject({ ok: true });
  expect(await send(form(`audio/${audio.id}`))).toMatchObject({ ok: false, reason: 'too-many' });
  expect(await send(first)).toMatchObject({ ok: true });
  expect(await send(form(''))).toMatchObject({ reason: 'faults' });
});

test('a user finds their own report about the same content, and nobody else does', async () => {
  const audio = await ownAudio();
  const [viewer, other] = [await createViewer(db), await createViewer(db)];
  const given = await site.notices.giveNotice(viewer, form(`audio/${audio.id}`), 'en');
  const subject = await site.notices.findSubject(`audio/${audio.id}`);
  if (subject === undefined || !given.ok) throw new Error('refused');
  expect(await site.notices.findOwnReport(viewer, subject)).toMatchObject({
    token: given.token,
    number: expect.stringMatching(/^N-/),
  });
  expect(await site.notices.findOwnReport(viewer, `audio/${audio.id}`)).toMatchObject({ token: given.token });
  expect(await site.notices.findOwnReport(viewer, 'audio/nothing')).toBeUndefined();
  expect(await site.notices.findOwnReport(viewer, `comment/${audio.id}`)).toBeUndefined();
  expect(await site.notices.findOwnReport(other, subject)).toBeUndefined();
  expect(await site.notices.findOwnReport(viewer, { ...subject, id: newId() })).toBeUndefined();
});

test('owners find the notices against their audio that they know of, with their private page; nobody else does', async () => {
  const audio = await ownAudio();
  const owner: User = { ...(await createViewer(db)), voiceRoles: { [audio.voiceId]: 'owner' } };
  const editor: User = { ...(await createViewer(db)), voiceRoles: { [audio.voiceId]: 'editor' } };
  const list = (actor: User = owner) => site.notices.listAgainst(actor, audio.id);
  const { id } = await give(`audio/${audio.id}`);
  expect(await list()).toEqual([]);
  await desk.askOwner(june, id);
  expect(await list()).toMatchObject([{ isAsked: true, isHidden: false, verb: null, appealUntil: null }]);
  expect([await list(editor), await list(ada)]).toEqual([[], []]);
  const [{ token = '' } = {}] = await list();
  expect(await site.notices.findNoticeState(token)).toMatchObject({ side: 'owner' });
  await decide(id, 'hide');
  // Until its mails leave, a decision can be undone.
  expect(await list()).toEqual([]);
  await later();
  expect(await list()).toMatchObject([{ isAsked: false, verb: 'hide', appealUntil: expect.any(Date) }]);
  await site.notices.appeal(token, 'It is mine.');
  expect(await list()).toMatchObject([{ appealUntil: null }]);
  await db
    .update(noticeDecisions)
    .set({ createdAt: sql`now() - interval '7 months'` })
    .where(eq(noticeDecisions.noticeId, id));
  expect(await list()).toEqual([]);
  await give(`audio/${(await ownAudio()).id}`, { kind: 'minor' });
  expect(await list()).toEqual([]);
});

test('a case of the site itself hides the audio at once', async () => {
  const audio = await ownAudio();
  await db.transaction((tx) =>
    site.notices.openCase(tx, {
      audioId: audio.id,
      kind: 'consent',
      details: 'A person heard took their consent back.',
    }),
  );
  expect(await isPublic(audio.id)).toBe(false);
});

test('holidays of the operator count for new notices', async () => {
  const days = Array.from({ length: 9 }, (_, at) => new Date(Date.now() + at * 86_400_000).toISOString().slice(0, 10));
  await db.insert(siteSettings).values({ key: 'notices', value: { holidays: days } });
  await site.settings.refresh();
  const { id } = await give(`audio/${(await ownAudio()).id}`);
  const [row] = await db.select().from(notices).where(eq(notices.id, id));
  expect((row?.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(15 * 86_400_000);
  expect(operator.kind).toBe('operator');
});
