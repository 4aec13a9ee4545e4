import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { audioCounts, audios, voiceCounts, voices } from '#domain/catalogue/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newId, sortKey } from '#domain/kernel/ids.ts';
import { addMark, addSketch, emptyRegisters, toSketch } from '#domain/listening/listener-sketch.ts';
import { audioParts } from '#domain/listening/rules.ts';
import { audioDays, audioSourceDays, voiceDays } from '#domain/listening/tables.ts';
import { people } from './people.ts';
import { seededRandom } from './random.ts';
import { insertRows } from './rows.ts';

const seed = 28;
const dayMs = 24 * 60 * 60 * 1000;
/** Enough days for 28 days with a full previous period, and 90 days with part of one. */
const maxDays = 120;

/** Shares of plays by content-source tag; their sum is 1. */
const sourceShares = [
  ['homepage', 0.34],
  ['playlist', 0.17],
  ['search', 0.15],
  ['voice_profile', 0.12],
  ['audio_dynamic_link', 0.08],
  ['userPlaylist', 0.05],
  ['category', 0.05],
  ['series', 0.04],
] as const;

type DemoAudio = {
  id: string;
  durationMs: number;
  publishedAt: Date;
  plays: number;
  favorites: number;
  /** Ids of the playlists that contain it. */
  playlists: string[];
};

type Random = () => number;

type AudioDay = typeof audioDays.$inferInsert;

/**
 * Gives a demo voice some months of figures, from a fixed seed. Plays and favorites of an audio match the ones
 * listeners see, if they fall in these months; older ones are only in the totals.
 */
export async function addDemoFigures(tx: Db, voiceSlug: string, now: Date): Promise<void> {
  const [voice] = await tx.select({ id: voices.id }).from(voices).where(eq(voices.slug, voiceSlug));
  if (voice === undefined) return;
  const rows = await tx
    .select({
      id: audios.id,
      durationMs: audios.durationMs,
      publishedAt: audios.publishedAt,
      plays: audioCounts.plays,
      favorites: audioCounts.favorites,
      playlists: sql<
        string[]
      >`array(select i.playlist_id from playlist_items i where i.audio_id = ${audios}.id order by 1)`,
    })
    .from(audios)
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .where(eq(audios.voiceId, voice.id))
    .orderBy(asc(audios.slug));
  const list = rows.flatMap(({ publishedAt, ...row }) =>
    publishedAt === null || publishedAt > now ? [] : [{ ...row, publishedAt }],
  );
  const [followers] = await tx
    .select({ total: voiceCounts.favorites })
    .from(voiceCounts)
    .where(eq(voiceCounts.voiceId, voice.id));
  const random = seededRandom(seed);
  const audience = createAudience(random, list);
  const figures = list.map((audio) => figuresOf(audio, { random, audience, now }));
  const days = figures.flatMap((figure) => figure.days);
  await insertRows(tx, audioDays, days);
  const sources = figures.flatMap((figure) => figure.sources);
  await insertRows(tx, audioSourceDays, sources);
  await insertRows(tx, voiceDays, voiceFigures(voice.id, days, { random, followers: followers?.total ?? 0 }));
}

/** Sketch marks of generated listeners, as if from a hash: twelve bits, and the rank of a random number. */
function createAudience(random: Random, list: DemoAudio[]): number[] {
  const plays = list.reduce((sum, audio) => sum + audio.plays, 0);
  return Array.from({ length: Math.max(50, Math.round(plays * 0.07)) }, () => {
    const rank = Math.min(15, Math.max(1, Math.ceil(-Math.log2(1 - random()))));
    return (Math.floor(random() * 4096) << 4) | rank;
  });
}

/** Two of three listeners are logged in. */
function isMember(listener: number): boolean {
  return listener % 3 !== 0;
}

type Scene = { random: Random; audience: number[]; now: Date };

function figuresOf(audio: DemoAudio, { random, audience, now }: Scene) {
  const today = Math.floor(now.getTime() / dayMs);
  const first = Math.max(Math.floor(audio.publishedAt.getTime() / dayMs), today - maxDays + 1);
  const age = (now.getTime() - audio.publishedAt.getTime()) / dayMs;
  const weights = Array.from({ length: today - first + 1 }, (_, index) => weightOf(first + index, audio, random));
  weights[weights.length - 1] = (weights.at(-1) ?? 1) * Math.max(0.02, (now.getTime() % dayMs) / dayMs);
  const inWindow = Math.round(audio.plays * Math.min(1, weights.length / Math.max(age, weights.length)));
  const plays = shareOut(inWindow, weights);
  const favorites = shareOut(Math.round((audio.favorites * inWindow) / Math.max(1, audio.plays)), plays);
  const keep = 0.6 + random() * 0.2;
  const days: AudioDay[] = [];
  const sources: (typeof audioSourceDays.$inferInsert)[] = [];
  let total = audio.plays - inWindow;
  for (const [index, count] of plays.entries()) {
    total += count;
    const day = new Date((first + index) * dayMs).toISOString().slice(0, 10);
    const played = playDay(count, { random, audience, keep, playlists: audio.playlists });
    const parts = partsOf(played.memberPlays, keep, audio.durationMs);
    days.push({
      audioId: audio.id,
      day,
      plays: count,
      memberPlays: played.memberPlays,
      ends: played.ends,
      heardMs: parts.reduce((sum, part) => sum + part, 0),
      favoritesAdded: favorites[index] ?? 0,
      playsTotal: total,
      parts,
      listeners: toSketch(played.listeners),
      members: toSketch(played.members),
    });
    for (const [source, figures] of played.bySource)
      sources.push({ audioId: audio.id, day, source, plays: figures.plays, listeners: toSketch(figures.listeners) });
  }
  return { days, sources };
}

