import { type SQL, and, asc, eq, isNull, sql } from 'drizzle-orm';
import { imageUrl, isAudio } from '../../catalogue/audios.ts';
import { audioCounts, audios, playlistItems, playlists } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { Count } from '#formats/numbers.ts';
import { userPlaylistItems, userPlaylists } from '../../library/tables.ts';
import { type Registers, addSketch, emptyRegisters } from '../../listening/listener-sketch.ts';
import { audioParts } from '../../listening/rules.ts';
import { audioDays } from '../../listening/tables.ts';
import { type FigureQuery, type Period, periodBefore, periodOf } from './figure-periods.ts';
import { canManageVoice, fewestListeners } from '../rules.ts';
import { type KeptPlaying, readKeptPlaying } from './kept-playing.ts';
import { hideSmallParts } from './small-groups.ts';
import {
  type Figures,
  type FigureHistory,
  ofVoice,
  ofAudio,
  readHistory,
  readSafeDays,
  orFew,
} from './figure-history.ts';
import { type ShownSource, readSources, shownSources } from './figure-sources.ts';

export type FigureAudio = { id: string; slug: string; title: string; imageUrl: string | null; durationMs: number };

export type VoiceFigures = FigureHistory & {
  period: Period;
  periodBefore: Period;
  audios: FigureAudio[];
  keptPlaying: KeptPlaying;
};

export type AudioFigures = FigureHistory & {
  audio: FigureAudio;
  /** Share of plays that reach each twentieth, from 1 down; null below ten listeners or plays. */
  shares: number[] | null;
  sources: ShownSource[];
  /** `plays` null: fewer than ten listeners, or counted under others. */
  playlists: { title: string; slug: string; plays: number | null }[];
  /** Public playlists of listeners; null: fewer than ten. */
  listenerPlaylists: number | null;
  playlistPlays: PlaylistPlays;
};

/** Others: playlists without the audio now, and plays that did not name their playlist. Null: under ten, or merged. */
export type PlaylistPlays = { listeners: number | null; others: number | null; all: number | null };

export type BestAudio = FigureAudio & { now: Figures; before: Figures };

/** Audios offered in the menu of a page, and compared for the best of a period: `newest` of each kind. */
const choices = { mostPlayed: 100, newest: 50 };
const compared = { mostPlayed: 1000, newest: 500 };
/** Further audios whose listeners are counted; more than these have ten listeners in any case. */
const maxOthers = 200;

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
  const [history, ranking, keptPlaying] = await Promise.all([
    readSafeDays(db, voiceId, now).then((safe) => readHistory(db, ofVoice(voiceId), period, now, safe)),
    rankAudios(db, period, candidatesOf(voiceId, choices)),
    readKeptPlaying(db, voiceId, period, now),
  ]);
  const ranked = await findAudios(
    db,
    ranking.map(({ id }) => id),
  );
  return { ...history.figures, period, periodBefore: periodBefore(period), audios: ranked, keptPlaying };
}

