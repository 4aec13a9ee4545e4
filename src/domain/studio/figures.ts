import type { SQL } from 'drizzle-orm';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { imageUrl, isAudio } from '../catalogue/audios.ts';
import { audioCounts, audios, playlistItems, playlists } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { userPlaylistItems, userPlaylists } from '../library/tables.ts';
import { addParts } from '../listening/figures.ts';
import {
  addRegisters,
  addSketch,
  countListeners,
  countSketch,
  emptyRegisters,
  manyListeners,
  toSketch,
} from '../listening/listener-sketch.ts';
import type { Registers } from '../listening/listener-sketch.ts';
import { audioParts } from '../listening/rules.ts';
import { audioDays, audioSourceDays, voiceDays } from '../listening/tables.ts';
import type { FigureQuery, Period } from './figure-periods.ts';
import { dayOf, listDays, periodBefore, periodOf } from './figure-periods.ts';
import { canManageVoice, fewestListeners } from './rules.ts';
import type { DaySums } from './small-groups.ts';
import { hideSmallParts, joinSmallDays, union } from './small-groups.ts';

/**
 * What is shown of a voice or an audio, of a day or a period. Null stands for fewer than ten distinct listeners, or for a
 * day that is counted together with the following ones: see `joinSmallDays`.
 */
export type Figures = {
  plays: number | null;
  listeners: number | null;
  newFavorites: number | null;
  /** Of listeners who were logged in, like the next two: only they tell how far they listened. */
  heardMs: number | null;
  memberPlays: number | null;
  /** Of `memberPlays`, those that reached the last twentieth. */
  ends: number | null;
};

export type DayFigures = Figures & { day: string };

/** A period, the one before, and each of their days. */
export type FigureHistory = {
  now: Figures;
  before: Figures;
  days: DayFigures[];
  daysBefore: DayFigures[];
};

export type FigureAudio = { id: string; slug: string; title: string; imageUrl: string | null; durationMs: number };

export type VoiceFigures = FigureHistory & { period: Period; periodBefore: Period; audios: FigureAudio[] };

export type AudioFigures = FigureHistory & {
  audio: FigureAudio;
  /** Share of plays that still go on in each twentieth, from 1 down; null below ten listeners or plays. */
  shares: number[] | null;
  /** `plays` null: fewer than ten listeners together. */
  sources: { source: string | 'other'; plays: number | null }[];
  playlists: { title: string; slug: string }[];
  /** Public playlists of listeners; null: fewer than ten. */
  listenerPlaylists: number | null;
};

export type BestAudio = FigureAudio & { now: Figures; before: Figures };

/** Audios that a page offers to choose from. */
const mostChoices = 100;
const newestChoices = 50;
/** Others whose listeners are counted; more of them are surely ten. */
const mostOthers = 200;

/** @returns undefined for an unknown voice, and for one that the actor may not manage */
export async function findVoiceFigures(
  db: Db,
  actor: Actor,
  voiceId: string,
  query: FigureQuery,
  now = new Date(),
): Promise<VoiceFigures | undefined> {
  if (!canManageVoice(actor, voiceId)) return undefined;
  const period = periodOf(query, now);
  const [history, ranking] = await Promise.all([
    readHistory(db, ofVoice(voiceId), period, now),
    rankAudios(db, voiceId, period, choosable(voiceId)),
  ]);
  const choices = await findAudios(
    db,
    ranking.map(({ id }) => id),
  );
  return { ...history.figures, period, periodBefore: periodBefore(period), audios: choices };
}

/** The audios of most plays in the period, and what the others have together. */
export async function listBestAudios(
  db: Db,
  voiceId: string,
  { period, plays, most, now }: { period: Period; plays: number | null; most: number; now: Date },
): Promise<{ items: BestAudio[]; others: { count: number; plays: number | null } | undefined }> {
  const ranking = (await rankAudios(db, voiceId, period)).filter((audio) => audio.plays > 0);
  const best = ranking.slice(0, most);
  const found = await findAudios(
    db,
    best.map(({ id }) => id),
  );
  const parts = await Promise.all(
    found.map(async (audio) => {
      const { figures, listeners, plays: sum } = await readHistory(db, ofAudio(audio.id), period, now);
      return { audio, figures, plays: sum, listeners };
    }),
  );
  if (plays === null) return { items: [], others: undefined };
  const others = ranking.slice(most);
  const left =
    others.length > 0 && others.length <= mostOthers
      ? await readListeners(
          db,
          others.map(({ id }) => id),
          period,
        )
      : undefined;
  const isManyOthers = others.length > mostOthers;
  const { shown, rest } = hideSmallParts(parts, plays, left, isManyOthers);
  const count = ranking.length - shown.length;
  return {
    items: shown.map(({ audio, figures }) => ({ ...audio, now: figures.now, before: figures.before })),
    others: count === 0 ? undefined : { count, plays: rest === 0 ? null : rest },
  };
}

