import { type SQL, and, asc, eq, isNull, max, sql } from 'drizzle-orm';
import { claimSlug } from '../../catalogue/editing/slugs.ts';
import { categories, series, seriesItems, voices } from '../../catalogue/tables.ts';
import type { Db } from '../../kernel/db.ts';
import { newId, sortKey, toSlug } from '../../kernel/ids.ts';

/** Finds an imported audio's voice, categories and series by name, and creates missing ones. */

type FoundOrCreated<Thing> = Thing & { id: string; slug: string; isNew: boolean };

/** @param wanted `isChosen`: by the operator, who may give a slug; an artist tag is matched by name only */
export async function findOrCreateVoice(
  tx: Db,
  wanted: { name: string; isChosen: boolean; voiceTypeLabel: string; language?: string | undefined },
): Promise<FoundOrCreated<{ name: string }>> {
  const { name, isChosen, voiceTypeLabel, language } = wanted;
  const found =
    (isChosen ? await findVoice(tx, eq(voices.slug, name)) : undefined) ??
    (await findVoice(tx, sql`lower(${voices.name}) = lower(${name})`));
  if (found !== undefined) return { ...found, isNew: false };
  const voice = { id: newId(), slug: await claimSlug(tx, 'voices', name), name };
  await tx.insert(voices).values({ ...voice, sortName: sortKey(name), voiceTypeLabel, language });
  return { ...voice, isNew: true };
}

async function findVoice(tx: Db, condition: SQL) {
  const [found] = await tx
    .select({ id: voices.id, slug: voices.slug, name: voices.name })
    .from(voices)
    .where(and(condition, isNull(voices.mergedInto), isNull(voices.deletedAt)))
    .orderBy(asc(voices.id))
    .limit(1);
  return found;
}

/** @returns `ids` in the order of the labels, without duplicates */
export async function findOrCreateCategories(tx: Db, labels: string[]): Promise<{ ids: string[]; newSlugs: string[] }> {
  const ids = new Set<string>();
  const newSlugs: string[] = [];
  for (const label of labels) {
    const category = (await findCategory(tx, label)) ?? (await createCategory(tx, label));
    ids.add(category.id);
    if (category.isNew) newSlugs.push(category.slug);
  }
  return { ids: [...ids], newSlugs };
}

async function findCategory(tx: Db, label: string) {
  const [found] = await tx
    .select({ id: categories.id, slug: categories.slug })
    .from(categories)
    .where(
      and(
        isNull(categories.deletedAt),
        sql`(lower(${categories.label}) = lower(${label}) or ${categories.slug} = ${toSlug(label)})`,
      ),
    )
    .orderBy(asc(categories.position), asc(categories.id))
    .limit(1);
  return found && { ...found, isNew: false };
}

async function createCategory(tx: Db, label: string) {
  const [last] = await tx.select({ position: max(categories.position) }).from(categories);
  const position = (last?.position ?? -1) + 1;
  const category = { id: newId(), slug: await claimSlug(tx, 'categories', label) };
  await tx.insert(categories).values({ ...category, label, position });
  return { ...category, isNew: true };
}

/** Series of the same title are kept apart by voice; null is a series of several voices. */
export async function findOrCreateSeries(
  tx: Db,
  wanted: { title: string; voiceId: string | null; imageKey: string | null },
): Promise<FoundOrCreated<{ title: string }>> {
  const { title, voiceId, imageKey } = wanted;
  const [found] = await tx
    .select({ id: series.id, slug: series.slug, title: series.title })
    .from(series)
    .where(
      and(sql`lower(${series.title}) = lower(${title})`, sql`${series.voiceId} is not distinct from ${voiceId}::uuid`),
    )
    .orderBy(asc(series.id))
    .limit(1);
  if (found !== undefined) return { ...found, isNew: false };
  const created = { id: newId(), slug: await claimSlug(tx, 'series', title), title };
  await tx.insert(series).values({ ...created, sortTitle: sortKey(title), voiceId, imageKey });
  return { ...created, isNew: true };
}

/** @param place the wanted position; the audio goes last when it is undefined or taken */
export async function addToSeries(tx: Db, seriesId: string, audioId: string, place: number | undefined): Promise<void> {
  const items = await tx
    .select({ position: seriesItems.position })
    .from(seriesItems)
    .where(eq(seriesItems.seriesId, seriesId));
  const taken = items.map(({ position }) => position);
  const isFree = place !== undefined && !taken.includes(place);
  const position = isFree ? place : Math.max(-1, ...taken) + 1;
  await tx.insert(seriesItems).values({ seriesId, audioId, position });
}
