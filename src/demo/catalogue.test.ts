import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { canonicalLanguage } from '#formats/canonical-language.ts';
import { readDemoCatalogue } from './catalogue.ts';

test('each translation has a line for each that is spoken', async () => {
  const demoDir = fileURLToPath(new URL('../../demo', import.meta.url));
  const { translations, recordings } = await readDemoCatalogue(demoDir);
  for (const [slug, byLanguage] of Object.entries(translations))
    for (const [language, lines] of Object.entries(byLanguage)) {
      expect(canonicalLanguage(language)).toBe(language);
      expect([slug, language, lines.length]).toEqual([slug, language, recordings.get(slug)?.cues.length]);
    }
});