/** @returns undefined for an audio that the voice does not have */
export async function findAudioFigures(
  db: Db,
  actor: Actor,
  { voiceId, idOrSlug, period }: { voiceId: string; idOrSlug: string; period: Period },
  now = new Date(),
): Promise<AudioFigures | undefined> {
  if (!canManageVoice(actor, voiceId)) return undefined;
  const match = isAudio(idOrSlug);
  if (match === undefined) return undefined;
  const [audio] = await selectAudios(db)
    .where(and(match, eq(audios.voiceId, voiceId), isNull(audios.deletedAt)))
    .limit(1);
  if (audio === undefined) return undefined;
  const [history, sources, lists, listenerPlaylists] = await Promise.all([
    readHistory(db, ofAudio(audio.id), period, now),
    readSources(db, audio.id, period, now),
    db
      .select({ title: playlists.title, slug: playlists.slug })
      .from(playlistItems)
      .innerJoin(playlists, eq(playlists.id, playlistItems.playlistId))
      .where(eq(playlistItems.audioId, audio.id))
      .orderBy(asc(playlists.position), asc(playlists.id))
      .limit(50),
    countListenerPlaylists(db, audio.id),
  ]);
  return {
    ...history.figures,
    audio: toFigureAudio(audio),
    shares: sharesOf(history.parts, history.figures.now.memberPlays, audio.durationMs),
    sources: shownSources(sources, history.figures.now.plays),
    playlists: lists,
    listenerPlaylists: orFew(listenerPlaylists),
  };
}

// ---- days of one voice or audio ----

type PlaySums = { plays: number; favorites: number };
type MemberSums = { memberPlays: number; ends: number; heardMs: number; parts: number[] | undefined };

type Row = {
  day: string;
  plays: number;
  memberPlays: number;
  ends: number;
  heardMs: number;
  favorites: number;
  parts: number[] | null;
  listeners: Buffer | null;
  /** How many they are is never told, so that large sketches are not read. */
  members: Buffer | null;
  isManyMembers: boolean;
};

function ofVoice(voiceId: string): SQL {
  return sql`(select d.*, null::bigint[] as parts from ${voiceDays} d where d.voice_id = ${voiceId})`;
}

function ofAudio(audioId: string): SQL {
  return sql`(select * from ${audioDays} where audio_id = ${audioId})`;
}

/** Small days are joined by month, so whole months are read. */
function monthsAround({ from, to }: Pick<Period, 'from' | 'to'>): SQL {
  return sql`d.day between date_trunc('month', ${from}::date)::date
    and (date_trunc('month', ${to}::date) + interval '1 month - 1 day')::date`;
}

async function readHistory(db: Db, subject: SQL, period: Period, now: Date) {
  const before = periodBefore(period);
  const { rows } = await db.execute<Row>(sql`
    select d.day::text, d.plays, d.member_plays as "memberPlays", d.ends, d.heard_ms::float8 as "heardMs",
      d.favorites_added as favorites, d.parts::float8[], d.listeners,
      case when octet_length(d.members) < 2048 then d.members end as members,
      coalesce(octet_length(d.members) = 2048, false) as "isManyMembers"
    from ${subject} d where ${monthsAround({ from: before.from, to: period.to })} order by d.day`);
  const today = dayOf(now);
  const plays = joinSmallDays(
    rows.map((row) => ({
      day: row.day,
      sums: { plays: row.plays, favorites: row.favorites },
      listeners: row.listeners,
    })),
    addPlays,
    today,
  );
  const members = joinSmallDays(
    rows.map((row) => ({
      day: row.day,
      sums: { memberPlays: row.memberPlays, ends: row.ends, heardMs: row.heardMs, parts: row.parts ?? undefined },
      listeners: row.isManyMembers ? manyListeners : row.members,
    })),
    addMembers,
    today,
  );
  const own = plays.filter(isIn(period));
  return {
    figures: {
      now: figuresOf(plays, members, period),
      before: figuresOf(plays, members, before),
      days: dayFigures(plays, members, period),
      daysBefore: dayFigures(plays, members, before),
    },
    parts: members
      .filter(isIn(period))
      .reduce<number[] | undefined>((sum, { sums }) => addParts(sum, sums.parts), undefined),
    plays: own.reduce((sum, { sums }) => sum + sums.plays, 0),
    listeners: union(own.map(({ listeners }) => listeners)),
  };
}

