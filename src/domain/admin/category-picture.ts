import { eq } from 'drizzle-orm';
import { imageUrl } from '../catalogue/audios.ts';
import { categories } from '../catalogue/tables.ts';
import type { Actor } from '../kernel/actor.ts';
import { isId } from '../kernel/ids.ts';
import type { NotAPicture, PictureTools } from '../studio/editing.ts';
import { withPicture } from '../studio/editing.ts';
import { administratorsOnly } from './administrators-only.ts';
import { recordByOperator } from './record.ts';

type Outcome = { ok: true; slug: string } | NotAPicture | { ok: false; reason: 'not-found' | 'changed' };

/**
 * @param picture null takes it away
 * @param before address of the picture that the operator saw; absent: whatever it is
 */
export async function setCategoryPicture(
  tools: PictureTools,
  actor: Actor,
  idOrSlug: string,
  { picture, before }: { picture: Uint8Array | null; before?: string | null | undefined },
): Promise<Outcome> {
  administratorsOnly(actor);
  return withPicture<Outcome>(tools, picture, async (tx, kept) => {
    const [category] = await tx
      .select()
      .from(categories)
      .where(isId(idOrSlug) ? eq(categories.id, idOrSlug) : eq(categories.slug, idOrSlug))
      .for('no key update');
    if (category === undefined) return { result: { ok: false, reason: 'not-found' } };
    const { id, slug, label, imageKey } = category;
    if (before !== undefined && before !== imageUrl(imageKey)) return { result: { ok: false, reason: 'changed' } };
    await tx.update(categories).set(kept).where(eq(categories.id, id));
    await recordByOperator(tx, actor, {
      action: 'category.edit',
      subject: { type: 'category', id, name: label },
      before: { imageKey },
      after: { imageKey: kept.imageKey },
    });
    return { result: { ok: true, slug }, before: imageKey };
  });
}
