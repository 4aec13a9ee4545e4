import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createPlaylist, createUserPlaylist, createUser, createVoice } from '#test/support/factories.ts';
import { operator } from '../../kernel/actor.ts';
import { addUpFigures } from '../../listening/figures.ts';
import { addMark, emptyRegisters, markOf, toSketch } from '../../listening/listener-sketch.ts';
import { findAudioFigures, findVoiceFigures, listBestAudios } from './figures.ts';
import { figuresFile } from './figures-file.ts';
import { periodBefore, periodOf } from './figure-periods.ts';
import { readKeptPlaying } from './kept-playing.ts';
import { hideSmallParts, joinSmallDays } from './small-groups.ts';
import { slow } from '#test/support/tags.ts';

const { db, pool } = await createTestDatabase();
const now = new Date('2026-11-22T13:00:00Z');
const markFor = (listener: number) =>
  markOf(createHmac('sha256', 'secret').update(String(listener)).digest('base64url'));

type Listening = { day: string; listeners: number[]; source?: string; isMember?: boolean };

/** Each listener plays once that day; members also hear half a minute, and every second one hears the end. */
async function listen(
  audio: { id: string; voiceId: string },
  { day, listeners, source = 'homepage', isMember = true }: Listening,
) {
  await pool.query(
    `insert into figure_changes (day, kind, voice_id, audio_id, is_member, source, mark)
     select $1, 'play', $2, $3, $4, $5, mark from unnest($6::int[]) mark`,
    [day, audio.voiceId, audio.id, isMember, source, listeners.map(markFor)],
  );
  if (isMember) {
    await pool.query(
      `insert into figure_changes (day, kind, voice_id, audio_id, amount, parts)
       values ($1, 'heard', $2, $3, $4, array_fill(0::bigint, array[20]))`,
      [day, audio.voiceId, audio.id, listeners.length * 30_000],
    );
    for (const listener of listeners)
      if (listener % 2 === 0)
        await pool.query(`insert into figure_changes (day, kind, voice_id, audio_id) values ($1, 'end', $2, $3)`, [
          day,
          audio.voiceId,
          audio.id,
        ]);
  }
  await addUpFigures(db);
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

async function createVoiceWithAudio() {
  const voice = await createVoice(db);
  return { voice, audio: await createAudio(db, { voiceId: voice.id, durationMs: 100_000 }) };
}

test('28 days against the 28 days before, with listeners counted once', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  for (const day of ['2026-11-20', '2026-11-21', '2026-10-25']) await listen(audio, { day, listeners: range(0, 20) });
  await listen(audio, { day: '2026-11-21', listeners: range(20, 10), isMember: false });
  for (const day of ['2026-10-24', '2026-09-27']) await listen(audio, { day, listeners: range(0, 12) });
  await listen(audio, { day: '2026-09-26', listeners: range(0, 40) });
  const figures = await findVoiceFigures(db, operator, voice.id, {}, now);
  expect(figures).toMatchObject({
    period: { from: '2026-10-25', to: '2026-11-21', days: 28, offered: 28 },
    periodBefore: { from: '2026-09-27', to: '2026-10-24', days: 28 },
    now: { plays: 70, listeners: 30, memberPlays: 60, heardMs: 60 * 30_000, ends: 30, newFavorites: null },
    before: { plays: 24, listeners: 12, memberPlays: 24, heardMs: 24 * 30_000, ends: 12 },
  });
  expect(figures?.days).toHaveLength(28);
  expect(figures?.days.at(-1)).toMatchObject({ day: '2026-11-21', plays: 30, listeners: 30, memberPlays: 20 });
  expect(figures?.daysBefore.at(-1)).toMatchObject({ day: '2026-10-24', plays: 12 });
  expect(figures?.audios.map(({ id }) => id)).toEqual([audio.id]);
});

test('others cannot be asked about, and an unknown voice looks the same', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  const { id } = await createUser(db);
  const stranger = { kind: 'user', id, isSubscribed: false, isComplete: true } as const;
  expect(await findVoiceFigures(db, stranger, voice.id, {})).toBeUndefined();
  const period = periodOf({}, now);
  expect(await findAudioFigures(db, stranger, { voiceId: voice.id, idOrSlug: audio.id, period })).toBeUndefined();
  const { voice: other } = await createVoiceWithAudio();
  expect(await findAudioFigures(db, operator, { voiceId: other.id, idOrSlug: audio.id, period })).toBeUndefined();
});