/** More at weekends, in the first days of an audio, and recently. */
function weightOf(day: number, { publishedAt }: DemoAudio, random: Random): number {
  const weekday = new Date(day * dayMs).getUTCDay();
  const age = day - publishedAt.getTime() / dayMs;
  const newness = 1 + 1.4 * Math.exp(-Math.max(0, age) / 6);
  return (weekday === 0 || weekday === 6 ? 1.25 : 1) * newness * (0.85 + random() * 0.3) * (1 + Math.max(0, age) / 260);
}

/** Whole numbers in proportion to the weights, with the total as their sum. */
function shareOut(total: number, weights: number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let [passed, given] = [0, 0];
  return weights.map((weight) => {
    passed += weight;
    const until = sum === 0 ? 0 : Math.round((total * passed) / sum);
    const own = until - given;
    given = until;
    return own;
  });
}

function playDay(
  count: number,
  { random, audience, keep, playlists }: Omit<Scene, 'now'> & { keep: number; playlists: string[] },
) {
  const [listeners, members] = [emptyRegisters(), emptyRegisters()];
  const bySource = new Map<string, { plays: number; listeners: Uint8Array }>();
  let [memberPlays, ends] = [0, 0];
  for (let play = 0; play < count; play += 1) {
    // Some listeners return often, most rarely.
    const listener = Math.floor(random() ** 1.7 * audience.length);
    const mark = audience[listener] ?? 1;
    addMark(listeners, mark);
    const tag = chooseSource(random());
    const source = (tag === 'playlist' && playlists[mark % playlists.length]) || tag;
    const figures = bySource.get(source) ?? { plays: 0, listeners: emptyRegisters() };
    figures.plays += 1;
    addMark(figures.listeners, mark);
    bySource.set(source, figures);
    if (!isMember(listener)) continue;
    addMark(members, mark);
    memberPlays += 1;
    if (random() < keep) ends += 1;
  }
  return { listeners, members, bySource, memberPlays, ends };
}

function chooseSource(at: number): string {
  let passed = 0;
  for (const [source, share] of sourceShares) {
    passed += share;
    if (at < passed) return source;
  }
  return 'homepage';
}

/** Milliseconds heard in each part: some stop early, most continue. */
function partsOf(plays: number, keep: number, durationMs: number): number[] {
  return Array.from({ length: audioParts }, (_, part) => {
    const share = keep + (1 - keep) * Math.exp(-part / 5);
    return Math.round((plays * share * durationMs) / audioParts);
  });
}

function voiceFigures(
  voiceId: string,
  days: AudioDay[],
  { random, followers }: { random: Random; followers: number },
): (typeof voiceDays.$inferInsert)[] {
  return [...Map.groupBy(days, ({ day }) => day)].map(([day, list]) => ({
    voiceId,
    day,
    ...togetherOf(list),
    followersAdded: Math.round(followers * 0.002 * (0.5 + random())),
  }));
}

/** Recalculates the figures of voices that stay after the demo's audios are removed. */
export async function dropDemoFigures(tx: Db, voiceSlug: string): Promise<void> {
  const [voice] = await tx.select({ id: voices.id }).from(voices).where(eq(voices.slug, voiceSlug));
  if (voice === undefined) return;
  const rows = await tx
    .select(getTableColumns(audioDays))
    .from(audioDays)
    .innerJoin(audios, eq(audios.id, audioDays.audioId))
    .where(eq(audios.voiceId, voice.id));
  await tx.delete(voiceDays).where(eq(voiceDays.voiceId, voice.id));
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const days = [...byDay].map(([day, list]) => ({ voiceId: voice.id, day, ...togetherOf(list) }));
  await insertRows(tx, voiceDays, days);
}

function togetherOf(list: AudioDay[]) {
  const sum = (name: 'plays' | 'memberPlays' | 'ends' | 'heardMs' | 'favoritesAdded' | 'favoritesRemoved') =>
    list.reduce((all, one) => all + (one[name] ?? 0), 0);
  const union = (name: 'listeners' | 'members') => {
    const registers = emptyRegisters();
    for (const one of list) addSketch(registers, one[name] ?? null);
    return toSketch(registers);
  };
  return {
    plays: sum('plays'),
    memberPlays: sum('memberPlays'),
    ends: sum('ends'),
    heardMs: sum('heardMs'),
    favoritesAdded: sum('favoritesAdded'),
    favoritesRemoved: sum('favoritesRemoved'),
    listeners: union('listeners'),
    members: union('members'),
  };
}

/** A draft that needs a description, and a scheduled audio, both with the recording of another audio of the demo. */
export async function addDemoTakes(tx: Db, now: Date): Promise<void> {
  for (const { of, slug, title, description, inDays } of people.takes) {
    const [audio] = await tx.select().from(audios).where(eq(audios.slug, of));
    if (audio === undefined) continue;
    const id = newId();
    const publishedAt =
      inDays === undefined
        ? null
        : new Date(Math.floor(now.getTime() / dayMs) * dayMs + inDays * dayMs + 22 * 3_600_000);
    const { createdAt: _created, updatedAt: _updated, firstPublishedAt: _first, ...facts } = audio;
    const taken = { ...facts, id, slug, title, sortTitle: sortKey(title), description, badge: null, publishedAt };
    await tx.insert(audios).values(taken);
    await tx.execute(sql`
      insert into audio_categories (audio_id, category_id, position)
      select ${id}, category_id, position from audio_categories where audio_id = ${audio.id}`);
  }
}
