import { defineConfig } from '@lingui/conf';
import babelExtractor from '@lingui/cli/api/extractors/babel';
import { formatter } from '@lingui/format-po';
import { languageCodes, sourceLanguage } from './src/formats/languages.ts';
import { mailExtractor } from './src/i18n/mail-extractor.ts';

/** For `npm run texts`, which collects the texts of the code into `locales/`. */
export default defineConfig({
  sourceLocale: sourceLanguage,
  locales: [...languageCodes],
  catalogs: [{ path: 'locales/{locale}', include: ['src'], exclude: ['**/*.test.*', '**/*.d.ts'] }],
  extractors: [mailExtractor, babelExtractor],
  orderBy: 'origin',
  format: formatter({
    // Without them, a text that moves within its file changes nothing here.
    lineNumbers: false,
    customHeaderAttributes: { 'POT-Creation-Date': '', 'X-Generator': '' },
  }),
});