test('under ten listeners no figure of the page is shown, however many plays', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  for (let day = 1; day <= 20; day += 1)
    await listen(audio, { day: `2026-11-${String(day).padStart(2, '0')}`, listeners: range(0, 9) });
  const nothing = { plays: null, listeners: null, heardMs: null, memberPlays: null, ends: null, newFavorites: null };
  const voiceFigures = await findVoiceFigures(db, operator, voice.id, {}, now);
  expect(voiceFigures).toMatchObject({ now: nothing, before: nothing });
  expect(voiceFigures?.days.every(({ plays, heardMs }) => plays === null && heardMs === null)).toBe(true);
  const period = periodOf({}, now);
  const audioFigures = await findAudioFigures(db, operator, { voiceId: voice.id, idOrSlug: audio.slug, period }, now);
  expect(audioFigures).toMatchObject({ now: nothing, shares: null, sources: [], listenerPlaylists: null });
  expect(await listBestAudios(db, voice.id, { period, plays: null, max: 5, now })).toEqual({
    items: [],
    others: undefined,
  });
  await listen(audio, { day: '2026-11-21', listeners: [9] });
  expect(await findVoiceFigures(db, operator, voice.id, {}, now)).toMatchObject({ now: { plays: 181, listeners: 10 } });
});

test('audios heard by few members are not shown, even with many plays by visitors', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  await listen(audio, { day: '2026-11-20', listeners: range(0, 30), isMember: false });
  await listen(audio, { day: '2026-11-20', listeners: range(100, 9) });
  expect(await findVoiceFigures(db, operator, voice.id, {}, now)).toMatchObject({
    now: { plays: 39, listeners: 39, memberPlays: null, heardMs: null, ends: null },
  });
});

test('the difference of any two periods is nothing or at least ten listeners', slow, async () => {
  const { voice, audio } = await createVoiceWithAudio();
  const heard = new Map<string, number[]>();
  for (let day = 1; day <= 21; day += 1) {
    const name = `2026-11-${String(day).padStart(2, '0')}`;
    const listeners = range(day * 5, day % 3 === 0 ? 12 : (day * 7) % 5);
    heard.set(name, listeners);
    if (listeners.length > 0) await listen(audio, { day: name, listeners });
  }
  const playsOf = async (from: string, to: string) =>
    (await findVoiceFigures(db, operator, voice.id, { from, to }, now))?.now.plays ?? 0;
  const days = [...heard.keys()];
  const all = await playsOf(days[0]!, days.at(-1)!);
  expect(all).toBeGreaterThan(80);
  let before = all;
  for (const from of days.slice(1)) {
    const plays = await playsOf(from, days.at(-1)!);
    expect([0, ...range(10, 90)]).toContain(before - plays);
    before = plays;
  }
});

test('small days wait for the next, and those left over at the end of a month join the last', () => {
  const dayOf = (day: string, listeners: number[]) => {
    const registers = emptyRegisters();
    for (const listener of listeners) addMark(registers, markFor(listener));
    return { day, sums: listeners.length, listeners: toSketch(registers) };
  };
  const join = (days: ReturnType<typeof dayOf>[], today: string) =>
    joinSmallDays(days, (a, b) => a + b, today).map(({ day, sums }) => [day, sums]);
  const days = [
    dayOf('2026-10-01', range(0, 6)),
    dayOf('2026-10-03', range(4, 6)),
    dayOf('2026-10-04', range(0, 11)),
    dayOf('2026-10-30', range(0, 3)),
    dayOf('2026-11-01', range(0, 9)),
  ];
  expect(join(days, '2026-11-02')).toEqual([
    ['2026-10-03', 12],
    ['2026-10-04', 14],
  ]);
  expect(join(days.slice(0, 4), '2026-10-31')).toEqual([
    ['2026-10-03', 12],
    ['2026-10-04', 11],
  ]);
});

