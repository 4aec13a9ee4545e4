import { sql } from 'drizzle-orm';
import type { Db } from '../../kernel/db.ts';
import { type Registers, addRegisters, emptyRegisters, toSketch } from '../../listening/listener-sketch.ts';
import { isPlaylistSource, keptSource } from '../../listening/play-sources.ts';
import { audioSourceDays } from '../../listening/tables.ts';
import { type Period, dayOf } from './figure-periods.ts';
import { coverOf, hideSmallParts, joinSmallDays, union } from './small-groups.ts';
import { isIn, monthsAround } from './figure-history.ts';

/** `plays` null: fewer than ten listeners in total. */
export type ShownSource = { source: string | 'other'; plays: number | null };

type SourcePart = {
  source: string;
  plays: number;
  halves: number;
  listeners: Registers;
  days: { day: string; listeners: Uint8Array | null }[];
  /** Last days of its joined ones. */
  shownDays: string[];
};

/** The site's playlists; `playlist` counts plays that did not say which one. */
type AllSources = { groups: SourcePart[]; playlists: SourcePart[] };

export async function readSources(db: Db, audioId: string, period: Period, now: Date): Promise<AllSources> {
  const { rows } = await db.execute<DayRow>(sql`
    select d.day::text, d.source, d.plays, 0 as halves, d.listeners from ${audioSourceDays} d
    where d.audio_id = ${audioId} and ${monthsAround(period)} order by d.day`);
  return {
    groups: partsBy(rows, sourceGroup, period, now),
    playlists: partsBy(
      rows.filter(({ source }) => sourceGroup(source) === 'playlists'),
      (source) => (isPlaylistSource(source) ? source : (listenersLists[source] ?? 'playlist')),
      period,
      now,
    ),
  };
}

export type DayRow = { day: string; source: string; plays: number; halves: number; listeners: Buffer | null };

export function partsBy(rows: DayRow[], groupOf: (source: string) => string, period: Period, now: Date): SourcePart[] {
  return [...Map.groupBy(rows, ({ source }) => groupOf(source))].map(([source, list]) => {
    const days = [...Map.groupBy(list, ({ day }) => day)].map(([day, ofDay]) => ({
      day,
      sums: ofDay.reduce(add, { plays: 0, halves: 0 }),
      listeners: toSketch(union(ofDay.map(({ listeners }) => listeners))),
    }));
    const shown = joinSmallDays(days, add, dayOf(now));
    const own = shown.filter(isIn(period));
    return {
      source,
      ...own.map(({ sums }) => sums).reduce(add, { plays: 0, halves: 0 }),
      listeners: union(own.map(({ listeners }) => listeners)),
      days,
      shownDays: shown.map(({ day }) => day),
    };
  });
}

type Sums = Pick<SourcePart, 'plays' | 'halves'>;

const add = (a: Sums, b: Sums): Sums => ({ plays: a.plays + b.plays, halves: a.halves + b.halves });

/** @param whole total of all parts, whose plays are null when they are not shown */
export function shownSources(
  parts: SourcePart[],
  { plays, shownDays }: { plays: number | null; shownDays: string[] },
  period: Period,
  now: Date,
): ShownSource[] {
  if (plays === null) return [];
  const { shown, rest } = splitSources(parts, { plays, shownDays }, period, now);
  return [
    ...shown.map(({ source, plays: own }) => ({ source, plays: own })),
    ...(rest === 0 ? [] : [{ source: 'other', plays: rest }]),
  ];
}

/** @returns the parts that can be shown, and the plays of the others */
export function splitSources(
  parts: SourcePart[],
  { plays, shownDays }: { plays: number; shownDays: string[] },
  period: Period,
  now: Date,
): { shown: SourcePart[]; rest: number } {
  const today = dayOf(now);
  const isInWhole = coverOf(shownDays, period, today);
  const left = emptyRegisters();
  const compared = parts.map((part) => {
    const isInPart = coverOf(part.shownDays, period, today);
    const inWhole = part.days.filter(({ day }) => isInWhole(day));
    const missing = inWhole.filter(({ day }) => !isInPart(day));
    addRegisters(left, union(missing.map(({ listeners }) => listeners)));
    const reachesBeyond = part.days.some(({ day }) => isInPart(day) && !isInWhole(day));
    return { ...part, reachesBeyond, inWhole: union(inWhole.map(({ listeners }) => listeners)) };
  });
  return hideSmallParts(compared, plays, left);
}

/** Content-source tags (spec §7) that are shown to creators as one source. */
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
  embed: 'embed',
};

/** Playlists of listeners are counted together. */
const listenersLists: Record<string, 'listeners'> = { userPlaylist: 'listeners', userProfile: 'listeners' };

function sourceGroup(source: string): string {
  if (source === keptSource) return 'kept-playing';
  return isPlaylistSource(source) ? 'playlists' : (groups[source] ?? 'unknown');
}
