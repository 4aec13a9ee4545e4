import { eq, isNull, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { visitor } from '../kernel/viewer.ts';
import { addUpFigures, moveVoiceFigures, purgeOldFigures } from './figures.ts';
import { addSketch, countListeners, emptyRegisters } from './listener-sketch.ts';
import { countPlays, hashListener } from './plays.ts';
import { saveProgress } from './progress.ts';
import { addSeconds } from './seconds.ts';
import { audioDays, audioSourceDays, figureChanges, keptPlayingDays, playMarks, voiceDays } from './tables.ts';

const { db, pool } = await createTestDatabase();
const listenerOf = (name: string) => hashListener('secret', visitor, name);
const today = () => new Date().toISOString().slice(0, 10);

function distinct(sketches: (Buffer | null)[]): number {
  const registers = emptyRegisters();
  for (const sketch of sketches) addSketch(registers, sketch);
  return countListeners(registers);
}

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('figures of random listening are what a plain count of it gives', async () => {
  const random = randomOf(28);
  const voices = [await createVoice(db), await createVoice(db)];
  const audios = await Promise.all(
    Array.from({ length: 6 }, (_, index) => createAudio(db, { voiceId: voices[index % 2]!.id, durationMs: 100_000 })),
  );
  const sources = ['homepage', 'search', undefined];
  const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'];
  const countedPlays: {
    day: string;
    audio: number;
    listener: number;
    isMember: boolean;
    source: string | undefined;
  }[] = [];
  for (let round = 0; round < 12; round += 1) {
    const day = days[random(days.length)]!;
    const plays = Array.from({ length: 60 }, () => {
      const listener = random(40);
      return { day, audio: random(6), listener, isMember: listener < 25, source: sources[random(3)] };
    });
    const counts = await countPlays(
      db,
      plays.map((play) => ({
        listener: listenerOf(String(play.listener)),
        audioId: audios[play.audio]!.id,
        isMember: play.isMember,
        source: play.source,
      })),
    );
    countedPlays.push(...plays.filter((_, index) => counts[index]?.counted === true));
    await db.update(figureChanges).set({ day }).where(eq(figureChanges.day, today()));
    await db.update(playMarks).set({ until: sql`now()` });
    // Not in the order of the days, and not after each batch.
    if (random(3) === 0) await addUpFigures(db);
  }
  await addUpFigures(db);
  expect(countedPlays.length).toBeGreaterThan(300);
  expect(await db.select().from(figureChanges)).toEqual([]);

  for (const [index, audio] of audios.entries()) {
    const own = countedPlays.filter((play) => play.audio === index);
    const rows = await db.select().from(audioDays).where(eq(audioDays.audioId, audio.id)).orderBy(audioDays.day);
    let total = 0;
    expect(rows.map(({ day, plays, memberPlays, playsTotal }) => ({ day, plays, memberPlays, playsTotal }))).toEqual(
      days.flatMap((day) => {
        const list = own.filter((play) => play.day === day);
        total += list.length;
        const memberPlays = list.filter(({ isMember }) => isMember).length;
        return list.length === 0 ? [] : [{ day, plays: list.length, memberPlays, playsTotal: total }];
      }),
    );
    const listeners = new Set(own.map(({ listener }) => listener)).size;
    expect(distinct(rows.map((row) => row.listeners))).toBe(listeners);
    const members = new Set(own.filter(({ isMember }) => isMember).map(({ listener }) => listener)).size;
    expect(distinct(rows.map((row) => row.members))).toBe(members);
    const bySource = await db.select().from(audioSourceDays).where(eq(audioSourceDays.audioId, audio.id));
    for (const source of sources) {
      const list = own.filter((play) => play.source === source);
      const found = bySource.filter((row) => row.source === (source ?? 'unknown'));
      expect(found.reduce((sum, { plays }) => sum + plays, 0)).toBe(list.length);
      expect(distinct(found.map((row) => row.listeners))).toBe(new Set(list.map(({ listener }) => listener)).size);
    }
  }
  for (const [index, voice] of voices.entries()) {
    const own = countedPlays.filter((play) => play.audio % 2 === index);
    const rows = await db.select().from(voiceDays).where(eq(voiceDays.voiceId, voice.id));
    expect(rows.reduce((sum, { plays }) => sum + plays, 0)).toBe(own.length);
    expect(distinct(rows.map((row) => row.listeners))).toBe(new Set(own.map(({ listener }) => listener)).size);
  }
});

test('heard milliseconds and their parts are added up per audio, voice and day', async () => {
  const voice = await createVoice(db);
  const audio = await createAudio(db, { voiceId: voice.id, durationMs: 100_000 });
  for (const [milliseconds, positionMs] of [
    [10_000, 10_000],
    [5000, 5000],
    [20_000, 100_000],
  ] as const) {
    const { id } = await createUser(db);
    const viewer = { kind: 'user', id, isSubscribed: true, isComplete: true } as const;
    const report = { kind: 'audioListenedSeconds', viewer, key: audio.id, reportId: undefined } as const;
    expect(await addSeconds(db, [{ ...report, milliseconds, positionMs }])).toEqual([
      { ok: true, counted: milliseconds / 1000 },
    ]);
    await addUpFigures(db);
  }
  const [row] = await db.select().from(audioDays).where(eq(audioDays.audioId, audio.id));
  expect(row).toMatchObject({ day: today(), heardMs: 35_000, plays: 0 });
  expect(row?.parts).toEqual([10_000, 5000, ...Array<number>(14).fill(0), 5000, 5000, 5000, 5000]);
  const [ofVoice] = await db.select().from(voiceDays).where(eq(voiceDays.voiceId, voice.id));
  expect(ofVoice).toMatchObject({ heardMs: 35_000 });
});

test('a play counts as heard to the end once, when its listener reaches the last twentieth', async () => {
  const audio = await createAudio(db, { durationMs: 100_000 });
  const { id: userId } = await createUser(db);
  const listener = listenerOf(userId);
  const at = (positionMs: number | null) => saveProgress(db, [{ userId, audioId: audio.id, positionMs, listener }]);
  const endsOf = async () => {
    await addUpFigures(db);
    return (await db.select().from(audioDays).where(eq(audioDays.audioId, audio.id)))[0]?.ends ?? 0;
  };
  await at(99_000);
  expect(await endsOf()).toBe(0);
  await countPlays(db, [{ listener, audioId: audio.id, isMember: true }]);
  await at(94_000);
  expect(await endsOf()).toBe(0);
  await at(95_000);
  await at(97_000);
  await at(null);
  await at(3000);
  await at(null);
  expect(await endsOf()).toBe(1);
  await db.update(playMarks).set({ until: sql`now()` });
  await countPlays(db, [{ listener, audioId: audio.id, isMember: true }]);
  await at(null);
  expect(await endsOf()).toBe(2);
});

test('of plays that playback went on with, those of members count by why, and once when half of them is heard', async () => {
  const [voice, other] = [await createVoice(db), await createVoice(db)];
  const audio = await createAudio(db, { voiceId: voice.id, durationMs: 100_000 });
  const { id: userId } = await createUser(db);
  const listener = listenerOf(userId);
  const at = (positionMs: number | null) => saveProgress(db, [{ userId, audioId: audio.id, positionMs, listener }]);
  const play = (source: string, isMember = true) => countPlays(db, [{ listener, audioId: audio.id, isMember, source }]);
  const isOver = () => db.update(playMarks).set({ until: sql`now()` });
  const keptOf = async (voiceId: string | null) => {
    await addUpFigures(db);
    const { voiceId: of, reason } = keptPlayingDays;
    const rows = await db
      .select()
      .from(keptPlayingDays)
      .where(voiceId === null ? isNull(of) : eq(of, voiceId))
      .orderBy(reason);
    return rows.map((row) => [row.day, row.reason, row.plays, row.halves, distinct([row.listeners])]);
  };
  await play('audio_details:near');
  await at(49_000);
  expect(await keptOf(voice.id)).toEqual([[today(), 'near', 1, 0, 1]]);
  for (const position of [50_000, 96_000, 60_000, null]) await at(position);
  await isOver();
  await play('audio_details:near');
  await at(null);
  await isOver();
  // Heard from a list; a visitor; a reason that does not exist.
  for (const [source, isMember] of [
    ['audio_details', true],
    ['audio_details:tags', false],
    ['audio_details:guess', true],
  ] as const) {
    await play(source, isMember);
    if (isMember) await at(99_000);
    await isOver();
  }
  const all = [[today(), 'near', 2, 2, 1]];
  expect([await keptOf(voice.id), await keptOf(null)]).toEqual([all, all]);
  // Figures of an audio know of no reason.
  const sources = await db.select().from(audioSourceDays).where(eq(audioSourceDays.audioId, audio.id));
  expect(sources.map(({ source }) => source).toSorted()).toEqual([
    'audio_details',
    'audio_details:guess',
    'kept-playing',
  ]);
  // Both ends of the same play were noted.
  expect((await db.select().from(audioDays).where(eq(audioDays.audioId, audio.id)))[0]).toMatchObject({ ends: 4 });
  const [more] = [await createAudio(db, { voiceId: other.id })];
  await countPlays(db, [{ listener: listenerOf('x'), audioId: more.id, isMember: true, source: 'audio_details:near' }]);
  await addUpFigures(db);
  await db.transaction((tx) => moveVoiceFigures(tx, voice.id, other.id));
  expect([await keptOf(voice.id), await keptOf(other.id)]).toEqual([[], [[today(), 'near', 3, 2, 2]]]);
});

test('favorites of audios and of their voice are counted on their day, added and removed', async () => {
  const voice = await createVoice(db);
  const audio = await createAudio(db, { voiceId: voice.id });
  const users = [await createUser(db), await createUser(db)];
  for (const { id } of users) {
    await pool.query(`insert into audio_favorites values ($1, $2, '2026-03-04T23:59:59Z')`, [id, audio.id]);
    await pool.query('insert into voice_favorites (user_id, content_id) values ($1, $2)', [id, voice.id]);
  }
  await pool.query('delete from users where id = $1', [users[0]?.id]);
  await addUpFigures(db);
  const rows = await db.select().from(voiceDays).where(eq(voiceDays.voiceId, voice.id)).orderBy(voiceDays.day);
  expect(rows).toMatchObject([
    { day: '2026-03-04', favoritesAdded: 2, favoritesRemoved: 0, followersAdded: 0 },
    { day: today(), favoritesAdded: 0, favoritesRemoved: 1, followersAdded: 2, followersRemoved: 1 },
  ]);
});

test('changes of an audio or voice that is gone are dropped, and figures go with them', async () => {
  const voice = await createVoice(db);
  const audio = await createAudio(db, { voiceId: voice.id });
  await countPlays(db, [{ listener: listenerOf('gone'), audioId: audio.id }]);
  await addUpFigures(db);
  await countPlays(db, [{ listener: listenerOf('gone, too'), audioId: audio.id }]);
  await pool.query('delete from audios where id = $1', [audio.id]);
  await pool.query('delete from voices where id = $1', [voice.id]);
  expect(await addUpFigures(db)).toBe(1);
  expect(await db.select().from(audioDays).where(eq(audioDays.audioId, audio.id))).toEqual([]);
  expect(await db.select().from(voiceDays).where(eq(voiceDays.voiceId, voice.id))).toEqual([]);
});

test('processes that add up at once count every change once', async () => {
  const audio = await createAudio(db);
  await pool.query(
    `insert into figure_changes (kind, voice_id, audio_id, mark)
     select 'play', $1, $2, n % 65536 from generate_series(1, 12000) n`,
    [audio.voiceId, audio.id],
  );
  await Promise.all([1, 2, 3].map(() => addUpFigures(db)));
  await addUpFigures(db);
  const [row] = await db.select().from(audioDays).where(eq(audioDays.audioId, audio.id));
  expect(row).toMatchObject({ plays: 12_000, playsTotal: 12_000 });
});

test('days older than the kept months are deleted', async () => {
  const audio = await createAudio(db);
  const dayOf = (offset: string) => `(date_trunc('month', now() at time zone 'UTC') ${offset})::date`;
  for (const offset of [`- interval '2 months'`, `- interval '2 months 1 day'`])
    await pool.query(`insert into audio_days (audio_id, day, plays) values ($1, ${dayOf(offset)}, 1)`, [audio.id]);
  expect(await purgeOldFigures(db, 2)).toBeGreaterThan(0);
  expect(await db.select().from(audioDays).where(eq(audioDays.audioId, audio.id))).toHaveLength(1);
});
