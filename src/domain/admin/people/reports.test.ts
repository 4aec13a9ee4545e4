import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createAudio, createUser, createViewer, createVoice } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { mailInto } from '#test/support/servers/mail-box.ts';
import { orderOf } from '#test/support/payments/membership.ts';
import { openPlainPayments } from '#test/support/payments/plain-payments.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { slow } from '#test/support/tags.ts';
import type { MailMessage } from '../../gateways.ts';
import { setVoiceOwner } from '../../community/voice-owners.ts';
import { commentDecisions, comments } from '../../community/tables.ts';
import type { DecisionVerb, ReportReason } from '../../community/rules.ts';
import { openSession } from '../../identity/sessions.ts';
import { users } from '../../identity/tables.ts';
import { auditEntries } from '../../kernel/audit.ts';
import type { User } from '../../kernel/viewer.ts';
import { notifyOfReports } from './report-follow-up.ts';

const { db } = await createTestDatabase();
const mails: MailMessage[] = [];
const plain = openPlainPayments();
const {
  admin: { people },
  community,
  catalogue,
  identity,
  membership,
} = await openTestSite(db, undefined, plain.provider, mails);

const ada: User = { ...(await createViewer(db, { username: 'ada.m', isAdmin: true })), isAdmin: true };
const bo: User = { ...(await createViewer(db, { username: 'bo.k', isAdmin: true })), isAdmin: true };
const old = new Date('2020-01-01');
let listeners = 0;

function newListener(createdAt = old) {
  listeners += 1;
  return createViewer(db, { username: `reader-${listeners}`, email: `reader-${listeners}@example.org`, createdAt });
}

async function newComment(author?: User, text = 'See you soon.') {
  const audio = await createAudio(db);
  const by = author ?? (await newListener());
  const outcome = await community.writeComment(by, audio.id, { text, parentId: undefined });
  if (!outcome.ok) throw new Error(outcome.reason);
  return { audio, author: by, id: outcome.comment.id };
}

async function report(id: string, reason: ReportReason = 'unkind', by?: User): Promise<User> {
  const reporter = by ?? (await newListener());
  expect(await community.reportComment(reporter, id, { reason })).toBe(true);
  return reporter;
}

async function decide(
  id: string,
  verb: DecisionVerb,
  by = ada,
  { notifiesOwners = false, paysBack = verb === 'suspend' } = {},
): Promise<string> {
  const outcome = await people.decideReport(by, id, { verb, note: 'a note', notifiesOwners, paysBack });
  if (!outcome.ok || outcome.decisionId === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.decisionId;
}

async function stateOf(id: string): Promise<string> {
  const [row] = await db.select().from(comments).where(eq(comments.id, id));
  if (row === undefined) return 'gone';
  return `${row.removedAt === null ? 'shown' : row.isHeld ? 'held' : 'removed'}${row.reportedAt === null ? '' : ', reported'}`;
}

/** Moves the due time a minute into the past, then runs the follow-up. */
async function followUp(): Promise<Record<string, string[]>> {
  await db
    .update(commentDecisions)
    // PostgreSQL rounds times to the millisecond, so `now()` may be slightly ahead.
    .set({ followUpAt: sql`now() - interval '1 second'` })
    .where(sql`follow_up_at is not null`);
  mails.length = 0;
  await people.followUpDecisions();
  return Object.fromEntries(
    Object.entries(Object.groupBy(mails, ({ to }) => to)).map(([to, list = []]) => [
      to,
      list.map((one) => one.subject),
    ]),
  );
}

const emailOf = async ({ id }: { id: string }) =>
  (await db.select({ email: users.email }).from(users).where(eq(users.id, id)))[0]?.email ?? '';

test('a reported comment stays until three listeners of a week reported it', async () => {
  const { id, audio } = await newComment();
  await report(id);
  await report(id);
  await report(id, 'spam', await newListener(new Date()));
  expect(await stateOf(id)).toBe('shown, reported');
  await report(id);
  expect(await stateOf(id)).toBe('held, reported');
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ totalComments: 0 });
  await decide(id, 'keep');
  expect(await stateOf(id)).toBe('shown');
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ totalComments: 1 });
  // Settled reports do not count again.
  await report(id);
  expect(await stateOf(id)).toBe('shown, reported');
});

test('a report by an owner of the voice hides the comment at once', async () => {
  const { id, audio } = await newComment();
  const owner = await newListener(new Date());
  await setVoiceOwner(db, audio.voiceId, owner.id, true);
  await report(id, 'threat', owner);
  expect(await stateOf(id)).toBe('held, reported');
  expect(await people.findReport(ada, id)).toMatchObject({
    reports: 1,
    given: [{ reason: 'threat', ofVoice: true, decided: 0, upheld: 0 }],
    thread: [{ id, state: 'held', text: 'See you soon.' }],
    suggestion: undefined,
  });
});

