import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { lockPayouts, setPayoutPool } from '../admin/money/payout-changes.ts';
import { findPayouts } from '../admin/money/payouts.ts';
import { credits } from '../catalogue/credits/tables.ts';
import { setVoiceOwner } from '../community/voice-owners.ts';
import type { MailMessage } from '../gateways.ts';
import { users } from '../identity/tables.ts';
import { operator } from '../kernel/actor.ts';
import { newId } from '../kernel/ids.ts';
import type { User } from '../kernel/viewer.ts';
import { answerSplit, findSplits, listAskedSplits, withdrawSplit } from '../studio/splits/splits.ts';
import { findEarnings } from './earnings.ts';
import { exportStatement } from './statement-file.ts';
import { verifyStatement } from './verify-statement.ts';

const { db } = await createTestDatabase();
const mails: MailMessage[] = [];
const { studio } = await openTestSite(db, undefined, undefined, mails);

async function newVoice(name: string) {
  const voice = await createVoice(db, { name: `${name} ${newId()}` });
  const { id } = await createUser(db);
  const email = `${id}@example.org`;
  await db.update(users).set({ email }).where(eq(users.id, id));
  await setVoiceOwner(db, voice.id, id, true);
  const actor = (role: 'owner' | 'editor'): User => ({
    kind: 'user',
    id,
    isSubscribed: false,
    isComplete: true,
    voiceRoles: { [voice.id]: role },
  });
  return { id: voice.id, email, owner: actor('owner'), editor: actor('editor') };
}

async function newAudio(voiceId: string, ...creditedIds: string[]) {
  const audio = await createAudio(db, { voiceId, slug: `audio-${newId()}` });
  for (const [position, id] of creditedIds.entries())
    await db.insert(credits).values({ id: newId(), audioId: audio.id, position, role: 'sound', voiceId: id });
  return audio.id;
}

const hear = (month: string, voiceId: string, audioId: string, milliseconds: number) =>
  db.execute(sql`
    insert into listened_seconds (day, audio_id, voice_id, milliseconds, reports)
    values (${`${month}-05T00:00:00Z`}, ${audioId}, ${voiceId}, ${milliseconds}, 1)`);

async function lock(month: string, pool: number): Promise<void> {
  const revision = (await findPayouts(db, operator, month))?.revision ?? 0;
  expect(await setPayoutPool(db, operator, month, { pool, revision })).toEqual({ ok: true });
  const checksum = (await findPayouts(db, operator, month))?.checksum ?? '';
  expect(await lockPayouts(db, operator, month, { checksum })).toEqual({ ok: true });
}

test('shares count once all have agreed, from that month on, to the cent, and in the statements of all', async () => {
  const [maren, idris, jun] = [await newVoice('Maren'), await newVoice('Idris'), await newVoice('Jun')];
  const audioId = await newAudio(maren.id, idris.id, jun.id);
  const alone = await newAudio(maren.id);
  const shares = [
    { voiceId: maren.id, share: 65 },
    { voiceId: idris.id, share: 30 },
    { voiceId: jun.id, share: 5 },
  ];
  mails.length = 0;
  expect(await studio.proposeSplit(maren.owner, audioId, { shares })).toEqual({ ok: true });
  expect(mails.map(({ to }) => to).toSorted()).toEqual([idris.email, jun.email].toSorted());
  const [asked] = await listAskedSplits(db, idris.owner, idris.id);
  const answer = (by: typeof idris, state: 'agreed' | 'declined', month: string) =>
    answerSplit(
      db,
      by.owner,
      { voiceId: by.id, splitId: asked?.id ?? '' },
      { state },
      new Date(`${month}-28T12:00:00Z`),
    );
  expect(await answer(idris, 'agreed', '2024-01')).toBe(true);
  for (const month of ['2024-01', '2024-02', '2024-03']) {
    await hear(month, maren.id, audioId, 1000);
    await hear(month, maren.id, alone, 1000);
  }
  await lock('2024-01', 2001);
  expect(await findEarnings(db, idris.owner, idris.id, '2024-01')).toMatchObject({ amounts: {}, others: [] });
  // The last one agrees at the end of February, which counts whole; January is not touched.
  expect(await answer(jun, 'agreed', '2024-02')).toBe(true);
  const open = await findEarnings(db, idris.owner, idris.id, '2024-02');
  expect(open?.others).toMatchObject([{ audioId, creator: expect.stringContaining('Maren') }]);
  await lock('2024-02', 2001);
  const of = async (voice: typeof idris, month = '2024-02') =>
    (await findEarnings(db, voice.owner, voice.id, month))?.amounts['usd'] ?? 0;
  const amounts = [await of(maren), await of(idris), await of(jun)];
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(2001);
  expect([amounts[1], amounts[2]]).toEqual([300, 50]);
  for (const voice of [maren, idris, jun]) {
    const text = (await exportStatement(db, voice.owner, voice.id, '2024-02'))?.text ?? '';
    expect(verifyStatement(text)).toMatchObject({ ok: true, lines: voice === maren ? 2 : 1 });
    expect(verifyStatement(text.replace(',1000,', ',2000,'))).toMatchObject({ ok: false });
  }
  // A change asks everyone again, also who loses the share; until then the former one counts.
  const changed = [{ voiceId: maren.id, share: 100 }];
  expect(await studio.proposeSplit(maren.owner, audioId, { shares: changed })).toEqual({ ok: true });
  expect(
    (await findSplits(db, maren.owner, audioId))?.waiting?.parts.map(({ share, state }) => [share, state]),
  ).toEqual([
    [100, 'agreed'],
    [0, 'asked'],
    [0, 'asked'],
  ]);
  await lock('2024-03', 2001);
  expect(await of(idris, '2024-03')).toBe(300);
});

