import { and, eq, inArray, isNull } from 'drizzle-orm';
import { maxCredits } from '../../catalogue/credits/rules.ts';
import { credits } from '../../catalogue/credits/tables.ts';
import { editAudio } from '../../catalogue/editing/editing.ts';
import type { Cue } from '../../catalogue/rules.ts';
import { audios, categories, transcriptTranslations } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import type { ImportedItem } from './archive-shapes.ts';

type Kept = {
  archived: NonNullable<ImportedItem['archived']>;
  translations: { language: string; cues: Cue[] }[] | null;
};

/** Gives a new audio what an archive knows of it beside the fields of a feed. The caller holds the slugs. */
export async function keepArchived(
  tx: Db,
  { audioId, voiceId }: { audioId: string; voiceId: string },
  { archived, translations }: Kept,
): Promise<void> {
  const { slug, color, badge, commenters, commentHold, tags } = archived;
  const known = await tx
    .select({ slug: categories.slug })
    .from(categories)
    .where(and(inArray(categories.slug, [...archived.categories, '']), isNull(categories.deletedAt)));
  const slugs = new Set(known.map((one) => one.slug));
  const edit = { color, badge, commenters, categories: archived.categories.filter((one) => slugs.has(one)) };
  await editAudio(tx, audioId, edit);
  // Taken by another audio: it has the one of its title.
  await editAudio(tx, audioId, { slug });
  // Not those of which a facet here takes only one.
  await editAudio(tx, audioId, { tags });
  const pausedUntil = archived.commentsPausedUntil === null ? null : new Date(archived.commentsPausedUntil);
  await tx
    .update(audios)
    .set({ commentHold, commentsPausedUntil: pausedUntil !== null && pausedUntil > new Date() ? pausedUntil : null })
    .where(eq(audios.id, audioId));
  // Pages of others at the former site are names here: nobody has agreed to a credit at this one (decision 094).
  if (archived.credits.length > 0)
    await tx
      .insert(credits)
      .values(
        archived.credits.slice(0, maxCredits).map(({ role, name, voice }, position) => ({
          id: newId(),
          audioId,
          position,
          role,
          ...(voice !== null && voice.slug === archived.creatorSlug ? { voiceId } : { name }),
        })),
      )
      .onConflictDoNothing();
  if (translations !== null && translations.length > 0)
    await tx.insert(transcriptTranslations).values(translations.map((one) => ({ ...one, audioId })));
}