test('the queue is read in pages, the longest waiting first, and only by admins', async () => {
  const first = await newComment(undefined, 'first');
  const second = await newComment(undefined, 'second');
  await report(first.id);
  await report(first.id, 'spam');
  await report(first.id, 'spam');
  await report(second.id);
  await db.execute(sql`update comment_reports set created_at = '2021-01-01' where comment_id = ${first.id}`);
  await db.execute(sql`update comment_reports set created_at = '2021-01-02' where comment_id = ${second.id}`);
  await db.execute(
    sql`update comment_reports set settled_at = settled_at where comment_id in (${first.id}, ${second.id})`,
  );
  const page = await people.listOpenReports(ada, { limit: 1 });
  expect(page.items).toMatchObject([{ id: first.id, text: 'first', reports: 3, reason: 'spam', isHeld: true }]);
  const next = await people.listOpenReports(ada, { limit: 1, cursor: page.nextCursor });
  expect(next.items).toMatchObject([{ id: second.id, reports: 1, reason: 'unkind', isHeld: false }]);
  const listener = await newListener();
  expect(await people.listOpenReports(listener, { limit: 10 })).toEqual({ items: [], nextCursor: undefined });
  expect(await people.findReport(listener, first.id)).toBeUndefined();
  expect(await people.listDecisions(listener, { limit: 10 })).toEqual({ items: [], nextCursor: undefined });
  const form = { verb: 'remove', note: undefined, notifiesOwners: false, paysBack: false } as const;
  expect(await people.decideReport(listener, first.id, form)).toEqual({ ok: false, reason: 'not-found' });
  await expect(people.listDecisions(ada, { limit: 1, cursor: page.nextCursor })).rejects.toMatchObject({
    code: 'request/bad-cursor',
  });
});

test('a decision is made once: who comes second learns who decided what', async () => {
  const { id } = await newComment();
  await report(id);
  const form = { verb: 'remove', note: undefined, notifiesOwners: false, paysBack: false } as const;
  const outcomes = await Promise.all([
    people.decideReport(ada, id, form),
    people.decideReport(bo, id, { ...form, verb: 'keep' }),
  ]);
  const [won, lost] = outcomes[0].ok ? outcomes : outcomes.toReversed();
  expect(won).toMatchObject({ ok: true });
  const by = outcomes[0].ok ? ['ada.m', 'remove'] : ['bo.k', 'keep'];
  expect(lost).toMatchObject({ ok: false, reason: 'decided', earlier: { by: by[0], verb: by[1] } });
  expect(await stateOf(id)).toBe(outcomes[0].ok ? 'removed' : 'shown');
});

test('undoing brings comment and reports back as they were, and each decision is recorded without a name', async () => {
  const { id, author } = await newComment();
  for (let count = 0; count < 3; count += 1) await report(id);
  const decisionId = await decide(id, 'remove');
  expect(await stateOf(id)).toBe('removed');
  expect(await people.undoDecision(bo, decisionId)).toEqual({ ok: true });
  expect(await stateOf(id)).toBe('held, reported');
  expect(await people.undoDecision(bo, decisionId)).toEqual({ ok: false, reason: 'undone' });
  const later = await decide(id, 'keep');
  expect(await people.undoDecision(ada, decisionId)).toEqual({ ok: false, reason: 'undone' });
  const [first, second] = (await people.listDecisions(ada, { limit: 2 })).items;
  expect([first, second]).toMatchObject([
    { id: later, verb: 'keep', canUndo: true, by: 'ada.m' },
    { id: decisionId, verb: 'remove', canUndo: false, undoneAt: expect.any(Date) },
  ]);
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id)).orderBy(auditEntries.id);
  expect(entries.map(({ action, actorId, actorRole }) => [action, actorId, actorRole])).toEqual([
    ['comment.remove', ada.id, 'admin'],
    ['comment.undo', bo.id, 'admin'],
    ['comment.keep', ada.id, 'admin'],
  ]);
  expect(entries[1]).toMatchObject({ before: { decision: 'remove' }, after: { decision: null } });
  expect(JSON.stringify(entries)).not.toContain(author.id);
  expect(JSON.stringify(entries)).not.toContain('See you soon');
});

