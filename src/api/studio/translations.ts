import { z } from '@hono/zod-openapi';
import { type Sentence, DomainError } from '#domain/kernel/errors.ts';
import { TranslationLanguage, TranslationForm } from '#domain/studio/forms.ts';
import { TranslationResponse } from '../schemas.ts';
import { found } from '../found.ts';
import { studioCall } from '../call.ts';
import { limit, transcriptBytes } from './audios.ts';

const ofLanguage = z.object({
  id: z.uuid().toLowerCase(),
  language: TranslationLanguage,
});

export const translationRefusals = {
  'spoken-language': 'audio/spoken-language',
  'too-many-translations': 'audio/too-many-translations',
  'mistimed-translation': ({ lines }: { lines: number[] }) =>
    new DomainError('audio/mistimed-translation', mistimed(lines)),
} as const;

/** Names the first five. */
function mistimed(lines: number[]): Sentence {
  const count = lines.length;
  return /*i18n*/ {
    id: 'error.audio/mistimed-translation-lines',
    message:
      '{count, plural, one {Line {lines} of the translation has wrong times. Nothing was saved. Correct it, then import the file again.} other {Lines {lines} of the translation have wrong times. Nothing was saved. Correct them, then import the file again.}}',
    values: { count, lines: lines.slice(0, 5).join(', ') + (count > 5 ? ' …' : '') },
  };
}

export const listStudioTranslations = studioCall({
  get: '/studio/audios/{id}/translations',
  command: 'audios translations',
  about: 'Translations of the transcript, by language',
  output: z.object({
    items: z.array(
      z.object({ language: z.string(), name: z.string(), lines: z.number(), updatedAt: z.iso.datetime() }),
    ),
  }),
  limit,
  async act({ site, viewer, id }) {
    const items = found(await site.studio.listTranslations(viewer, id));
    return { items: items.map((item) => ({ ...item, updatedAt: item.updatedAt.toISOString() })) };
  },
});

export const findStudioTranslation = studioCall({
  get: '/studio/audios/{id}/translations/{language}',
  command: 'audios show-translation',
  about: 'The lines of a translation',
  params: ofLanguage,
  output: TranslationResponse,
  limit,
  act: ({ site, viewer, id, language }) => site.studio.findTranslation(viewer, id, language),
});

export const setStudioTranslation = studioCall({
  put: '/studio/audios/{id}/translations/{language}',
  command: { none: 'audios translate takes a file' },
  about: 'Adds or replaces a translation, for listeners at once',
  params: ofLanguage,
  input: TranslationForm,
  refuses: translationRefusals,
  limit,
  maxBytes: transcriptBytes,
  act: ({ site, viewer, id, language, input: { cues } }) => site.studio.setTranslation(viewer, id, { language, cues }),
});

export const removeStudioTranslation = studioCall({
  delete: '/studio/audios/{id}/translations/{language}',
  command: 'audios remove-translation',
  about: 'Removes a translation',
  params: ofLanguage,
  limit,
  act: ({ site, viewer, id, language }) => site.studio.removeTranslation(viewer, id, language),
});
