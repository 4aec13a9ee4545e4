import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { inLanguage } from '#i18n';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readRows } from '#test/support/read-rows.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { audios, voices } from '../catalogue/tables.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import type { MailMessage } from '../gateways.ts';
import { users } from '../identity/tables.ts';
import { operator } from '../kernel/actor.ts';
import { auditEntries } from '../kernel/audit.ts';
import { newId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { eraseUser, exportUser } from '../privacy/personal-data.ts';
import { agreementBlocks, findRights, verificationStateOf } from './rules.ts';
import { voiceVerifications } from './tables.ts';

const { db } = await createTestDatabase();
const mails: MailMessage[] = [];
const site = await openTestSite(db, undefined, undefined, mails, { operator: { email: 'operator@example.org' } });

const today = new Date().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const check = { method: 'Video call', reference: '06-112', checkedOn: today, until: inDays(365) };

async function ownedVoice(role: 'owner' | 'editor' = 'owner') {
  const voice = await createVoice(db, { name: `Maren ${newId().slice(-4)}` });
  const { id } = await createUser(db);
  const email = `${id}@example.org`;
  await db.update(users).set({ email }).where(eq(users.id, id));
  await setVoiceOwner(db, voice.id, id, true);
  const actor: User = { kind: 'user', id, isSubscribed: false, isComplete: true, voiceRoles: { [voice.id]: role } };
  return { voice, actor, email };
}

const stateOf = async (voiceId: string) => (await site.verification.findVerification(voiceId)).state;

test.each([
  [{ decision: null, verifiedUntil: null, askAgainOn: null, isAsked: false }, 'none', true, false, true],
  [{ decision: null, verifiedUntil: null, askAgainOn: null, isAsked: true }, 'waiting', false, false, true],
  [
    { decision: 'verified', verifiedUntil: '2027-01-01', askAgainOn: null, isAsked: false },
    'verified',
    false,
    false,
    false,
  ],
  [
    { decision: 'verified', verifiedUntil: '2026-12-30', askAgainOn: null, isAsked: false },
    'ends-soon',
    true,
    false,
    true,
  ],
  [
    { decision: 'verified', verifiedUntil: '2026-11-30', askAgainOn: null, isAsked: true },
    'ends-soon',
    false,
    false,
    true,
  ],
  [{ decision: 'verified', verifiedUntil: '2026-11-29', askAgainOn: null, isAsked: false }, 'none', true, false, true],
  [
    { decision: 'verified', verifiedUntil: '2026-11-29', askAgainOn: null, isAsked: true },
    'waiting',
    false,
    false,
    true,
  ],
  [{ decision: 'refused', verifiedUntil: null, askAgainOn: null, isAsked: false }, 'refused', false, true, false],
  [
    { decision: 'refused', verifiedUntil: null, askAgainOn: '2026-12-01', isAsked: false },
    'refused',
    false,
    true,
    false,
  ],
  [{ decision: 'refused', verifiedUntil: null, askAgainOn: '2026-11-30', isAsked: false }, 'refused', true, true, true],
  [{ decision: 'withdrawn', verifiedUntil: null, askAgainOn: null, isAsked: false }, 'withdrawn', false, true, false],
  [{ decision: 'withdrawn', verifiedUntil: null, askAgainOn: null, isAsked: true }, 'waiting', false, false, false],
] as const)('%j is %s', (facts, state, mayAsk, mayAppeal, mayBeChecked) => {
  expect(verificationStateOf(facts, '2026-11-30')).toBe(state);
  expect(findRights(facts, '2026-11-30')).toEqual({ mayAsk, mayAppeal, mayBeChecked });
});

test('an owner asks, an operator records, and only the owner and the operator are told', async () => {
  const { voice, actor, email } = await ownedVoice();
  expect(await stateOf(voice.id)).toBe('none');
  expect(await site.verification.countWaitingForOwners(voice.id)).toBe(0);
  mails.length = 0;
  expect(await site.verification.askForVerification(actor, voice.id, {})).toEqual({ ok: true });
  expect(await site.verification.askForVerification(actor, voice.id, {})).toMatchObject({ reason: 'not-now' });
  expect(await site.verification.findVerification(voice.id)).toMatchObject({ state: 'waiting', askedFrom: email });
  const { items } = await site.admin.content.listVoices(operator, { state: 'asking', limit: 100 });
  expect(items.map(({ id }) => id)).toContain(voice.id);
  expect(await site.admin.content.recordCheck(operator, voice.id, check)).toEqual({ ok: true });
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['operator@example.org', `${voice.name} asks for verification`],
    [email, `${voice.name} is verified`],
  ]);
  expect(await site.verification.findVerification(voice.id)).toMatchObject({
    state: 'verified',
    method: 'Video call',
    reference: '06-112',
    until: check.until,
    askedAt: null,
  });
  const log = await db.select().from(auditEntries).where(eq(auditEntries.voiceId, voice.id));
  expect(log.map(({ action, actorRole }) => [action, actorRole])).toEqual([
    ['verification.ask', 'owner'],
    ['verification.record', 'operator'],
  ]);
});

