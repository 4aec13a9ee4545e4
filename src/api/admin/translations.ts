import { z } from '@hono/zod-openapi';
import { ownTextKinds, ownTextStates } from '#domain/admin/rules.ts';
import { maxTranslationBytes } from '#domain/admin/texts/translation-files.ts';
import { TranslationsForm } from '#domain/admin/texts/translations.ts';
import { translatedLanguages } from '#domain/settings/languages.ts';
import { languageCodes } from '#formats/languages.ts';
import { adminCall } from '../call.ts';

/** Operators' texts in other languages. */

const limit = { kind: 'admin-words', perMinute: 240 };
const errors = ['text/unusable', 'text/too-complex', 'text/changed-meanwhile'] as const;

export const listTranslations = adminCall({
  get: '/admin/translations',
  command: 'texts list',
  about: 'Texts of the site with their translations',
  query: z.object({
    language: z.enum(languageCodes).optional().describe('without it: all that the site offers'),
    kind: z.enum(ownTextKinds).optional(),
    state: z.enum(ownTextStates).optional().describe('outdated: the text that it translates has changed'),
  }),
  output: z.object({
    items: z.array(
      z.object({
        key: z.string(),
        language: z.enum(languageCodes),
        source: z.string(),
        text: z.string(),
        state: z.enum(ownTextStates),
      }),
    ),
  }),
  limit,
  async act({ site, viewer, query: { language, ...query } }) {
    const lists = (language === undefined ? translatedLanguages(site.settings) : [language]).map(async (code) =>
      (await site.admin.texts.listTranslations(viewer, { ...query, language: code })).map(
        ({ key, source, text, state }) => ({ key, language: code, source, text, state }),
      ),
    );
    return { items: (await Promise.all(lists)).flat() };
  },
});

export const changeTranslations = adminCall({
  put: '/admin/translations',
  command: { none: 'texts change takes one text, texts import many' },
  about: 'Changes translations: all of these, or none',
  input: TranslationsForm,
  errors,
  limit,
  // An info page in each language, with JSON's longest escapes.
  maxBytes: 4 * 1024 * 1024,
  act: ({ site, viewer, input }) => site.admin.texts.changeTranslations(viewer, input.texts),
});

export const importTranslations = adminCall({
  post: '/admin/translations/import',
  command: { none: 'texts import reads a file' },
  about: 'Takes the finished translations of a PO file: all, or none',
  input: z.object({
    file: z.string().min(1).max(maxTranslationBytes),
    isPlan: z.boolean().default(false).describe('Only says what would be done'),
  }),
  output: z.object({
    language: z.enum(languageCodes),
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    unfinished: z.int().describe('Without a translation, or fuzzy; they stay as they are'),
  }),
  errors,
  limit,
  maxBytes: 2 * maxTranslationBytes,
  act: ({ site, viewer, input }) => site.admin.texts.importTranslations(viewer, input),
});
