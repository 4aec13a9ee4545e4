import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import { voices } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { UploadState } from '../../studio/rules.ts';
import { uploads } from '../../studio/tables.ts';
import { isRetriable } from '../../studio/uploads/uploads.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { OpenUploadState } from '../rules.ts';

export const maxUploads = 50;
/** Counts stop here. */
const maxCounted = 1000;

const statesOf: Record<OpenUploadState, UploadState[]> = { processing: ['waiting', 'processing'], failed: ['failed'] };

const isOpen = (state: OpenUploadState) => and(inArray(uploads.state, statesOf[state]), isNull(uploads.removedAt));

/** Files of all creators that are processed or failed, the latest first. */
export async function listUploads(db: Db, actor: Actor, state: OpenUploadState) {
  administratorsOnly(actor);
  const rows = await db
    .select({ upload: uploads, voice: { slug: voices.slug, name: voices.name } })
    .from(uploads)
    .innerJoin(voices, eq(voices.id, uploads.voiceId))
    .where(isOpen(state))
    .orderBy(desc(uploads.updatedAt), desc(uploads.id))
    .limit(maxUploads);
  return rows.map(({ upload, voice }) => ({
    id: upload.id,
    title: upload.title,
    fileName: upload.fileName,
    state: upload.state,
    progress: upload.progress,
    failure: upload.failure,
    voice,
    isRetriable: isRetriable(upload),
    changedAt: upload.updatedAt.toISOString(),
  }));
}
export type AdminUpload = Awaited<ReturnType<typeof listUploads>>[number];

export async function countUploads(db: Db, actor: Actor): Promise<Record<OpenUploadState, number>> {
  administratorsOnly(actor);
  const count = async (state: OpenUploadState) => {
    const found = db.select({ id: uploads.id }).from(uploads).where(isOpen(state)).limit(maxCounted);
    return (await found).length;
  };
  const [processing, failed] = await Promise.all([count('processing'), count('failed')]);
  return { processing, failed };
}