test('others neither ask nor decide', async () => {
  const { voice, actor } = await ownedVoice('editor');
  const stranger: User = { kind: 'user', id: newId(), isSubscribed: false, isComplete: true };
  expect(await site.verification.askForVerification(actor, voice.id, {})).toMatchObject({ reason: 'owners-only' });
  expect(await site.verification.askForVerification(stranger, voice.id, {})).toMatchObject({ reason: 'not-found' });
  for (const one of [actor, stranger]) {
    expect(await site.admin.content.recordCheck(one, voice.id, check)).toMatchObject({ reason: 'not-found' });
    expect(
      await site.admin.content.refuseVerification(one, voice.id, { reason: 'No', askAgainOn: null }),
    ).toMatchObject({
      reason: 'not-found',
    });
    expect(await site.admin.content.withdrawVerification(one, voice.id, { reason: 'No' })).toMatchObject({
      reason: 'not-found',
    });
  }
  expect(await db.$count(voiceVerifications, eq(voiceVerifications.voiceId, voice.id))).toBe(0);
});

test('a withdrawal hides the creator with all audios, and the next check shows them again', async () => {
  const { voice, actor } = await ownedVoice();
  const audio = await createAudio(db, { voiceId: voice.id });
  expect(await site.admin.content.withdrawVerification(operator, voice.id, { reason: 'Another name' })).toEqual({
    ok: false,
    reason: 'not-verified',
  });
  await site.admin.content.recordCheck(operator, voice.id, check);
  await site.admin.content.withdrawVerification(operator, voice.id, { reason: 'Another name' });
  const isPublic = async () => {
    const [row] = await db.select({ at: audios.publishedAt }).from(audios).where(eq(audios.id, audio.id));
    return row?.at !== null;
  };
  expect([await stateOf(voice.id), await isPublic()]).toEqual(['withdrawn', false]);
  const appeal = 'It is the name that I was born with.';
  expect(await site.verification.askForVerification(actor, voice.id, {})).toMatchObject({ reason: 'not-now' });
  expect(await site.verification.askForVerification(actor, voice.id, { appeal })).toEqual({ ok: true });
  expect(mails.at(-1)?.text).toContain(appeal);
  // A refused appeal changes nothing about the hiding.
  await site.admin.content.refuseVerification(operator, voice.id, { reason: 'Still another', askAgainOn: null });
  expect([await stateOf(voice.id), await isPublic()]).toEqual(['refused', false]);
  await site.admin.content.recordCheck(operator, voice.id, check);
  expect([await stateOf(voice.id), await isPublic()]).toEqual(['verified', true]);
});

test('a creator who was hidden for another reason stays hidden', async () => {
  const { voice } = await ownedVoice();
  await db.update(voices).set({ hiddenAt: new Date() }).where(eq(voices.id, voice.id));
  await site.admin.content.recordCheck(operator, voice.id, check);
  await site.admin.content.withdrawVerification(operator, voice.id, { reason: 'Another name' });
  await site.admin.content.recordCheck(operator, voice.id, check);
  const [row] = await db.select({ hiddenAt: voices.hiddenAt }).from(voices).where(eq(voices.id, voice.id));
  expect(row?.hiddenAt).not.toBeNull();
});

test('owners are reminded once of each end, 30 days before', async () => {
  const { voice, email } = await ownedVoice();
  await site.admin.content.recordCheck(operator, voice.id, { ...check, until: inDays(31) });
  const toOwner = () => mails.filter(({ to, subject }) => to === email && subject.includes('ends on')).length;
  await site.verification.remindOfEnds();
  expect(toOwner()).toBe(0);
  await site.admin.content.recordCheck(operator, voice.id, { ...check, until: inDays(30) });
  expect(await site.verification.countWaitingForOwners(voice.id)).toBe(1);
  await site.verification.remindOfEnds();
  await site.verification.remindOfEnds();
  expect(toOwner()).toBe(1);
  await site.admin.content.recordCheck(operator, voice.id, { ...check, until: inDays(20) });
  await site.verification.remindOfEnds();
  expect(toOwner()).toBe(2);
});