test('shares that are not 100 % in all, or of others than those credited, are refused', async () => {
  const [maren, idris, other] = [await newVoice('Maren'), await newVoice('Idris'), await newVoice('Other')];
  const audioId = await newAudio(maren.id, idris.id);
  const propose = (own: number, share: number, voiceId = idris.id, by = maren.owner) =>
    studio.proposeSplit(by, audioId, {
      shares: [
        { voiceId: maren.id, share: own },
        { voiceId, share },
      ],
    });
  for (const [own, share] of [
    [70, 35],
    [60, 35],
  ] as const)
    expect(await propose(own, share)).toEqual({ ok: false, reason: 'not-whole' });
  expect(await propose(70, 30, other.id)).toEqual({ ok: false, reason: 'not-credited' });
  for (const by of [idris.owner, maren.editor, other.owner])
    expect(await propose(70, 30, idris.id, by)).toEqual({ ok: false, reason: 'not-found' });
  expect(await findSplits(db, maren.editor, audioId)).toBeUndefined();
  expect((await findSplits(db, maren.owner, audioId))?.candidates.map(({ id }) => id)).toEqual([maren.id, idris.id]);
  expect(await findSplits(db, maren.owner, audioId)).toMatchObject({ current: null, waiting: null });
});

test('only owners of the creator who is asked answer; a refusal tells its reason, and a proposal can be taken back', async () => {
  const [maren, idris] = [await newVoice('Maren'), await newVoice('Idris')];
  const audioId = await newAudio(maren.id, idris.id);
  const shares = [
    { voiceId: maren.id, share: 70 },
    { voiceId: idris.id, share: 30 },
  ];
  await studio.proposeSplit(maren.owner, audioId, { shares });
  const splitId = (await listAskedSplits(db, idris.owner, idris.id))[0]?.id ?? '';
  const answer = (by: User, voiceId: string) =>
    answerSplit(db, by, { voiceId, splitId }, { state: 'declined', reason: 'Too little' });
  expect(await answer(maren.owner, idris.id)).toBe(false);
  expect(await answer(idris.editor, idris.id)).toBe(false);
  expect(await listAskedSplits(db, idris.editor, idris.id)).toEqual([]);
  expect(await answer(idris.owner, idris.id)).toBe(true);
  expect((await findSplits(db, maren.owner, audioId))?.waiting?.parts[1]).toMatchObject({
    state: 'declined',
    reason: 'Too little',
  });
  expect(await withdrawSplit(db, idris.owner, audioId)).toBe(false);
  expect(await withdrawSplit(db, maren.owner, audioId)).toBe(true);
  expect(await answer(idris.owner, idris.id)).toBe(false);
  expect(await findSplits(db, maren.owner, audioId)).toMatchObject({ current: null, waiting: null });
});
