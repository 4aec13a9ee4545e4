import { type SQL, sql } from 'drizzle-orm';
import { audios } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { addParts } from '../../listening/figures.ts';
import { countListeners, countSketch, manyListeners } from '../../listening/listener-sketch.ts';
import { audioDays, voiceDays } from '../../listening/tables.ts';
import { type Period, dayOf, listDays, periodBefore } from './figure-periods.ts';
import { fewestListeners } from '../rules.ts';
import { type AudioDay, type DaySums, holdBack, joinSmallDays, safeDaysOf, union } from './small-groups.ts';

/**
 * Figures of a voice or an audio, for a day or a period. Null: fewer than ten distinct listeners, or a day that is
 * merged into the following ones (see `joinSmallDays`).
 */
export type Figures = {
  plays: number | null;
  listeners: number | null;
  newFavorites: number | null;
  /** By logged-in listeners, like the next two: only they report how far they listened. */
  heardMs: number | null;
  memberPlays: number | null;
  /** Part of `memberPlays`: reached the last twentieth. */
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
  /** Their number is never shown, so large sketches are not read. */
  members: Buffer | null;
  isManyMembers: boolean;
};

export function ofVoice(voiceId: string): SQL {
  return sql`(select d.*, null::bigint[] as parts from ${voiceDays} d where d.voice_id = ${voiceId})`;
}

export function ofAudio(audioId: string): SQL {
  return sql`(select * from ${audioDays} where audio_id = ${audioId})`;
}

/** Small days are joined by month, so whole months are read. */
export function monthsAround({ from, to }: Pick<Period, 'from' | 'to'>): SQL {
  return sql`d.day between date_trunc('month', ${from}::date)::date
    and (date_trunc('month', ${to}::date) + interval '1 month - 1 day')::date`;
}

type SafeDays = Record<'plays' | 'members', (day: string) => boolean>;

/** More audio days are those of so many audios that the waiting ones have ten listeners. */
const maxAudioDays = 5000;

/** For the current month: in others nothing waits. */
export async function readSafeDays(db: Db, voiceId: string, now: Date): Promise<SafeDays | undefined> {
  // Ten listeners take 20 bytes; with over 30 there are ten of them in any case.
  const smallOf = (sketch: SQL) => sql`case when octet_length(${sketch}) <= 64 then ${sketch} end`;
  const isMany = (sketch: SQL) => sql`coalesce(octet_length(${sketch}) > 64, false)`;
  const { rows } = await db.execute<AudioDay & { members: Buffer | null; isManyMembers: boolean }>(sql`
    select d.audio_id as "audioId", d.day::text,
      ${smallOf(sql`d.listeners`)} as listeners, ${isMany(sql`d.listeners`)} as "isMany",
      ${smallOf(sql`d.members`)} as members, ${isMany(sql`d.members`)} as "isManyMembers"
    from ${audioDays} d join ${audios} a on a.id = d.audio_id
    where a.voice_id = ${voiceId} and d.day >= date_trunc('month', ${dayOf(now)}::date)::date
    order by d.day limit ${maxAudioDays + 1}`);
  if (rows.length > maxAudioDays) return undefined;
  return {
    plays: safeDaysOf(rows),
    members: safeDaysOf(
      rows
        .map(({ members, isManyMembers, ...row }) => ({ ...row, listeners: members, isMany: isManyMembers }))
        // Visitors alone leave no figures of members.
        .filter((row) => row.listeners !== null || row.isMany),
    ),
  };
}

/** @param safe for a creator, whose audios have figures of their own */
export async function readHistory(db: Db, subject: SQL, period: Period, now: Date, safe?: SafeDays) {
  const before = periodBefore(period);
  const { rows } = await db.execute<Row>(sql`
    select d.day::text, d.plays, d.member_plays as "memberPlays", d.ends, d.heard_ms::float8 as "heardMs",
      d.favorites_added as favorites, d.parts::float8[], d.listeners,
      case when octet_length(d.members) < 2048 then d.members end as members,
      coalesce(octet_length(d.members) = 2048, false) as "isManyMembers"
    from ${subject} d where ${monthsAround({ from: before.from, to: period.to })} order by d.day`);
  const today = dayOf(now);
  const joinedPlays = joinSmallDays(
    rows.map((row) => ({
      day: row.day,
      sums: { plays: row.plays, favorites: row.favorites },
      listeners: row.listeners,
    })),
    addPlays,
    today,
  );
  const joinedMembers = joinSmallDays(
    rows.map((row) => ({
      day: row.day,
      sums: { memberPlays: row.memberPlays, ends: row.ends, heardMs: row.heardMs, parts: row.parts ?? undefined },
      listeners: row.isManyMembers ? manyListeners : row.members,
    })),
    addMembers,
    today,
  );
  const month = today.slice(0, 7);
  const plays = safe === undefined ? joinedPlays : holdBack(joinedPlays, addPlays, month, safe.plays);
  const members = safe === undefined ? joinedMembers : holdBack(joinedMembers, addMembers, month, safe.members);
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
    shownDays: plays.map(({ day }) => day),
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

export function isIn({ from, to }: Period): ({ day }: { day: string }) => boolean {
  return ({ day }) => day >= from && day <= to;
}

function figuresOf(plays: DaySums<PlaySums>[], members: DaySums<MemberSums>[], period: Period): Figures {
  const ofPeriod = plays.filter(isIn(period));
  const ofMembers = members.filter(isIn(period));
  const played = ofPeriod.length === 0 ? undefined : ofPeriod.map(({ sums }) => sums).reduce(addPlays);
  const heard = ofMembers.length === 0 ? undefined : ofMembers.map(({ sums }) => sums).reduce(addMembers);
  return toFigures(played, heard, () => countListeners(union(ofPeriod.map(({ listeners }) => listeners))));
}

function toFigures(played: PlaySums | undefined, heard: MemberSums | undefined, countPlayers: () => number): Figures {
  return {
    plays: played?.plays ?? null,
    listeners: played === undefined ? null : countPlayers(),
    newFavorites: orFew(played?.favorites),
    heardMs: heard?.heardMs ?? null,
    memberPlays: heard?.memberPlays ?? null,
    ends: orFew(heard?.ends),
  };
}

/** Counts for the same group of people. */
export function orFew(count: number | undefined): number | null {
  return count === undefined || count < fewestListeners ? null : count;
}

function dayFigures(plays: DaySums<PlaySums>[], members: DaySums<MemberSums>[], period: Period): DayFigures[] {
  const playsOf = new Map(plays.map((one) => [one.day, one]));
  const membersOf = new Map(members.map((one) => [one.day, one]));
  return listDays(period).map((day) => {
    const [played, heard] = [playsOf.get(day), membersOf.get(day)];
    return { day, ...toFigures(played?.sums, heard?.sums, () => countSketch(played?.listeners ?? null)) };
  });
}
