import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test } from 'vitest';
import { operator } from '#domain/kernel/actor.ts';
import { newId } from '#domain/kernel/ids.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { addToMonth } from './rules.ts';
import { readPayouts } from './payouts.ts';
import { changeSiteSetting } from './settings.ts';
import { payoutSetting } from './payout-settings.ts';
import { findSetting } from '../settings/change-setting.ts';
import { sumLedger } from './sum-ledger.ts';
import { slow } from '#test/support/tags.ts';

const { db, url } = await createTestDatabase();
const voices = Array.from({ length: 4 }, () => newId());
const audios = Array.from({ length: 9 }, () => newId());

/** The payouts, computed from the ledger alone. */
async function fromLedger(month: string, countsTrials: boolean) {
  const counted = sql.raw(`milliseconds - free_ms${countsTrials ? '' : ' - trial_ms'}`);
  const { rows } = await db.execute<{
    id: string;
    audios: number;
    milliseconds: number;
    free: number;
    trial: number;
  }>(sql`
    select voice_id as id, count(distinct audio_id) filter (where ${counted} > 0)::int as audios,
      sum(${counted})::float8 as milliseconds, sum(free_ms)::float8 as free, sum(trial_ms)::float8 as trial
    from listened_seconds
    where day >= ${`${month}-01`}::timestamp at time zone 'UTC' and day < ${`${addToMonth(month, 1)}-01`}::timestamp at time zone 'UTC'
    group by voice_id order by milliseconds desc, id`);
  return {
    shares: rows
      .filter(({ milliseconds }) => milliseconds > 0)
      .map(({ id, audios: heard, milliseconds }) => ({ id, audios: heard, milliseconds })),
    notCounted: {
      free: rows.reduce((sum, { free }) => sum + free, 0),
      trial: countsTrials ? 0 : rows.reduce((sum, { trial }) => sum + trial, 0),
    },
  };
}

async function shown(month: string) {
  const { shares, notCounted } = await readPayouts(db, month);
  return {
    shares: shares.map(({ voice, audios: heard, milliseconds }) => ({ id: voice.id, audios: heard, milliseconds })),
    notCounted,
  };
}

async function setCountsTrials(countsTrials: boolean): Promise<void> {
  const { revision } = await findSetting(db, payoutSetting);
  await changeSiteSetting(
    db,
    operator,
    { setting: payoutSetting, name: 'Payouts' },
    { value: { countsTrials }, revision },
  );
}

async function expectSums(month: string): Promise<void> {
  for (const countsTrials of [false, true]) {
    await setCountsTrials(countsTrials);
    expect(await shown(month)).toEqual(await fromLedger(month, countsTrials));
  }
}

const addRow = (day: string, voiceId: string, audioId: string, ms: number, free: number, trial: number) => sql`
  insert into listened_seconds as l (day, audio_id, voice_id, milliseconds, trial_ms, free_ms)
  values (${`${day}T00:00:00Z`}, ${audioId}, ${voiceId}, ${ms}, ${trial}, ${free})
  on conflict (day, audio_id, voice_id) do update set milliseconds = l.milliseconds + excluded.milliseconds,
    trial_ms = l.trial_ms + excluded.trial_ms, free_ms = l.free_ms + excluded.free_ms`;

test('sums of a month are those of its ledger, whatever came when', slow, async () => {
  let seed = 11;
  const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 60; round += 1) {
    const day = `2025-0${1 + random(2)}-${String(1 + random(28)).padStart(2, '0')}`;
    const [voice = '', audio = ''] = [voices[random(voices.length)], audios[random(audios.length)]];
    const act = random(8);
    if (act === 0) await sumLedger(db, undefined, new Date(`2025-0${1 + random(3)}-${10 + random(18)}T01:20:00Z`));
    else if (act === 1) await db.execute(sql`delete from listened_seconds where audio_id = ${audio} and day = ${day}`);
    else if (act === 2)
      await db.execute(sql`
        update listened_seconds set free_ms = milliseconds, trial_ms = 0 where voice_id = ${voice} and audio_id = ${audio}`);
    else await db.execute(addRow(day, voice, audio, 90, 30 * random(3), 30 * random(2)));
    if (round % 6 === 5) for (const month of ['2025-01', '2025-02']) await expectSums(month);
  }
  await sumLedger(db);
  for (const month of ['2025-01', '2025-02']) await expectSums(month);
  const { rows } = await db.execute(sql`select from late_seconds`);
  expect(rows).toEqual([]);
  // The month is read from its sums: without them nothing is left of it.
  await db.execute(sql`delete from summed_voice_seconds`);
  expect((await shown('2025-01')).shares).toEqual([]);
});

test('seconds of today count at once, and seconds that are being written while the job runs count once', async () => {
  const [voice = '', audio = ''] = [newId(), newId()];
  const today = new Date().toISOString().slice(0, 10);
  await sumLedger(db);
  await db.execute(addRow(today, voice, audio, 500, 0, 0));
  await expectSums(today.slice(0, 7));
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query('begin');
  await writer.query(`insert into listened_seconds (day, audio_id, voice_id, milliseconds)
    values ('2025-03-05T00:00:00Z', '${audio}', '${voice}', 70), ('2025-04-05T00:00:00Z', '${audio}', '${voice}', 80)`);
  await db.execute(addRow('2025-03-05', voice, newId(), 7, 0, 0));
  await sumLedger(db);
  await expectSums('2025-03');
  await writer.query('commit');
  await writer.end();
  for (const month of ['2025-03', '2025-04']) await expectSums(month);
  await sumLedger(db);
  for (const month of ['2025-03', '2025-04']) await expectSums(month);
  expect((await shown('2025-03')).shares).toEqual([{ id: voice, audios: 2, milliseconds: 77 }]);
});

test('a locked month needs no sums', async () => {
  await db.execute(addRow('2025-06-05', newId(), newId(), 9, 0, 0));
  await sumLedger(db);
  await db.execute(sql`
    insert into payout_months (month, currency, pool, locked_at, counts_trials, checksum)
    values ('2025-06-01', 'usd', 1, now(), true, ${'0'.repeat(64)})`);
  await db.execute(sql`update listened_seconds set milliseconds = 10 where day = '2025-06-05T00:00:00Z'`);
  await sumLedger(db);
  const { rows } = await db.execute(sql`
    select from summed_months where month = '2025-06-01' union all select from late_seconds where day < '2025-07-01'`);
  expect(rows).toEqual([]);
});
