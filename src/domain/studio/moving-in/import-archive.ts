import { and, eq, isNull } from 'drizzle-orm';
import { findFreeSlug, holdSlugs } from '../../catalogue/editing/slugs.ts';
import { voices } from '../../catalogue/tables.ts';
import { type OpenArchive, WebRefusal } from '../../gateways.ts';
import type { Actor, ActorRole } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { newId, sortKey } from '../../kernel/ids.ts';
import { roleIn } from '../../kernel/rules.ts';
import { type StartedImport, enterImport, importFeedJob } from '../feed-imports/imports.ts';
import { usualChoices } from '../feed-imports/rules.ts';
import type { QueueParts } from '../queue-parts.ts';
import type { ArchivedCreator } from './archive-shapes.ts';
import { readCreator } from './read-archive.ts';

export type StoredArchive = {
  /** Names its blob. */
  key: string;
  /** File name. */
  name: string;
  /** The creator's, with its slash; empty: the archive is a creator's. */
  folder?: string;
};

type Wanted = StoredArchive & {
  /** Slug of a creator who is here; default: a new one. */
  voice?: string | undefined;
  /** Audios that were published stay drafts. */
  asDrafts?: boolean | undefined;
};

export type ArchiveStart =
  | { ok: true; id: string; slug: string }
  | { ok: false; reason: 'not-an-archive' | 'slug-taken' | Exclude<StartedImport, { ok: true }>['reason'] };

/** For operators: a creator from their archive, with all that is in it, as a job. */
export async function importArchive(
  { db, addJobs, openArchive }: QueueParts & { openArchive: OpenArchive },
  actor: Actor,
  { key, name, folder = '', voice: chosen, asDrafts = false }: Wanted,
): Promise<ArchiveStart> {
  const newVoiceId = newId();
  const role = roleIn(actor, newVoiceId);
  if (role === undefined) return { ok: false, reason: 'not-found' };
  const creator = await readCreatorOf(openArchive, key, folder);
  if (creator === undefined) return { ok: false, reason: 'not-an-archive' };
  const started = await db.transaction(async (tx): Promise<ArchiveStart> => {
    await holdSlugs(tx);
    const slug = chosen ?? creator.slug;
    const [known] = await tx
      .select({ id: voices.id })
      .from(voices)
      .where(and(eq(voices.slug, slug), isNull(voices.mergedInto), isNull(voices.deletedAt)));
    if (chosen !== undefined && known === undefined) return { ok: false, reason: 'not-found' };
    if (chosen === undefined && known !== undefined) return { ok: false, reason: 'slug-taken' };
    const voiceId = known?.id ?? newVoiceId;
    if (known === undefined) await createVoice(tx, { actor, role }, voiceId, creator);
    const entered = await enterImport(tx, actor, voiceId, {
      archiveName: name,
      archiveKey: key,
      archiveFolder: folder,
      runsAlone: true,
      choices: { ...usualChoices, publishes: !asDrafts },
    });
    return entered.ok ? { ...entered, slug } : entered;
  });
  if (started.ok) await addJobs(importFeedJob, [started.id]);
  return started;
}

async function readCreatorOf(openArchive: OpenArchive, key: string, folder: string) {
  try {
    const files = await openArchive(key, folder);
    try {
      return await readCreator(files);
    } finally {
      files.close();
    }
  } catch (error) {
    if (error instanceof WebRefusal) return undefined;
    throw error;
  }
}

/** The page is filled when its audios are here. */
async function createVoice(
  tx: Db,
  by: { actor: Actor; role: ActorRole },
  id: string,
  { name, slug: wanted, voiceType, language }: ArchivedCreator,
): Promise<void> {
  const slug = await findFreeSlug(tx, 'voices', wanted);
  await tx.insert(voices).values({ id, slug, name, sortName: sortKey(name), voiceTypeLabel: voiceType, language });
  const subject = { type: 'voice', id, name } as const;
  const after = { name, slug, voiceType, language };
  await recordChange(tx, { ...by, action: 'voice.create', subject, voiceId: id, after });
}
