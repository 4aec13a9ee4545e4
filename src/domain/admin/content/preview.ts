import { eq } from 'drizzle-orm';
import { findPreview as findStored } from '../../catalogue/site-settings.ts';
import { users } from '../../identity/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import type { ManagedAudio } from '../../studio/audios/audio-list.ts';
import { findManagedAudios } from '../../studio/audios/audio-list.ts';
import { administratorsOnly } from '../administrators-only.ts';

export type AdminPreview = {
  /** Null: none was chosen, or it was purged. */
  audio: ManagedAudio | null;
  revision: number;
  /** ISO 8601; null without one. */
  since: string | null;
  /** Username of the operator who chose it; null: the command line, or a deleted account. */
  by: string | null;
};

/** The preview as operators see it, even when visitors cannot hear it. */
export async function findPreview(db: Db, actor: Actor): Promise<AdminPreview> {
  administratorsOnly(actor);
  const { audioId, revision, changedBy, changedAt } = await findStored(db);
  const [audio] = audioId === undefined ? [] : await findManagedAudios(db, [audioId]);
  const [user] =
    changedBy === null ? [] : await db.select({ username: users.username }).from(users).where(eq(users.id, changedBy));
  return { audio: audio ?? null, revision, since: changedAt?.toISOString() ?? null, by: user?.username ?? null };
}
