import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { imageUrlSql } from '../../catalogue/audios.ts';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import { categories } from '../../catalogue/tables.ts';
import { countedAudios } from '../../catalogue/totals.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import { type Db, pick } from '../../kernel/db.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { type CategoryEdit, type CategoryForm, maxOrdered } from '../forms.ts';
import { recordByOperator } from '../record.ts';
import { canAdminister } from '../rules.ts';
import { type EditOutcome, isChangedSince } from '../../kernel/seen.ts';

/** In the operators' order, hidden ones too. */
export async function listCategories(db: Db, actor: Actor) {
  if (!canAdminister(actor)) return [];
  return db
    .select({
      ...pick(categories, 'id', 'slug', 'label', 'description'),
      imageUrl: imageUrlSql(categories.imageKey),
      isHidden: sql<boolean>`${categories.hiddenAt} is not null`,
      audios: countedAudios(
        'category',
        sql`categories.id`,
        sql`select count(*)::int from audio_categories ac where ac.category_id = categories.id`,
      ),
      voices: sql<number>`(select count(*)::int from voices v where v.category_id = categories.id)`,
      /** Listeners who have it as a favorite. */
      favorites: sql<number>`(select count(*)::int from category_favorites f where f.content_id = categories.id)`,
    })
    .from(categories)
    .where(isNull(categories.deletedAt))
    .orderBy(asc(categories.position), asc(categories.id))
    .limit(maxOrdered);
}
export type AdminCategory = Awaited<ReturnType<typeof listCategories>>[number];

/** Choices for form fields: `listCategories` without the counts. */
export async function listCategoryChoices(db: Db, actor: Actor) {
  if (!canAdminister(actor)) return [];
  return db
    .select(pick(categories, 'id', 'slug', 'label'))
    .from(categories)
    .where(isNull(categories.deletedAt))
    .orderBy(asc(categories.position), asc(categories.id))
    .limit(maxOrdered);
}

/** Added at the end of the list. */
export async function createCategory(db: Db, actor: Actor, form: CategoryForm): Promise<string | undefined> {
  if (!canAdminister(actor)) return undefined;
  return db.transaction(async (tx) => {
    const category = { id: newId(), slug: await claimSlug(tx, 'categories', form.label), ...form };
    const position = sql`(select coalesce(max(position), -1) + 1 from categories)`;
    await tx.insert(categories).values({ ...category, position });
    await recordByOperator(tx, actor, {
      action: 'category.create',
      subject: { type: 'category', id: category.id, name: form.label },
      after: { label: form.label, description: form.description },
    });
    return category.id;
  });
}

/** Keeps the slug. */
export async function editCategory(db: Db, actor: Actor, id: string, edit: CategoryEdit): Promise<EditOutcome> {
  if (!canAdminister(actor) || !isId(id)) return { ok: false, reason: 'not-found' };
  return db.transaction(async (tx): Promise<EditOutcome> => {
    const [before] = await tx
      .select()
      .from(categories)
      .where(and(eq(categories.id, id), isNull(categories.deletedAt)))
      .for('no key update');
    if (before === undefined) return { ok: false, reason: 'not-found' };
    if (isChangedSince(edit.before, before)) throw await changedMeanwhile(tx, { type: 'category', id });
    const { isHidden, ...fields } = edit;
    const after = {
      label: fields.label ?? before.label,
      description: fields.description ?? before.description,
      hidden: isHidden ?? before.hiddenAt !== null,
    };
    await tx
      .update(categories)
      .set({
        label: after.label,
        description: after.description,
        hiddenAt: after.hidden ? sql`coalesce(${categories.hiddenAt}, now())` : null,
      })
      .where(eq(categories.id, id));
    await recordByOperator(tx, actor, {
      action: isHidden === undefined ? 'category.edit' : isHidden ? 'category.hide' : 'category.show',
      subject: { type: 'category', id, name: before.label },
      before: { label: before.label, description: before.description, hidden: before.hiddenAt !== null },
      after,
    });
    return { ok: true };
  });
}
