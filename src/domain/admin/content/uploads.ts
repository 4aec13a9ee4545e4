import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import { voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { PendingUpload } from '../../studio/audios/audio-list.ts';
import { retriableFailures } from '../../studio/rules.ts';
import type { UploadState } from '../../studio/rules.ts';
import { uploads } from '../../studio/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { OpenUploadState } from '../rules.ts';

export type AdminUpload = PendingUpload & {
  voice: { slug: string; name: string };
  isRetriable: boolean;
  changedAt: string;
};

export const maxUploads = 50;
/** Counts stop here. */
const maxCounted = 1000;

const statesOf: Record<OpenUploadState, UploadState[]> = { processing: ['waiting', 'processing'], failed: ['failed'] };

const isOpen = (state: OpenUploadState) => and(inArray(uploads.state, statesOf[state]), isNull(uploads.removedAt));

/** Files of all creators that are processed or failed, the latest first. */
export async function listUploads(db: Db, actor: Actor, state: OpenUploadState): Promise<AdminUpload[]> {
  administratorsOnly(actor);
  const rows = await db
    .select({ upload: uploads, voice: { slug: voices.slug, name: voices.name } })
    .from(uploads)
    .innerJoin(voices, eq(voices.id, uploads.voiceId))
    .where(isOpen(state))
    .orderBy(desc(uploads.updatedAt), desc(uploads.id))
    .limit(maxUploads);
  return rows.map(({ upload, voice }) => {
    const { id, title, fileName, step, progress, failure, failureDetail, originalKey, updatedAt } = upload;
    return {
      id,
      title,
      fileName,
      state: upload.state as PendingUpload['state'],
      step,
      progress,
      failure,
      failureDetail,
      voice,
      isRetriable:
        state === 'failed' && originalKey !== null && failure !== null && retriableFailures.includes(failure),
      changedAt: updatedAt.toISOString(),
    };
  });
}

export async function countUploads(db: Db, actor: Actor): Promise<Record<OpenUploadState, number>> {
  administratorsOnly(actor);
  const count = async (state: OpenUploadState) => {
    const found = db.select({ id: uploads.id }).from(uploads).where(isOpen(state)).limit(maxCounted);
    return (await found).length;
  };
  const [processing, failed] = await Promise.all([count('processing'), count('failed')]);
  return { processing, failed };
}
