import { AsyncLocalStorage } from 'node:async_hooks';
import { type AllFacts, factsOf } from '#formats/format-facts.ts';
import { type Language, sourceLanguage } from '#formats/languages.ts';
import { readCatalogue } from './catalogues.ts';
import { type Message, createTexts } from './texts.ts';

/**
 * Texts in the language of the request, mail or job that runs. A macro of Lingui, such as `t`, becomes a call of `i18n`;
 * built scripts have no such calls (vite.ts).
 */

// One for the process: in development and in tests, pages have a copy of this module.
const key = Symbol.for('sotto.language');
const shared = globalThis as { [key]?: AsyncLocalStorage<Language> };
const store = (shared[key] ??= new AsyncLocalStorage());

/** Runs `act`, and everything that it starts, in a language. */
export function inLanguage<Result>(language: Language, act: () => Result): Result {
  return store.run(language, act);
}

/** English outside of `inLanguage`. */
export function language(): Language {
  return store.getStore() ?? sourceLanguage;
}

/** One of them is asked for at a time, because the build writes it there. @param of in the browser only the page's own */
export function languageFacts(of = language()): AllFacts {
  return factsOf(of);
}

const texts = createTexts(language, factsOf, (of) => (of === sourceLanguage ? new Map() : readCatalogue(of)));

export const i18n = {
  /** A text without elements. `message`: the English one, for those without a translation. */
  _: texts.plain,
};

/** A text with elements; what the macro of the same name becomes. */
export function Trans(message: Message) {
  return texts.rich(message);
}