test('the rest beside the shown parts is nothing, or at least ten listeners', () => {
  const part = (plays: number, listeners: number[]) => {
    const registers = emptyRegisters();
    for (const listener of listeners) addMark(registers, markFor(listener));
    return { plays, listeners: registers };
  };
  const [home, search, link, blog] = [
    part(90, range(0, 50)),
    part(30, range(50, 15)),
    part(8, range(0, 8)),
    part(7, range(90, 7)),
  ];
  expect(hideSmallParts([home, search], 120)).toEqual({ shown: [home, search], rest: 0 });
  expect(hideSmallParts([home, search, link, blog], 135)).toEqual({ shown: [home, search], rest: 15 });
  expect(hideSmallParts([home, search, link], 128)).toEqual({ shown: [home], rest: 38 });
  expect(hideSmallParts([home, link], 98)).toEqual({ shown: [], rest: 98 });
});

test('sources, and the shares that fall along an audio', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  await listen(audio, { day: '2026-11-20', listeners: range(0, 30), source: 'homepage' });
  await listen(audio, { day: '2026-11-20', listeners: range(0, 12), source: 'playlist' });
  await listen(audio, { day: '2026-11-21', listeners: range(12, 12), source: 'userPlaylist' });
  await listen(audio, { day: '2026-11-21', listeners: range(40, 4), source: 'blog' });
  await listen(audio, { day: '2026-11-21', listeners: range(40, 8), source: 'search' });
  const parts = range(0, 20).map((part) => (part === 3 ? 90_000 : 100_000 - part * 2500));
  await pool.query(
    `insert into figure_changes (day, kind, voice_id, audio_id, amount, parts) values ('2026-11-21', 'heard', $1, $2, 1000, $3)`,
    [voice.id, audio.id, parts],
  );
  await addUpFigures(db);
  for (const userId of await Promise.all(range(0, 11).map(async () => (await createUser(db)).id)))
    await createUserPlaylist(db, { userId, isPublic: true, audioIds: [audio.id] });
  const period = periodOf({ days: '7' }, now);
  const figures = await findAudioFigures(db, operator, { voiceId: voice.id, idOrSlug: audio.slug, period }, now);
  expect(figures?.now).toMatchObject({ plays: 66, listeners: 38 });
  // Blog and search have eight listeners together, so the smallest shown one is hidden with them.
  expect(figures?.sources).toEqual([
    { source: 'home', plays: 30 },
    { source: 'other', plays: 36 },
  ]);
  expect(figures?.shares?.[0]).toBe(1);
  expect(figures?.shares?.[3]).toBeCloseTo(0.9);
  expect(figures?.shares?.[19]).toBeCloseTo(0.525);
  expect(figures?.listenerPlaylists).toBe(11);
});

test('sources add up to the plays, also where each has joined days that the total shows apart', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  const [ninth, tenth] = ['2026-11-09', '2026-11-10'];
  await listen(audio, { day: ninth, listeners: range(0, 4), source: 'homepage' });
  await listen(audio, { day: ninth, listeners: range(100, 16), source: 'search' });
  await listen(audio, { day: tenth, listeners: range(20, 8), source: 'homepage' });
  await listen(audio, { day: tenth, listeners: range(200, 12), source: 'search' });
  await listen(audio, { day: tenth, listeners: range(300, 15), source: 'category' });
  const sourcesOf = async (from: string, to: string) => {
    const period = periodOf({ from, to }, now);
    const figures = await findAudioFigures(db, operator, { voiceId: voice.id, idOrSlug: audio.id, period }, now);
    const sources = figures?.sources ?? [];
    expect(sources.reduce((sum, { plays }) => sum + (plays ?? 0), 0)).toBe(figures?.now.plays);
    return Object.fromEntries(sources.map(({ source, plays }) => [source, plays]));
  };
  expect(await sourcesOf(ninth, tenth)).toEqual({ search: 28, categories: 15, home: 12 });
  // Twelve of “home” are joined on the tenth; 35 − 12 − 15 would name its eight of that day.
  expect(await sourcesOf(tenth, tenth)).toEqual({ categories: 15, other: 20 });
  expect(await sourcesOf(ninth, ninth)).toEqual({ other: 20 });
});