/** The most played audios of the period, and the sum of the others. Of thousands, only the likely ones are compared. */
export async function listBestAudios(
  db: Db,
  voiceId: string,
  { period, plays, max, now }: { period: Period; plays: number | null; max: number; now: Date },
): Promise<{ items: BestAudio[]; others: { audios: Count; plays: number | null } | undefined }> {
  const candidates = await rankAudios(db, period, candidatesOf(voiceId, compared));
  const ranking = candidates.filter((audio) => audio.plays > 0);
  const best = ranking.slice(0, max);
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
  const others = ranking.slice(max);
  const left =
    others.length > 0 && others.length <= maxOthers
      ? await readListeners(
          db,
          others.map(({ id }) => id),
          period,
        )
      : undefined;
  const isManyOthers = others.length > maxOthers;
  const { shown, rest } = hideSmallParts(parts, plays, left, isManyOthers);
  const count = ranking.length - shown.length;
  return {
    items: shown.map(({ audio, figures }) => ({ ...audio, now: figures.now, before: figures.before })),
    others:
      count === 0
        ? undefined
        : { audios: { count, isMore: candidates.length >= compared.mostPlayed }, plays: rest === 0 ? null : rest },
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
      .select({ id: playlists.id, title: playlists.title, slug: playlists.slug })
      .from(playlistItems)
      .innerJoin(playlists, eq(playlists.id, playlistItems.playlistId))
      .where(eq(playlistItems.audioId, audio.id))
      .orderBy(asc(playlists.position), asc(playlists.id))
      .limit(50),
    countListenerPlaylists(db, audio.id),
  ]);
  const whole = { plays: history.figures.now.plays, shownDays: history.shownDays };
  const shown = shownSources(sources.groups, whole, period, now);
  const all = shown.find(({ source }) => source === 'playlists')?.plays ?? null;
  const ofLists = sources.groups.find(({ source }) => source === 'playlists')?.shownDays ?? [];
  const ofPlaylists = shownSources(sources.playlists, { plays: all, shownDays: ofLists }, period, now);
  const fromLists = new Map(ofPlaylists.map(({ source, plays }) => [source, plays]));
  return {
    ...history.figures,
    audio: toFigureAudio(audio),
    shares: sharesOf(history.parts, history.figures.now.memberPlays, audio.durationMs),
    sources: shown,
    playlists: lists
      .map(({ id, title, slug }) => ({ title, slug, plays: fromLists.get(id) ?? null }))
      .toSorted((a, b) => (b.plays ?? 0) - (a.plays ?? 0)),
    listenerPlaylists: orFew(listenerPlaylists),
    playlistPlays: {
      listeners: fromLists.get('listeners') ?? null,
      others: othersOf(fromLists, new Set(lists.map(({ id }) => id))),
      all,
    },
  };
}

function othersOf(plays: Map<string, number | null>, named: Set<string>): number | null {
  const others = [...plays].filter(([source]) => source !== 'listeners' && !named.has(source));
  return others.length === 0 ? null : others.reduce((sum, [, count]) => sum + (count ?? 0), 0);
}

const wasPublished = sql`a.deleted_at is null and coalesce(a.published_at, a.first_published_at) <= now()`;

/** The most played audios of all time, the newest, and those that are not published any more: each read by an index. */
function candidatesOf(voiceId: string, { mostPlayed, newest }: typeof choices): SQL {
  return sql`(
    (select a.id from ${audioCounts} c join ${audios} a on a.id = c.audio_id where c.voice_id = ${voiceId} and ${wasPublished}
      order by c.plays desc, c.audio_id desc limit ${mostPlayed})
    union
    (select a.id from ${audios} a where a.voice_id = ${voiceId} and a.published_at <= now()
      order by a.published_at desc, a.id desc limit ${newest})
    union
    (select a.id from ${audios} a where a.voice_id = ${voiceId} and a.published_at is null and ${wasPublished}
      order by a.first_published_at desc, a.id desc limit ${newest}))`;
}

/** Audios with their plays in the period, most first. Plays are the difference of two stored totals. */
async function rankAudios(db: Db, { from, to }: Period, candidates: SQL): Promise<{ id: string; plays: number }[]> {
  const totalBy = (day: SQL) => sql`coalesce((select d.plays_total from ${audioDays} d
    where d.audio_id = a.id and ${day} order by d.day desc limit 1), 0)`;
  const { rows } = await db.execute<{ id: string; plays: number }>(sql`
    select a.id, (${totalBy(sql`d.day <= ${to}::date`)} - ${totalBy(sql`d.day < ${from}::date`)})::float8 as plays
    from ${candidates} a order by 2 desc, a.id desc`);
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

// Figures of one audio

/** Listening of each part in plays, never more than in an earlier part: rewinding would count a part twice. */
function sharesOf(parts: number[] | undefined, plays: number | null, durationMs: number): number[] | null {
  if (parts === undefined || plays === null || plays < fewestListeners || durationMs === 0) return null;
  const falling = parts.toReversed();
  for (let part = 1; part < audioParts; part += 1) falling[part] = Math.max(falling[part] ?? 0, falling[part - 1] ?? 0);
  const [first = 0] = falling.toReversed();
  return first === 0 ? null : falling.toReversed().map((heardMs) => heardMs / first);
}

async function countListenerPlaylists(db: Db, audioId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(distinct p.user_id)::int as count from ${userPlaylistItems} i join ${userPlaylists} p on p.id = i.user_playlist_id
    where i.audio_id = ${audioId} and p.deleted_at is null and p.is_public`);
  return rows[0]?.count ?? 0;
}