const addPlays = (a: PlaySums, b: PlaySums): PlaySums => ({
  plays: a.plays + b.plays,
  favorites: a.favorites + b.favorites,
});

const addMembers = (a: MemberSums, b: MemberSums): MemberSums => ({
  memberPlays: a.memberPlays + b.memberPlays,
  ends: a.ends + b.ends,
  heardMs: a.heardMs + b.heardMs,
  parts: addParts(a.parts, b.parts),
});

function isIn({ from, to }: Period): ({ day }: { day: string }) => boolean {
  return ({ day }) => day >= from && day <= to;
}

function figuresOf(plays: DaySums<PlaySums>[], members: DaySums<MemberSums>[], period: Period): Figures {
  const ofPeriod = plays.filter(isIn(period));
  const ofMembers = members.filter(isIn(period));
  const played = ofPeriod.length === 0 ? undefined : ofPeriod.map(({ sums }) => sums).reduce(addPlays);
  const heard = ofMembers.length === 0 ? undefined : ofMembers.map(({ sums }) => sums).reduce(addMembers);
  return {
    plays: played?.plays ?? null,
    listeners: played === undefined ? null : countListeners(union(ofPeriod.map(({ listeners }) => listeners))),
    newFavorites: orFew(played?.favorites),
    heardMs: heard?.heardMs ?? null,
    memberPlays: heard?.memberPlays ?? null,
    ends: orFew(heard?.ends),
  };
}

/** Counts that are of as many people. */
function orFew(count: number | undefined): number | null {
  return count === undefined || count < fewestListeners ? null : count;
}

function dayFigures(plays: DaySums<PlaySums>[], members: DaySums<MemberSums>[], period: Period): DayFigures[] {
  const playsOf = new Map(plays.map((one) => [one.day, one]));
  const membersOf = new Map(members.map((one) => [one.day, one]));
  return listDays(period).map((day) => {
    const [played, heard] = [playsOf.get(day), membersOf.get(day)];
    return {
      day,
      plays: played?.sums.plays ?? null,
      listeners: played === undefined ? null : countSketch(played.listeners),
      newFavorites: orFew(played?.sums.favorites),
      heardMs: heard?.sums.heardMs ?? null,
      memberPlays: heard?.sums.memberPlays ?? null,
      ends: orFew(heard?.sums.ends),
    };
  });
}

// ---- audios ----

const wasPublished = sql`a.deleted_at is null and coalesce(a.published_at, a.first_published_at) <= now()`;

/** The most played audios of all time and the newest: the choice of a page does not weigh thousands of audios. */
function choosable(voiceId: string): SQL {
  return sql`(
    (select a.id from ${audios} a join ${audioCounts} c on c.audio_id = a.id where a.voice_id = ${voiceId} and ${wasPublished}
      order by c.plays desc, a.id desc limit ${mostChoices})
    union
    (select a.id from ${audios} a where a.voice_id = ${voiceId} and ${wasPublished}
      order by a.published_at desc nulls last, a.id desc limit ${newestChoices}))`;
}

/** Audios with their plays in the period, most first. Plays are a difference of two kept totals. @param of all by default */
async function rankAudios(
  db: Db,
  voiceId: string,
  { from, to }: Period,
  of: SQL = sql`(select a.id from ${audios} a where a.voice_id = ${voiceId} and ${wasPublished})`,
): Promise<{ id: string; plays: number }[]> {
  const totalBy = (day: SQL) => sql`coalesce((select d.plays_total from ${audioDays} d
    where d.audio_id = a.id and ${day} order by d.day desc limit 1), 0)`;
  const { rows } = await db.execute<{ id: string; plays: number }>(sql`
    select a.id, (${totalBy(sql`d.day <= ${to}::date`)} - ${totalBy(sql`d.day < ${from}::date`)})::float8 as plays
    from ${of} a order by 2 desc, a.id desc`);
  return rows;
}

function selectAudios(db: Db) {
  return db
    .select({
      id: audios.id,
      slug: audios.slug,
      title: audios.title,
      imageKey: audios.imageKey,
      durationMs: audios.durationMs,
    })
    .from(audios)
    .$dynamic();
}