test(
  'a creator’s days wait while the difference to the audios would tell of fewer than ten listeners',
  slow,
  async () => {
    const { voice, audio } = await createVoiceWithAudio();
    const small = await createAudio(db, { voiceId: voice.id });
    const [first, second, third, today] = ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-22'];
    const shown = async () => {
      const figures = await findVoiceFigures(db, operator, voice.id, { from: '2026-11-01', to: today }, now);
      return figures?.days.flatMap(({ day, plays }) => (plays === null ? [] : [[day, plays]]));
    };
    await listen(audio, { day: first, listeners: range(0, 20) });
    await listen(small, { day: first, listeners: range(30, 3) });
    expect(await shown()).toEqual([]);
    await listen(audio, { day: second, listeners: range(0, 15) });
    expect(await shown()).toEqual([]);
    await listen(small, { day: third, listeners: range(40, 8) });
    await listen(audio, { day: third, listeners: range(0, 11) });
    expect(await shown()).toEqual([[third, 57]]);
    // Today too, which grows by single plays.
    await listen(audio, { day: today, listeners: range(0, 12) });
    await listen(small, { day: today, listeners: range(30, 2) });
    expect(await shown()).toEqual([[third, 57]]);
    const other = await createAudio(db, { voiceId: voice.id });
    await listen(other, { day: today, listeners: range(60, 8) });
    expect(await shown()).toEqual([
      [third, 57],
      [today, 22],
    ]);
  },
);

test('plays are shown per playlist, unless one has fewer than ten listeners', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  const [max, few] = await Promise.all(
    ['Most', 'Few', 'None'].map((title) => createPlaylist(db, { title, audioIds: [audio.id] })),
  );
  const day = '2026-11-20';
  await listen(audio, { day, listeners: range(0, 30), source: max!.id });
  await listen(audio, { day, listeners: range(0, 20), source: 'userPlaylist' });
  const period = periodOf({ days: '7' }, now);
  const find = () => findAudioFigures(db, operator, { voiceId: voice.id, idOrSlug: audio.slug, period }, now);
  expect(await find()).toMatchObject({
    sources: [{ source: 'playlists', plays: 50 }],
    playlists: [{ title: 'Most', plays: 30 }, { plays: null }, { plays: null }],
    playlistPlays: { listeners: 20, others: null, all: 50 },
  });
  await listen(audio, { day, listeners: range(30, 4), source: few!.id });
  // Hides groups of four listeners, and differences that would reveal them.
  expect(await find()).toMatchObject({
    playlists: [{ title: 'Most', plays: 30 }, { plays: null }, { plays: null }],
    playlistPlays: { listeners: null, others: 24, all: 54 },
  });
  // Plays from a playlist that no longer has the audio, and from unnamed ones.
  await pool.query('delete from playlist_items where playlist_id = $1', [max!.id]);
  await listen(audio, { day, listeners: range(50, 15), source: 'playlist' });
  const after = await find();
  expect(after?.playlists.map(({ title, plays }) => [title, plays]).toSorted()).toEqual([
    ['Few', null],
    ['None', null],
  ]);
  expect(after?.playlistPlays).toEqual({ listeners: 20, others: 49, all: 69 });
});

test('best audios are sorted by plays, and the others are summed', async () => {
  const voice = await createVoice(db);
  const audios = await Promise.all(range(0, 4).map(() => createAudio(db, { voiceId: voice.id })));
  for (const [index, audio] of audios.entries())
    await listen(audio, { day: '2026-11-20', listeners: range(100 * index, 10 + 5 * index) });
  const period = periodOf({}, now);
  const best = (plays: number, max: number) => listBestAudios(db, voice.id, { period, plays, max, now });
  expect(await best(70, 2)).toMatchObject({
    items: [
      { id: audios[3]?.id, now: { plays: 25 } },
      { id: audios[2]?.id, now: { plays: 20 } },
    ],
    others: { audios: { count: 2, isMore: false }, plays: 25 },
  });
  const small = await createAudio(db, { voiceId: voice.id });
  await listen(small, { day: '2026-11-20', listeners: range(0, 3) });
  const { items, others } = await best(73, 5);
  expect(items.map(({ id }) => id)).toEqual([audios[3]?.id, audios[2]?.id, audios[1]?.id]);
  expect(others).toEqual({ audios: { count: 2, isMore: false }, plays: 13 });
});

