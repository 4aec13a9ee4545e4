import { sql } from 'drizzle-orm';
import { playlistItems } from '../catalogue/tables.ts';
import type { Db } from '../kernel/db.ts';
import { type KeptReason, keptReasons } from './forms.ts';

const withPlaylist = /^playlist:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const id = /^[0-9a-f-]{36}$/;

/** The id in `playlist:{id}`. */
export function playlistInSource(source: string | undefined): string | undefined {
  return source?.match(withPlaylist)?.[1]?.toLowerCase();
}

/** @param source as stored: a content-source tag (spec §7), or the id of a playlist of the site */
export function isPlaylistSource(source: string): boolean {
  return id.test(source);
}

const ofKept = new Map(keptReasons.map((reason) => [`audio_details:${reason}`, reason]));

/** In an audio's figures, for each reason. */
export const keptSource = 'kept-playing';

/** Why playback went on with the audio by itself; undefined for other plays. */
export function keptReasonOf(source: string | null | undefined): KeptReason | undefined {
  return ofKept.get(source ?? '');
}

type Played = { audioId: string | null; source: string | null };

/** Counts plays from a playlist that does not carry the audio as plays from playlists: clients can send any id. */
export async function checkPlaylistSources<Play extends Played>(db: Db, plays: Play[]): Promise<Play[]> {
  const named = plays.filter(({ source }) => source !== null && isPlaylistSource(source));
  if (named.length === 0) return plays;
  const { rows } = await db.execute<{ playlistId: string; audioId: string }>(sql`
    select p.playlist_id as "playlistId", p.audio_id as "audioId" from ${playlistItems} p
    join (select distinct * from unnest(${sql.param(named.map(({ source }) => source))}::uuid[],
      ${sql.param(named.map(({ audioId }) => audioId))}::uuid[]) as i (playlist_id, audio_id)) i
      on i.playlist_id = p.playlist_id and i.audio_id = p.audio_id`);
  const carried = new Set(rows.map(({ playlistId, audioId }) => `${playlistId} ${audioId}`));
  const unknown = new Set(named.filter(({ source, audioId }) => !carried.has(`${source} ${audioId}`)));
  return plays.map((play) => (unknown.has(play) ? { ...play, source: 'playlist' } : play));
}
