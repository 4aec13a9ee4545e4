import { eq } from 'drizzle-orm';
import type { Language } from '#formats/languages.ts';
import { holdSlugs } from '../../catalogue/editing/slugs.ts';
import { findOrCreateTag } from '../../catalogue/editing/tag-names.ts';
import {
  type FacetPreset,
  facetPresets,
  textIn,
  translationsOf,
  translationsOfFacet,
} from '../../catalogue/facets/presets.ts';
import { countCrowdedAudios } from '../../catalogue/facets/tags-of-audios.ts';
import { facets, tags } from '../../catalogue/tables.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { orRefusal } from '../../kernel/refused.ts';
import { findSetting } from '../../settings/change-setting.ts';
import { languageSetting } from '../../settings/languages.ts';
import { translations } from '../../settings/tables.ts';
import { canAdminister } from '../rules.ts';
import { putTags, tagsOf } from './facet-tags.ts';
import { insertFacet } from './facets.ts';
import { type FacetRefusal, notFound } from './hold-facets.ts';

type Added = { ok: true; facets: number; tags: number };

/**
 * Adds the facets to start with, and what they lack of their tags. Existing tags with the same name move in, unless they
 * are in another facet. All texts come in every language.
 * @returns how many facets and tags are new in them; none the second time
 */
export async function addFacetPresets(db: Db, actor: Actor): Promise<Added | FacetRefusal> {
  if (!canAdminister(actor)) return notFound;
  return orRefusal<Added | FacetRefusal>(db, async (tx) => {
    await holdSlugs(tx);
    const { ownTexts } = (await findSetting(tx, languageSetting)).value;
    const added: Added = { ok: true, facets: 0, tags: 0 };
    for (const preset of facetPresets) {
      const one = await addPreset(tx, actor, preset, ownTexts);
      added.facets += one.isNew ? 1 : 0;
      added.tags += one.tags;
    }
    return added;
  });
}

async function addPreset(tx: Db, actor: Actor, preset: FacetPreset, own: Language) {
  const [known] = await tx.select().from(facets).where(eq(facets.slug, preset.slug));
  const before = known === undefined ? [] : await tagsOf(tx, known.id);
  const ids = before.map(({ id }) => id);
  const texts = [];
  for (const text of preset.tags) {
    const id = await findOrCreateTag(tx, textIn(text, own));
    const [tag] = await tx.select().from(tags).where(eq(tags.id, id));
    if (ids.includes(id) || tag === undefined || tag.facetId !== null) continue;
    // Taken out of it by an operator, and since then beside another one.
    if (known?.chooses === 'one' && (await countCrowdedAudios(tx, [...ids, id], [id])) > 0) continue;
    ids.push(id);
    texts.push(...translationsOf(text, { kind: 'tag', subject: id, field: 'label', source: tag.label }, own));
  }
  const facet = known ?? (await createPreset(tx, actor, preset, own, ids));
  if (known === undefined) texts.push(...translationsOfFacet(preset, facet.id, own));
  if (ids.length > before.length) await putTags(tx, actor, facet, { now: before, ids });
  // Those that are there stay.
  if (texts.length > 0) await tx.insert(translations).values(texts).onConflictDoNothing();
  return { isNew: known === undefined, tags: ids.length - before.length };
}

/** Takes several tags of an audio where audios have them already. */
async function createPreset(tx: Db, actor: Actor, preset: FacetPreset, own: Language, ids: string[]) {
  const { slug } = preset;
  const [label, explanation] = [textIn(preset.label, own), textIn(preset.explanation, own)];
  const hasContentNotes = preset.hasContentNotes && (await tx.$count(facets, eq(facets.hasContentNotes, true))) === 0;
  const chooses = (await countCrowdedAudios(tx, ids)) > 0 ? ('many' as const) : preset.chooses;
  const form = { label, explanation, chooses, isRequired: false, hasContentNotes };
  return { id: await insertFacet(tx, actor, { ...form, slug }), label, chooses };
}
