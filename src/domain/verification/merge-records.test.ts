import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { ChainSettings, chainSetting, findChainGap } from '../catalogue/editing/chain.ts';
import { audios } from '../catalogue/tables.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { siteSettings } from '../settings/tables.ts';
import { newConsentToken } from './consents.ts';
import { agreementAcceptances, consents, performers } from './tables.ts';

const { db } = await createTestDatabase();
const { admin, verification, studio } = await openTestSite(db);
const { content } = admin;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const check = { method: 'Video call', reference: '06-112', checkedOn: inDays(-1), until: inDays(300) };

beforeEach(() => need({}));
async function need(settings: Partial<ChainSettings>) {
  const value = ChainSettings.parse(settings);
  await db
    .insert(siteSettings)
    .values({ key: chainSetting.key, value })
    .onConflictDoUpdate({ target: siteSettings.key, set: { value } });
}

async function newVoice() {
  const voice = await createVoice(db, { name: `Holt ${newId().slice(-6)}` });
  const { id } = await createUser(db);
  await setVoiceOwner(db, voice.id, id, true);
  const actor: User = { kind: 'user', id, isSubscribed: false, isComplete: true, voiceRoles: { [voice.id]: 'owner' } };
  return { ...voice, actor };
}
type Voice = Awaited<ReturnType<typeof newVoice>>;

const merge = (from: Voice, to: Voice) => content.mergeVoice(operator, from.id, { into: to.id, name: from.name });
const recordOf = async (voiceId: string) => {
  const { state, reference, until } = await verification.findVerification(voiceId);
  return { state, reference, until };
};
const isPublic = async (id: string) => {
  const [row] = await db.select({ at: audios.publishedAt }).from(audios).where(eq(audios.id, id));
  return row !== undefined && row.at !== null;
};

type Act = (voice: Voice) => Promise<unknown>;
const none: Act = async () => {};
const verified = (more: Partial<typeof check>) => async (voice: Voice) =>
  expect(await content.recordCheck(operator, voice.id, { ...check, ...more })).toEqual({ ok: true });
const refused: Act = async (voice) => {
  await verification.askForVerification(voice.actor, voice.id, {});
  await content.refuseVerification(operator, voice.id, { reason: 'No answer', askAgainOn: null });
};
const over = verified({ reference: 'over', until: inDays(-1), checkedOn: inDays(-300) });
const asked: Act = (voice) => verification.askForVerification(voice.actor, voice.id, {});

test.each<[string, Act, string, Act, object]>([
  ['a check', verified({ reference: 'A' }), 'none', none, { state: 'verified', reference: 'A', until: check.until }],
  ['a check', verified({ reference: 'A' }), 'a request', asked, { state: 'verified', reference: 'A' }],
  [
    'a check',
    verified({ reference: 'A' }),
    'its own',
    verified({ reference: 'B' }),
    { state: 'verified', reference: 'B' },
  ],
  ['a check', verified({ reference: 'A' }), 'one that is over', over, { state: 'verified', reference: 'A' }],
  ['a check', verified({ reference: 'A' }), 'a refusal', refused, { state: 'refused', reference: null }],
  ['a refusal', refused, 'none', none, { state: 'refused' }],
  ['a refusal', refused, 'one that is over', over, { state: 'none', reference: 'over' }],
  ['a refusal', refused, 'its own', verified({ reference: 'B' }), { state: 'verified', reference: 'B' }],
  ['a request', asked, 'none', none, { state: 'waiting' }],
  ['none', none, 'its own', verified({ reference: 'B' }), { state: 'verified', reference: 'B' }],
])('%s merged into a creator with %s: %#', async (_one, mine, _other, theirs, expected) => {
  const [from, to] = [await newVoice(), await newVoice()];
  await mine(from);
  await theirs(to);
  expect(await merge(from, to)).toMatchObject({ ok: true });
  expect(await recordOf(to.id)).toMatchObject(expected);
});

test('what was public stays so with the check that it had, and waits as a draft without one', async () => {
  await need({ creators: true });
  const [from, to, last] = [await newVoice(), await newVoice(), await newVoice()];
  await verified({ reference: 'A' })(from);
  const audio = await createAudio(db, { voiceId: from.id });
  const own = await createAudio(db, { voiceId: last.id });
  expect(await merge(from, to)).toEqual({ ok: true, held: 0 });
  expect([await isPublic(audio.id), await findChainGap(db, audio.id)]).toEqual([true, undefined]);
  await refused(last);
  expect(await merge(to, last)).toEqual({ ok: true, held: 1 });
  expect([await isPublic(audio.id), await findChainGap(db, audio.id)]).toEqual([false, 'not-verified']);
  // Online before anybody asked for a check, and not moved.
  expect(await isPublic(own.id)).toBe(true);
  expect(await studio.publishAudio(operator, audio.id)).toMatchObject({ reason: 'incomplete-chain' });
});