test('a suspension ends sessions and is lifted by undoing it; admins are not suspended', async () => {
  const { id, author, audio } = await newComment();
  await report(id);
  const session = await openSession(db, author.id, 'a browser');
  const decisionId = await decide(id, 'suspend');
  expect(await identity.findSession(session?.token ?? '')).toBeUndefined();
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ totalComments: 0 });
  expect(await people.undoDecision(ada, decisionId)).toEqual({ ok: true });
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.subjectId, id)).orderBy(auditEntries.id);
  expect(entries).toMatchObject([
    {
      before: { decision: null, removed: false, suspended: false },
      after: { removed: true, suspended: true, unusedDaysPaidBack: true },
    },
    { before: { decision: 'suspend', removed: true, suspended: true }, after: { removed: false, suspended: false } },
  ]);
  expect(await openSession(db, author.id, 'a browser')).toBeDefined();
  expect(await catalogue.findAudio(audio.id)).toMatchObject({ totalComments: 1 });

  const own = await newComment(bo);
  await report(own.id);
  const form = { verb: 'suspend', note: undefined, notifiesOwners: false, paysBack: false } as const;
  expect(await people.decideReport(ada, own.id, form)).toEqual({ ok: false, reason: 'is-admin' });
  expect(await stateOf(own.id)).toBe('shown, reported');
});

test('an author of two comments stays suspended until both decisions are undone', async () => {
  const first = await newComment();
  const second = await newComment(first.author);
  await report(first.id);
  await report(second.id);
  const isSuspended = async () =>
    (await db.select({ at: users.suspendedAt }).from(users).where(eq(users.id, first.author.id)))[0]?.at !== null;
  const one = await decide(first.id, 'suspend');
  const other = await decide(second.id, 'suspend');
  await followUp();
  expect(await people.undoDecision(ada, one)).toEqual({ ok: true });
  expect(await isSuspended()).toBe(true);
  await followUp();
  expect(mails.map(({ text }) => /Your account is open again/.test(text))).toEqual([false]);
  expect(await people.undoDecision(bo, other)).toEqual({ ok: true });
  expect(await isSuspended()).toBe(false);
  await followUp();
  expect(mails.map(({ text }) => /Your account is open again/.test(text))).toEqual([true]);
});

test('a second warning within 90 days suggests a suspension; undone and old ones do not count', async () => {
  const author = await newListener();
  const again = async () => {
    const { id } = await newComment(author);
    await report(id);
    return id;
  };
  expect((await people.findReport(ada, await again()))?.suggestion).toBeUndefined();
  await decide(await again(), 'remove');
  expect((await people.findReport(ada, await again()))?.suggestion).toBe('warn');
  const warned = await decide(await again(), 'warn');
  const found = await people.findReport(ada, await again());
  expect(found).toMatchObject({
    suggestion: 'suspend',
    author: { warnings: 1, reportedBefore: 2, isSuspended: false },
  });
  await db
    .update(commentDecisions)
    .set({ createdAt: sql`now() - interval '91 days'` })
    .where(eq(commentDecisions.id, warned));
  expect(await people.findReport(ada, await again())).toMatchObject({ suggestion: 'warn', author: { warnings: 0 } });
});

test('mails are sent after a minute, to author, reporters and owners; nobody hears of decisions undone in time', async () => {
  await followUp();
  const { id, author, audio } = await newComment();
  const owner = await newListener();
  await setVoiceOwner(db, audio.voiceId, owner.id, true);
  const reporter = await report(id);
  await report(id, 'threat', owner);
  await decide(id, 'warn', ada, { notifiesOwners: true });
  mails.length = 0;
  expect(await people.followUpDecisions()).toBe(0);
  expect(mails).toEqual([]);
  expect(await followUp()).toEqual({
    [await emailOf(author)]: ['A warning about your comment'],
    [await emailOf(reporter)]: ['The comment you reported was removed'],
    [await emailOf(owner)]: [`A reported comment under “${audio.title}”`],
  });
  expect(mails.find(({ subject }) => subject.startsWith('A warning'))?.text).toContain('“See you soon.”');
  expect(JSON.stringify(mails)).not.toContain('a note');
  expect(await followUp()).toEqual({});

  const other = await newComment();
  await report(other.id);
  await people.undoDecision(ada, await decide(other.id, 'remove'));
  expect(await followUp()).toEqual({});
  // Undone after the mails were sent: the author gets a correction.
  const late = await decide(other.id, 'remove');
  await followUp();
  await people.undoDecision(ada, late);
  expect(await followUp()).toEqual({
    [await emailOf(other.author)]: ['A decision about your comment was taken back'],
  });
});

