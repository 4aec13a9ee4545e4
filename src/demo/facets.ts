import { eq } from 'drizzle-orm';
import { sourceLanguage } from '#formats/languages.ts';
import { facetPresets, textIn, translationsOf, translationsOfFacet } from '#domain/catalogue/facets/presets.ts';
import { facets, tags } from '#domain/catalogue/tables.ts';
import type { Db } from '#domain/kernel/db.ts';
import { translations } from '#domain/settings/tables.ts';
import type { Demo } from './catalogue-rows.ts';

/** The facets to start with, and those of their tags that the demo has, in every language. */
export async function insertFacets(tx: Db, { catalogue, idOf }: Demo): Promise<void> {
  const labels = new Set(catalogue.audios.flatMap((audio) => audio.tags));
  const texts = [];
  for (const [position, preset] of facetPresets.entries()) {
    const { slug, chooses, hasContentNotes } = preset;
    const [id, label, explanation] = [
      idOf('facet', slug),
      textIn(preset.label, sourceLanguage),
      textIn(preset.explanation, sourceLanguage),
    ];
    await tx.insert(facets).values({ id, slug, label, explanation, position, chooses, hasContentNotes });
    texts.push(...translationsOfFacet(preset, id, sourceLanguage));
    const here = preset.tags.filter((text) => labels.has(textIn(text, sourceLanguage)));
    for (const [place, text] of here.entries()) {
      const source = textIn(text, sourceLanguage);
      const subject = idOf('tag', source);
      await tx.update(tags).set({ facetId: id, position: place }).where(eq(tags.id, subject));
      texts.push(...translationsOf(text, { kind: 'tag', subject, field: 'label', source }, sourceLanguage));
    }
  }
  await tx.insert(translations).values(texts);
}
