import { createHash } from 'node:crypto';
import { audios } from '#domain/catalogue/tables.ts';
import { voiceOwners } from '#domain/community/tables.ts';
import type { Blobs } from '#domain/gateways.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newId } from '#domain/kernel/ids.ts';
import { uploads } from '#domain/studio/tables.ts';
import { eq } from 'drizzle-orm';
import { createUser, createVoice } from '../factories.ts';

/** A voice and the user who owns it. */
export async function createCreator(db: Db) {
  const voice = await createVoice(db);
  const user = await createUser(db);
  await db.insert(voiceOwners).values({ voiceId: voice.id, userId: user.id });
  return { voiceId: voice.id, userId: user.id };
}

/** A received file that waits to be processed. */
export async function createArrivedUpload(
  { db, blobs }: { db: Db; blobs: Blobs },
  content: Uint8Array,
  upload: { voiceId: string; userId: string } & Partial<typeof uploads.$inferInsert>,
): Promise<string> {
  const originalKey = `originals/${createHash('sha256').update(content).digest('hex').slice(0, 20)}.wav`;
  await blobs.write(originalKey, content);
  const id = newId();
  await db.insert(uploads).values({
    id,
    fileName: 'recording.wav',
    title: 'A Recording',
    bytes: content.length,
    state: 'waiting',
    originalKey,
    ...upload,
  });
  return id;
}

export async function findUpload(db: Db, id: string) {
  const [row] = await db.select().from(uploads).where(eq(uploads.id, id));
  if (row === undefined) throw new Error('there is no such upload');
  return row;
}

export async function findAudioRow(db: Db, id: string | null) {
  const [row] = await db
    .select()
    .from(audios)
    .where(eq(audios.id, id ?? newId()));
  if (row === undefined) throw new Error('there is no such audio');
  return row;
}