test('a suspension stops the renewal, and a provider that is away is asked again', async () => {
  const { openReports } = await import('./open-people.ts');
  const asked: string[] = [];
  let isAway = true;
  const away = openReports({
    db,
    site: { name: 'Sotto', url: 'https://sotto.example' },
    mail: mailInto(mails),
    operatorEmail: undefined,
    isSubscribed: async () => true,
    renewals: {
      async stopRenewal(userId, paysBack) {
        if (isAway) throw new Error('away');
        asked.push(`stop ${userId} ${paysBack ? 'and pay back' : ''}`);
        return true;
      },
      resumeRenewal: async (userId) => asked.push(`resume ${userId}`),
    },
  });
  await followUp();
  const { id, author } = await newComment();
  await report(id);
  const decisionId = await decide(id, 'suspend');
  await db
    .update(commentDecisions)
    .set({ followUpAt: sql`now() - interval '1 second'` })
    .where(eq(commentDecisions.id, decisionId));
  mails.length = 0;
  await expect(away.followUpDecisions()).rejects.toThrow('away');
  expect([asked, mails]).toEqual([[], []]);
  isAway = false;
  expect(await away.followUpDecisions()).toBe(1);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your account at Sotto is suspended',
    'The comment you reported was removed',
  ]);
  await people.undoDecision(ada, decisionId);
  await away.followUpDecisions();
  expect(asked).toEqual([`stop ${author.id} and pay back`, `resume ${author.id}`]);
  expect((await membership.findSubscriptionState(author.id)).state).toBe('none');
});

test('undoing a suspension resumes only a renewal that it stopped', async () => {
  const endsAfter = async (wasCancelled: boolean) => {
    const { id, author } = await newComment();
    await membership.createSubscription(author.id, orderOf(plain.newCard('good')));
    if (wasCancelled) await membership.cancelSubscription(author.id, undefined);
    await report(id);
    const decisionId = await decide(id, 'suspend', ada, { paysBack: false });
    await followUp();
    const suspended = (await membership.findSubscriptionState(author.id)).state;
    await people.undoDecision(ada, decisionId);
    await followUp();
    return [suspended, (await membership.findSubscriptionState(author.id)).state];
  };
  expect(await endsAfter(false)).toEqual(['ending', 'trialing']);
  expect(await endsAfter(true)).toEqual(['ending', 'ending']);
});

test('the operator is mailed about new reports, at most once an hour', async () => {
  const sentMails: MailMessage[] = [];
  const parts = {
    db,
    site: { name: 'Sotto', url: 'https://sotto.example' },
    mail: mailInto(sentMails),
    operatorEmail: 'desk@example.org',
  };
  const { id } = await newComment();
  await report(id);
  expect(await notifyOfReports({ ...parts, operatorEmail: undefined })).toBe(false);
  expect(await notifyOfReports(parts)).toBe(true);
  expect(sentMails).toMatchObject([
    { to: 'desk@example.org', subject: expect.stringMatching(/^\d+ reported comments? to decide$/) },
  ]);
  await report(id);
  expect(await notifyOfReports(parts)).toBe(false);
  const hourAgo = sql`json_build_object('at', now() - interval '61 minutes')::jsonb`;
  await db.execute(sql`update site_settings set value = ${hourAgo} where key = 'reports_told'`);
  // A failed mail is sent with the next try; once by two processes.
  const failing = {
    ...parts,
    mail: { ...parts.mail, queue: async () => Promise.reject(new Error('The disk is full')) },
  };
  await expect(notifyOfReports(failing)).rejects.toThrow('full');
  const both = [notifyOfReports(parts), notifyOfReports(parts)];
  expect((await Promise.all(both)).toSorted()).toEqual([false, true]);
  expect(sentMails).toHaveLength(2);
  // Nothing new since.
  await db.execute(sql`update comment_reports set created_at = now() - interval '2 hours' where settled_at is null`);
  await db.execute(sql`update site_settings set value = ${hourAgo} where key = 'reports_told'`);
  expect(await notifyOfReports(parts)).toBe(false);
});

test('the first page of a queue of 10,000 reads its index', slow, async () => {
  const audio = await createAudio(db, { voiceId: (await createVoice(db)).id });
  const { id: by } = await createUser(db);
  await db.execute(sql`
    insert into comments (id, audio_id, user_id, text) select gen_random_uuid(), ${audio.id}, ${by}, 'one ' || n
    from generate_series(1, 10000) n`);
  const reporter = await createUser(db);
  await db.execute(sql`
    insert into comment_reports (comment_id, user_id, reason)
    select id, ${reporter.id}, 'spam' from comments where audio_id = ${audio.id}`);
  await db.execute(sql`analyze comments`);
  await db.execute(sql`analyze comment_reports`);
  const page = await people.listOpenReports(ada, { limit: 25 });
  expect(page.items).toHaveLength(25);
  expect(await people.countOpenReports()).toBe(1000);
  const { rows } = await db.execute<Record<string, string>>(sql`
    explain select id from comments where reported_at is not null order by reported_at, id limit 25`);
  expect(rows.map((row) => Object.values(row)[0]).join('\n')).toContain('comments_reported_idx');
});
