import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import { isPublished } from './audios.ts';
import { findPreviewId } from './site-settings.ts';
import { audios, recordings } from './tables.ts';

/** Characters of a waveform. */
const bars = 150;

const preparedPeaks = prepareOnce((db) =>
  db
    .select({ peaks: recordings.peaks })
    .from(audios)
    .innerJoin(recordings, and(eq(recordings.audioId, audios.id), eq(recordings.fileKey, audios.fileKey)))
    .where(and(eq(audios.id, sql.placeholder('audioId')), isPublished))
    .prepare('peaks'),
);

/**
 * Loudness along a published audio: one base-36 digit for each bar, `z` for the loudest.
 * @returns undefined until its current file is measured
 */
export async function findWaveform(db: Db, audioId: string): Promise<string | undefined> {
  if (!isId(audioId)) return undefined;
  const [row] = await preparedPeaks(db).execute({ audioId });
  return row && toBars(row.peaks);
}

/** Waveform of the preview, for Home's hero. */
export async function findPreviewWaveform(db: Db): Promise<string | undefined> {
  const id = await findPreviewId(db);
  return id === undefined ? undefined : findWaveform(db, id);
}

/** @param peaks pairs of bytes, peak and loudness; the loudness shows phrases and pauses */
export function toBars(peaks: Uint8Array): string {
  const points = peaks.length / 2;
  const heights = Array.from({ length: bars }, (_none, bar) => {
    const from = Math.floor((bar * points) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * points) / bars));
    let squares = 0;
    for (let point = from; point < to; point += 1) squares += peaks[2 * point + 1]! ** 2;
    return Math.sqrt(squares / (to - from));
  });
  const max = Math.max(1, ...heights);
  return heights.map((height) => Math.round((35 * height) / max).toString(36)).join('');
}
