import catalogues, { facts } from 'virtual:catalogues';
import type { AllFacts } from '#formats/format-facts.ts';
import { type Language, isLanguage, sourceLanguage } from '#formats/languages.ts';
import { type Message, createTexts } from './texts.ts';

/** As `i18n.ts`, in the browser of development and of component tests: a document has one language. */

export function language(): Language {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : sourceLanguage;
}

export function languageFacts(): AllFacts {
  return facts[language()];
}

const texts = createTexts(
  language,
  (of) => facts[of],
  (of) => new Map(Object.entries(catalogues[of] ?? {})),
);

export const i18n = { _: texts.plain };

export function Trans(message: Message) {
  return texts.rich(message);
}