test('audios that a withdrawal hid are not shown by another creator', async () => {
  const [from, to] = [await newVoice(), await newVoice()];
  await verified({})(from);
  const audio = await createAudio(db, { voiceId: from.id });
  await content.withdrawVerification(operator, from.id, { reason: 'Somebody else' });
  await verified({ reference: 'B' })(to);
  expect(await merge(from, to)).toEqual({ ok: true, held: 1 });
  expect(await isPublic(audio.id)).toBe(false);
  expect(await recordOf(to.id)).toMatchObject({ state: 'verified', reference: 'B' });
  expect(await studio.publishAudio(operator, audio.id)).toMatchObject({ ok: true });
});

test('an agreement moves with its owner, and one of the same owner stays where it was', async () => {
  await admin.texts.publishAgreement(operator, { text: '## 1. Yours\n\nAll of it.', version: 1 });
  await need({ agreement: true });
  const [from, to] = [await newVoice(), await newVoice()];
  const both: User = { ...from.actor, voiceRoles: { [from.id]: 'owner', [to.id]: 'owner' } };
  const audio = await createAudio(db, { voiceId: to.id });
  expect(await findChainGap(db, audio.id)).toBe('agreement');
  expect(await verification.acceptAgreement(both, from.id, 1)).toEqual({ ok: true });
  expect(await verification.acceptAgreement(both, to.id, 1)).toEqual({ ok: true });
  await merge(from, to);
  const count = (voiceId: string) => db.$count(agreementAcceptances, eq(agreementAcceptances.voiceId, voiceId));
  expect([await count(from.id), await count(to.id)]).toEqual([1, 1]);
  const next = await newVoice();
  const later = await createAudio(db, { voiceId: next.id });
  await merge(to, next);
  expect([await count(next.id), await findChainGap(db, later.id)]).toEqual([1, undefined]);
});

async function performerIn(voice: Voice, email: string, until?: string) {
  const audio = await createAudio(db, { voiceId: voice.id });
  const [known] = await db.select().from(performers).where(eq(performers.email, email));
  const id = known?.voiceId === voice.id ? known.id : newId();
  const { token, tokenHash } = newConsentToken();
  const record = until === undefined ? {} : { method: 'Call', reference: `until ${until}`, verifiedUntil: until };
  await db
    .insert(performers)
    .values({ id, voiceId: voice.id, email, name: 'Hanna', ...record })
    .onConflictDoNothing();
  await db
    .insert(consents)
    .values({ audioId: audio.id, performerId: id, tokenHash, linkUntil: new Date(Date.now() + 86_400_000) });
  const form = { recorded: true, published: true, downloaded: true, name: 'Hanna' };
  expect(await verification.answerConsent(token, { act: 'give', form })).toMatchObject({ ok: true });
  return { audio, id, token };
}

test('performers move with their consents, and one with the same email becomes one', async () => {
  await need({ consents: true, performers: true });
  const [from, to] = [await newVoice(), await newVoice()];
  const email = `${newId()}@example.org`;
  const mine = await performerIn(from, email, inDays(200));
  const alone = await performerIn(from, `${newId()}@example.org`, inDays(20));
  const theirs = await performerIn(to, email, inDays(100));
  expect(await merge(from, to)).toEqual({ ok: true, held: 0 });
  const rows = await db.select().from(performers).where(eq(performers.voiceId, to.id));
  expect(rows.map(({ id, verifiedUntil }) => [id, verifiedUntil]).toSorted()).toEqual(
    [
      [theirs.id, inDays(200)],
      [alone.id, inDays(20)],
    ].toSorted(),
  );
  expect(await db.$count(performers, eq(performers.voiceId, from.id))).toBe(0);
  for (const { audio } of [mine, alone, theirs]) expect(await findChainGap(db, audio.id)).toBeUndefined();
  // The link goes on working, for the one audio.
  expect(await verification.answerConsent(mine.token, { act: 'refuse' })).toMatchObject({ ok: true });
  expect([await isPublic(mine.audio.id), await isPublic(theirs.audio.id)]).toEqual([false, true]);
});

test('the archive of a moved audio has what stayed with its former creator', async () => {
  const [from, to] = [await newVoice(), await newVoice()];
  await verified({ reference: 'A' })(from);
  await verified({ reference: 'B' })(to);
  const audio = await createAudio(db, { voiceId: from.id, publishedAt: null });
  await studio.publishAudio(operator, audio.id);
  await merge(from, to);
  const chain = await content.findChain(operator, audio.id);
  expect(chain?.creator).toMatchObject({
    name: to.name,
    verification: { reference: 'B' },
    former: [{ name: from.name, verification: { state: 'verified', reference: 'A' } }],
  });
  expect(chain?.acts.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['verification.record', 'audio.publish', 'voice.merge']),
  );
});