test('new paragraphs are marked, and nothing is at the first agreement', () => {
  const former = '## 1. Yours\n\nYou keep all rights.';
  const next = '## 1. Yours\r\n\r\nYou keep all rights.\n\n## 2. Others\n\nYou name\neveryone.';
  expect(agreementBlocks(next.replaceAll('\r\n', '\n'), former)).toEqual([
    { kind: 'heading', text: '1. Yours', isNew: false },
    { kind: 'paragraph', text: 'You keep all rights.', isNew: false },
    { kind: 'heading', text: '2. Others', isNew: true },
    { kind: 'paragraph', text: 'You name everyone.', isNew: true },
  ]);
  expect(agreementBlocks(former, undefined).some(({ isNew }) => isNew)).toBe(false);
});

test('owners agree to the version that they read, with its words and the time', async () => {
  const { voice, actor } = await ownedVoice();
  expect(await site.verification.findAgreement(voice.id)).toBeUndefined();
  const first = 'You keep all rights at {site}.';
  expect(await site.admin.texts.publishAgreement(operator, { text: first, version: 1 })).toEqual({ ok: true });
  expect(await site.admin.texts.publishAgreement(operator, { text: 'Other', version: 1 })).toMatchObject({
    reason: 'changed',
  });
  expect(await site.verification.countWaitingForOwners(voice.id)).toBe(1);
  const admin: User = { ...actor, isAdmin: true, voiceRoles: {} };
  const editor: User = { ...actor, voiceRoles: { [voice.id]: 'editor' } };
  for (const one of [admin, editor, operator])
    expect(await site.verification.acceptAgreement(one, voice.id, 1)).toMatchObject({ reason: 'owners-only' });
  expect(await site.verification.acceptAgreement(actor, voice.id, 1)).toEqual({ ok: true });
  expect(await site.verification.acceptAgreement(actor, voice.id, 1)).toEqual({ ok: true });
  expect(await site.verification.countWaitingForOwners(voice.id)).toBe(0);
  expect(await site.verification.findAgreement(voice.id)).toMatchObject({
    version: 1,
    isWaiting: false,
    accepted: [{ version: 1 }],
  });
  await site.admin.texts.publishAgreement(operator, { text: `${first}\n\nYou name everyone.`, version: 2 });
  expect(await site.verification.acceptAgreement(actor, voice.id, 1)).toMatchObject({ reason: 'changed' });
  const waiting = await site.verification.findAgreement(voice.id);
  expect(waiting).toMatchObject({
    version: 2,
    isWaiting: true,
    blocks: [
      { text: 'You keep all rights at Sotto.', isNew: false },
      { text: 'You name everyone.', isNew: true },
    ],
  });
  // In another language it is compared with the former version in that language.
  await db.execute(sql`insert into translations (kind, subject, field, language, text, source) values
    ('agreement', '1', 'text', 'de', 'Alle Rechte bleiben bei dir.', ''),
    ('agreement', '2', 'text', 'de', E'Alle Rechte bleiben bei dir.\n\nDu nennst alle.', '')`);
  await site.settings.refresh();
  const inGerman = await inLanguage('de', () => site.verification.findAgreement(voice.id));
  expect(inGerman?.blocks.map(({ text, isNew }) => [text, isNew])).toEqual([
    ['Alle Rechte bleiben bei dir.', false],
    ['Du nennst alle.', true],
  ]);
  await inLanguage('de', () => site.verification.acceptAgreement(actor, voice.id, 2));
  const { rows } = await db.execute(sql`select version, language, text from agreement_acceptances
    where voice_id = ${voice.id} order by version`);
  expect(rows).toEqual([
    { version: 1, language: 'en', text: 'You keep all rights at Sotto.' },
    { version: 2, language: 'de', text: 'Alle Rechte bleiben bei dir.\n\nDu nennst alle.' },
  ]);
});

test('the record outlives the account of the one who asked, without their words', async () => {
  const { voice, actor } = await ownedVoice();
  await site.admin.content.recordCheck(operator, voice.id, check);
  await site.admin.content.withdrawVerification(operator, voice.id, { reason: 'Another name' });
  await site.verification.askForVerification(actor, voice.id, { appeal: 'Mine from birth' });
  await site.verification.acceptAgreement(actor, voice.id, 2);
  const { verifications, agreements } = await exportUser(db, actor.id, 'secret');
  expect(await readRows(verifications)).toMatchObject([{ creator: voice.name, appeal: 'Mine from birth' }]);
  expect(await readRows(agreements)).toMatchObject([{ creator: voice.name, version: 2 }]);
  await eraseUser(db, actor.id);
  expect(await site.verification.findVerification(voice.id)).toMatchObject({ appeal: null, askedFrom: null });
  expect(await site.verification.findAgreement(voice.id)).toMatchObject({ accepted: [{ version: 2, by: null }] });
});
