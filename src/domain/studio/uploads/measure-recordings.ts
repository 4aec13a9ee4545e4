import { sql } from 'drizzle-orm';
import { audios, recordings, unmeasuredRecordings } from '../../catalogue/tables.ts';
import type { RecordingMeasures } from '../../gateways.ts';
import type { Db } from '../../kernel/db.ts';
import { holdFile } from './keep-recording.ts';
import type { SoundTools } from './process-upload.ts';

type Due = { id: string; fileKey: string };

const batch = 20;

/**
 * Measures audios without measures, one after the other. Each result is stored at once, so it may end at any moment.
 * @param max audios per run
 */
export async function measureRecordings(
  { db, blobs, engine }: SoundTools,
  { signal, max = 200 }: { signal?: AbortSignal | undefined; max?: number } = {},
): Promise<{ measured: number; failed: number }> {
  const counts = { measured: 0, failed: 0 };
  // Checked at each run, because it may have been installed meanwhile.
  if ((await findUnmeasured(db, 1)).length === 0 || (await engine.version()) === undefined) return counts;
  while (counts.measured + counts.failed < max) {
    const due = await findUnmeasured(db, batch);
    if (due.length === 0) break;
    for (const audio of due) {
      signal?.throwIfAborted();
      const isHere = (await blobs.stat(audio.fileKey)) !== undefined;
      const measured = isHere ? await engine.measure({ key: audio.fileKey }, { signal }) : undefined;
      if (measured?.ok === false && measured.reason === 'engine-missing') return counts;
      if (measured?.ok === true) {
        await writeMeasures(db, audio, measured);
        counts.measured += 1;
      } else {
        await noteUnmeasurable(db, audio, measured?.detail ?? 'is not in the storage');
        counts.failed += 1;
      }
    }
  }
  return counts;
}

async function findUnmeasured(db: Db, limit: number): Promise<Due[]> {
  const isMeasured = sql`exists (select from ${recordings} r where r.audio_id = ${audios.id} and r.file_key = ${audios.fileKey})`;
  const isTried = sql`exists (select from ${unmeasuredRecordings} u where u.audio_id = ${audios.id} and u.tried_file = ${audios.fileKey})`;
  return db
    .select({ id: audios.id, fileKey: audios.fileKey })
    .from(audios)
    .where(sql`${audios.deletedAt} is null and not ${isMeasured} and not ${isTried}`)
    .orderBy(audios.id)
    .limit(limit);
}

async function writeMeasures(db: Db, { id, fileKey }: Due, { facts, peaks }: RecordingMeasures): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await holdFile(tx, { id, fileKey }))) return;
    const nothing = { originalKey: null, originalName: null, originalBytes: null, smallKey: null, smallMime: null };
    const values = { ...nothing, smallBytes: null, fileKey, facts, peaks: Buffer.from(peaks), measuredAt: sql`now()` };
    await tx
      .insert(recordings)
      .values({ audioId: id, ...values })
      .onConflictDoUpdate({ target: recordings.audioId, set: values });
  });
}

async function noteUnmeasurable(db: Db, { id, fileKey }: Due, reason: string): Promise<void> {
  await db.execute(sql`
    insert into ${unmeasuredRecordings} (audio_id, tried_file, reason)
    select id, file_key, ${reason} from ${audios} where id = ${id} and file_key = ${fileKey}
    on conflict (audio_id) do update set tried_file = excluded.tried_file, reason = excluded.reason, tried_at = now()`);
}
