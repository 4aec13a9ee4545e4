import { inArray } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { audios } from './tables.ts';

/** What a feed must say of a sound file. */
export type Enclosure = { mime: string; bytes: number };

export async function findEnclosures(db: Db, audioIds: string[]): Promise<Map<string, Enclosure>> {
  if (audioIds.length === 0) return new Map();
  const rows = await db
    .select({ id: audios.id, mime: audios.fileMime, bytes: audios.fileBytes })
    .from(audios)
    .where(inArray(audios.id, audioIds));
  return new Map(rows.map(({ id, ...enclosure }) => [id, enclosure]));
}