function toFigureAudio({
  imageKey,
  ...audio
}: Omit<FigureAudio, 'imageUrl'> & { imageKey: string | null }): FigureAudio {
  return { ...audio, imageUrl: imageUrl(imageKey) };
}

/** In the order of the ids. */
async function findAudios(db: Db, ids: string[]): Promise<FigureAudio[]> {
  if (ids.length === 0) return [];
  const rows = await selectAudios(db).where(sql`${audios.id} = any(${sql.param(ids)}::uuid[])`);
  const byId = new Map(rows.map((row) => [row.id, toFigureAudio(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function readListeners(db: Db, audioIds: string[], { from, to }: Period): Promise<Registers> {
  const { rows } = await db.execute<{ listeners: Buffer | null }>(sql`
    select listeners from ${audioDays} where audio_id = any(${sql.param(audioIds)}::uuid[]) and day between ${from}::date and ${to}::date`);
  const registers = emptyRegisters();
  for (const { listeners } of rows) addSketch(registers, listeners);
  return registers;
}

// ---- one audio ----

/** Listening of each part as plays, never more than in a part before: who goes back hears a part twice. */
function sharesOf(parts: number[] | undefined, plays: number | null, durationMs: number): number[] | null {
  if (parts === undefined || plays === null || plays < fewestListeners || durationMs === 0) return null;
  const falling = parts.toReversed();
  for (let part = 1; part < audioParts; part += 1) falling[part] = Math.max(falling[part] ?? 0, falling[part - 1] ?? 0);
  const [first = 0] = falling.toReversed();
  return first === 0 ? null : falling.toReversed().map((heardMs) => heardMs / first);
}

type SourcePart = { source: string; plays: number; listeners: Registers; left: Registers | undefined };

async function readSources(db: Db, audioId: string, period: Period, now: Date): Promise<SourcePart[]> {
  const { rows } = await db.execute<{ day: string; source: string; plays: number; listeners: Buffer | null }>(sql`
    select d.day::text, d.source, d.plays, d.listeners from ${audioSourceDays} d
    where d.audio_id = ${audioId} and ${monthsAround(period)} order by d.day`);
  return [...Map.groupBy(rows, ({ source }) => sourceGroup(source))].map(([source, list]) => {
    const days = [...Map.groupBy(list, ({ day }) => day)].map(([day, ofDay]) => ({
      day,
      sums: ofDay.reduce((sum, { plays }) => sum + plays, 0),
      listeners: toSketch(union(ofDay.map(({ listeners }) => listeners))),
    }));
    const shown = joinSmallDays(days, (a, b) => a + b, dayOf(now));
    const own = shown.filter(isIn(period));
    const last = shown.at(-1)?.day ?? '';
    const left = days.filter(isIn(period)).filter(({ day }) => day > last);
    return {
      source,
      plays: own.reduce((sum, { sums }) => sum + sums, 0),
      listeners: union(own.map(({ listeners }) => listeners)),
      left: left.length === 0 ? undefined : union(left.map(({ listeners }) => listeners)),
    };
  });
}

function shownSources(parts: SourcePart[], plays: number | null): AudioFigures['sources'] {
  if (plays === null) return [];
  const left = emptyRegisters();
  for (const part of parts) if (part.left !== undefined) addRegisters(left, part.left);
  const { shown, rest } = hideSmallParts(parts, plays, left);
  return [
    ...shown.map(({ source, plays: own }) => ({ source, plays: own })),
    ...(rest === 0 ? [] : [{ source: 'other', plays: rest }]),
  ];
}

/** Content-source tags (spec §7) that a creator sees as one. */
const groups: Record<string, string> = {
  homepage: 'home',
  playlist: 'playlists',
  playlists: 'playlists',
  userPlaylist: 'playlists',
  userProfile: 'playlists',
  search: 'search',
  voice_profile: 'voice',
  voices: 'voice',
  audio_dynamic_link: 'shared',
  voice_dynamic_link: 'shared',
  category: 'categories',
  categories: 'categories',
  audio_details: 'audio',
  series: 'series',
  favorites: 'favorites',
  queue: 'queue',
  preview: 'preview',
  blog: 'blog',
  podcast_feed: 'podcast',
};

function sourceGroup(source: string): string {
  return groups[source] ?? 'unknown';
}

async function countListenerPlaylists(db: Db, audioId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(distinct p.user_id)::int as count from ${userPlaylistItems} i join ${userPlaylists} p on p.id = i.user_playlist_id
    where i.audio_id = ${audioId} and p.deleted_at is null and p.is_public`);
  return rows[0]?.count ?? 0;
}