test.each([
  [{}, '2026-10-25', '2026-11-21', 28],
  [{ days: '7' }, '2026-11-15', '2026-11-21', 7],
  [{ days: '365' }, '2025-11-22', '2026-11-21', 365],
  [{ days: '8' }, '2026-10-25', '2026-11-21', 28],
  [{ from: '2026-02-28', to: '2026-03-01' }, '2026-02-28', '2026-03-01', 2],
  [{ from: '2026-03-01', to: '2026-02-28' }, '2026-02-28', '2026-03-01', 2],
  [{ from: '2026-11-01', to: '2030-01-01' }, '2026-11-01', '2026-11-22', 22],
  [{ from: '2027-11-01', to: '2030-01-01' }, '2026-11-22', '2026-11-22', 1],
  [{ from: '1999-01-01', to: '2026-11-21' }, '2025-11-21', '2026-11-21', 366],
  [{ from: '2026-11-03', to: 'x' }, '2026-11-03', '2026-11-22', 20],
  [{ from: '2026-13-03', to: '' }, '2026-10-25', '2026-11-21', 28],
] as const)('the period of %o is %s to %s, %i days in UTC', (query, from, to, days) => {
  const lateInUtc = new Date('2026-11-22T23:59:59.999Z');
  const period = periodOf(query, lateInUtc);
  expect(period).toMatchObject({ from, to, days });
  const before = periodBefore(period);
  expect(before.days).toBe(days);
  expect(Date.parse(before.to) + 86_400_000).toBe(Date.parse(from));
});

test('the file has a row per day, and no cell that a spreadsheet computes', () => {
  const day = { plays: 12, listeners: 11, heardMs: 5_400_000, memberPlays: null, ends: null, newFavorites: null };
  expect(figuresFile('=HYPERLINK("x"), a', [{ day: '2026-11-21', ...day }])).toBe(
    '\uFEFFDay (UTC),Of,Plays,Listeners,Hours heard,Plays of members,Heard to the end,New favorites\r\n' +
      `2026-11-21,"'=HYPERLINK(""x""), a",12,11,1.50,Under 10,Under 10,Under 10\r\n`,
  );
});

test('kept playing is shown by reason, none of which tells of fewer than ten listeners', async () => {
  const { voice, audio } = await createVoiceWithAudio();
  const day = '2026-11-20';
  const kept = async (reason: string, listeners: number[], halves: number) => {
    await listen(audio, { day, listeners, source: `audio_details:${reason}` });
    await pool.query(
      `insert into figure_changes (day, kind, voice_id, audio_id, source)
       select $1, 'half', $2, $3, $4 from generate_series(1, $5)`,
      [day, audio.voiceId, audio.id, `audio_details:${reason}`, halves],
    );
    await addUpFigures(db);
  };
  const shown = async () => (await findVoiceFigures(db, operator, voice.id, {}, now))?.keptPlaying;
  const period = periodOf({}, now);
  await kept('near', range(0, 9), 9);
  expect(await shown()).toEqual([]);
  await kept('near', range(9, 21), 15);
  await kept('site', range(0, 12), 11);
  await kept('tags', range(0, 4), 4);
  // Alone, four listeners would be the difference of all and the others.
  expect(await shown()).toEqual([
    { reason: 'near', plays: 30, halves: 24 },
    { reason: 'other', plays: 16, halves: 15 },
  ]);
  await kept('tags', range(40, 8), 2);
  expect(await shown()).toEqual([
    { reason: 'near', plays: 30, halves: 24 },
    { reason: 'site', plays: 12, halves: 11 },
    { reason: 'tags', plays: 12, halves: null },
  ]);
  const { audio: ofOther } = await createVoiceWithAudio();
  await listen(ofOther, { day, listeners: range(100, 10), source: 'audio_details:tags' });
  expect((await readKeptPlaying(db, null, period, now)).find(({ reason }) => reason === 'tags')?.plays).toBe(22);
  const ofAudio = await findAudioFigures(db, operator, { voiceId: voice.id, idOrSlug: audio.id, period }, now);
  expect(ofAudio?.sources).toEqual([{ source: 'kept-playing', plays: 54 }]);
});
