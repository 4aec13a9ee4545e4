import { createHmac } from 'node:crypto';
import { and, lte, sql } from 'drizzle-orm';
import { isAudio, isFreeToAll, isPublished } from '../catalogue/audios.ts';
import { numberSql, tagSlugsSql } from '../catalogue/suggestions/columns.ts';
import { audios } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { networkOf } from '../identity/networks.ts';
import { purgeRows } from '../kernel/purge.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { markOf } from './listener-sketch.ts';
import { keptReasonOf } from './play-sources.ts';
import { canPlay } from './rules.ts';
import { playMarks } from './tables.ts';

export type Play = {
  listener: string;
  audioId: string;
  isMember?: boolean;
  /** Content-source tag of the list it was started from, or the id of the site's playlist. */
  source?: string | undefined;
  /** When it began, if it is reported late or again; defaults to now. */
  notedAt?: Date | undefined;
};
export type PlayCount = { counted: boolean; plays: number };

/** By which the device of a visitor finds what is like the audio, without asking. `number`: null until it has one. */
type PlayedAudio = { number: number | null; tags: string[] };

export type CountedPlay =
  | ({ ok: true } & PlayCount & PlayedAudio)
  | { ok: false; reason: 'not-found' | 'login-required' | 'subscription-required' };

/**
 * Identifies the listener of a play: the user, or the client's address (for IPv6 the household's network). Stored as a
 * hash with the site's secret, so that it cannot be reversed.
 */
export function hashListener(
  secret: string,
  viewer: { kind: 'visitor' } | { kind: 'user'; id: string },
  address: string,
): string {
  const listener = viewer.kind === 'user' ? `user ${viewer.id}` : `address ${networkOf(address)}`;
  return createHmac('sha256', secret).update(`play by ${listener}`).digest('base64url');
}

/** @param count counts a play of a listener; batched by the site */
export async function playAudio(
  db: Db,
  viewer: Viewer,
  idOrSlug: string,
  { listener, source, notedAt }: Pick<Play, 'listener' | 'source' | 'notedAt'>,
  count: (play: Play) => Promise<PlayCount>,
): Promise<CountedPlay> {
  const match = isAudio(idOrSlug);
  if (match === undefined) return { ok: false, reason: 'not-found' };
  const [audio] = await db
    .select({
      id: audios.id,
      isFree: isFreeToAll,
      voice: { id: audios.voiceId },
      number: numberSql(sql`audios.id`),
      tags: tagSlugsSql(sql`audios.id`),
    })
    .from(audios)
    .where(and(match, isPublished))
    .limit(1);
  if (audio === undefined) return { ok: false, reason: 'not-found' };
  if (!canPlay(viewer, audio))
    return { ok: false, reason: viewer.kind === 'visitor' ? 'login-required' : 'subscription-required' };
  const isMember = viewer.kind === 'user';
  const { number, tags } = audio;
  return { ok: true, number, tags, ...(await count({ listener, audioId: audio.id, isMember, source, notedAt })) };
}

/**
 * Counts each play at most once per listener and audio within the audio's duration (product.md, "Playing"). Batches
 * many in one commit, so that the row of a popular audio is written once and not per play. Notes each for the figures.
 * A report that is sent again after its answer was lost began before the mark of the first one ended, so it counts
 * nothing.
 */
export async function countPlays(db: Db, plays: Play[]): Promise<PlayCount[]> {
  const { rows } = await db.execute<{ listener: string | null; audio_id: string; plays: string }>(sql`
    with input as materialized (
      select distinct on (listener, audio_id) * from unnest(
        ${sql.param(plays.map(({ listener }) => listener))}::text[],
        ${sql.param(plays.map(({ audioId }) => audioId))}::uuid[],
        ${sql.param(plays.map(({ isMember = false }) => isMember))}::boolean[],
        ${sql.param(plays.map(({ source }) => source ?? null))}::text[],
        ${sql.param(plays.map(({ source = null }) => (keptReasonOf(source) ? source : null)))}::text[],
        ${sql.param(plays.map(({ listener }) => markOf(listener)))}::integer[],
        ${sql.param(plays.map(({ notedAt }) => notedAt?.toISOString() ?? null))}::timestamptz[]
      ) with ordinality as i (listener, audio_id, is_member, source, kept, mark, noted_at, place)
      order by listener, audio_id, least(noted_at, now()) desc, place
    ), marked as (
      insert into play_marks as m (listener, audio_id, until, kept)
      select i.listener, i.audio_id, now() + a.duration_ms * interval '1 ms', i.kept
      from input i join audios a on a.id = i.audio_id order by i.listener, i.audio_id
      on conflict (listener, audio_id) do update set until = excluded.until, ended = false, kept = excluded.kept, half = false
      where m.until <= (
        select least(i.noted_at, now()) from input i where i.listener = m.listener and i.audio_id = m.audio_id
      )
      returning listener, audio_id
    ), noted as (
      insert into figure_changes (kind, voice_id, audio_id, is_member, source, mark)
      select 'play', a.voice_id, a.id, i.is_member, i.source, i.mark
      from marked m join input i on i.listener = m.listener and i.audio_id = m.audio_id
      join audios a on a.id = m.audio_id
    ), added as materialized (
      select audio_id, count(*) as plays from marked group by audio_id
    ), locked as materialized (
      select c.audio_id, added.plays from audio_counts c join added on added.audio_id = c.audio_id
      order by c.audio_id for no key update of c
    ), counted as (
      update audio_counts c set plays = c.plays + locked.plays, played_on = (now() at time zone 'UTC')::date from locked where c.audio_id = locked.audio_id
      returning c.audio_id, c.plays
    )
    select m.listener, c.audio_id, coalesce(counted.plays, c.plays) as plays
    from audio_counts c
    left join counted on counted.audio_id = c.audio_id
    left join marked m on m.audio_id = c.audio_id
    where c.audio_id in (select audio_id from input)`);
  const totals = new Map(rows.map((row) => [row.audio_id, Number(row.plays)]));
  const counted = new Set(rows.map((row) => `${row.listener} ${row.audio_id}`));
  return plays.map(({ listener, audioId }) => ({
    // Duplicates in a batch: only the first counts.
    counted: counted.delete(`${listener} ${audioId}`),
    plays: totals.get(audioId) ?? 0,
  }));
}

/** Expired marks only reveal who heard what. @returns how many were deleted */
export async function purgePlayMarks(db: Db, signal?: AbortSignal): Promise<number> {
  return purgeRows(db, playMarks, lte(playMarks.until, sql`now()`), signal, playMarks.until);
}
