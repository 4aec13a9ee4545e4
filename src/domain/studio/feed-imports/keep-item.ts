import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Chapter } from '../../catalogue/chapter-rules.ts';
import { pathOfOldPage } from '../../catalogue/old-paths.ts';
import type { Cue } from '../../catalogue/rules.ts';
import { audios, episodeNumbers, importedAudios, oldPaths, transcripts } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { publishAudio } from '../audios/publishing.ts';
import type { ImportedItem } from '../moving-in/archive-shapes.ts';
import { keepArchived } from '../moving-in/keep-archived.ts';
import { feedImportItems as items, feedImports as imports } from '../tables.ts';
import { type FeedImportChoices, usualChoices } from './rules.ts';

/** An item of a feed whose file is about to become an audio. */
export type ArrivedItem = {
  importId: string;
  position: number;
  item: ImportedItem;
  imageKey: string | null;
  cues: Cue[] | null;
  translations: { language: string; cues: Cue[] }[] | null;
  chapters: Chapter[] | null;
  choices: FeedImportChoices;
  isByOperator: boolean;
};

/**
 * The item that this upload is the file of. The caller holds the slugs, so that two imports do not make an audio of one
 * GUID.
 * @returns undefined for another upload
 */
export async function findArrivedItem(tx: Db, uploadId: string): Promise<ArrivedItem | undefined> {
  const [row] = await tx
    .select({
      importId: items.importId,
      position: items.position,
      item: items.item,
      imageKey: items.imageKey,
      cues: items.cues,
      translations: items.translations,
      chapters: items.chapters,
      choices: imports.choices,
      isByOperator: imports.isByOperator,
    })
    .from(items)
    .innerJoin(imports, eq(imports.id, items.importId))
    .where(eq(items.uploadId, uploadId));
  return row && { ...row, choices: { ...usualChoices, ...row.choices } };
}

/** Whether an audio of the creator was made from this item before. */
export async function isImported(tx: Db, voiceId: string, { item }: ArrivedItem): Promise<boolean> {
  const [found] = await tx
    .select({ id: audios.id })
    .from(importedAudios)
    .innerJoin(audios, eq(audios.id, importedAudios.audioId))
    .where(and(eq(importedAudios.guid, item.guid), eq(audios.voiceId, voiceId), isNull(audios.deletedAt)))
    .limit(1);
  return found !== undefined;
}

const isOfDeleted = sql`exists (select from audios a where a.id = ${sql.raw('old_paths.audio_id')} and a.deleted_at is not null)`;

/** Columns of the new audio. */
export function columnsOf({ item, imageKey }: ArrivedItem) {
  return { description: item.description, imageKey };
}

/** Keeps the rest of the item; then the audio is published as of its date, unless something keeps it from that. */
export async function keepItem(
  tx: Db,
  { audioId, voiceId, actor }: { audioId: string; voiceId: string; actor: Actor },
  { importId, position, item, cues, translations, choices }: ArrivedItem,
): Promise<void> {
  const publishedAt = item.publishedAt === undefined ? null : new Date(item.publishedAt);
  await tx.insert(importedAudios).values({ audioId, guid: item.guid, keepsGuid: choices.keepsGuids, publishedAt });
  if (cues !== null) await tx.insert(transcripts).values({ audioId, cues });
  if (item.archived !== undefined)
    await keepArchived(tx, { audioId, voiceId }, { archived: item.archived, translations });
  if (item.episode !== undefined)
    // Taken by another season.
    await tx.insert(episodeNumbers).values({ voiceId, audioId, number: item.episode }).onConflictDoNothing();
  const path = pathOfOldPage(item.link);
  if (path !== undefined)
    await tx.insert(oldPaths).values({ path, audioId }).onConflictDoUpdate({
      target: oldPaths.path,
      // Its audio was deleted, or the page has another episode now.
      set: { audioId },
      setWhere: isOfDeleted,
    });
  const wasDraft = item.archived !== undefined && publishedAt === null;
  const held = choices.publishes && !wasDraft ? await publish(tx, audioId, publishedAt, actor) : null;
  await tx
    .update(items)
    .set({ outcome: 'made', audioId, held, cues: null, translations: null, chapters: null })
    .where(and(eq(items.importId, importId), eq(items.position, position)));
}

/** @returns what keeps it a draft, or makes it wait */
async function publish(tx: Db, audioId: string, at: Date | null, actor: Actor): Promise<string | null> {
  // Today would be wrong.
  if (at === null) return 'no-date';
  const published = await publishAudio(tx, actor, audioId, at);
  if (!published.ok) return published.reason;
  return published.audio.review === null ? null : 'in-review';
}
