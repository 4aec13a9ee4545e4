import { i18n, language, languageFacts } from '#i18n';
import { foreignTo, noWords } from './content-languages.ts';

/*
 * Names of languages in the language of the request. Server only, because engines differ: pages get them from their
 * loader.
 */

const known = new Map<string, Intl.DisplayNames>();

/** As within a sentence: `German`, `allemand`; `zxx` is `No words`. @param tag as from `canonicalLanguage` */
export function languageName(tag: string): string {
  if (tag === noWords) return i18n._(/*i18n*/ { id: 'language.no-words', message: 'No words' });
  const { intl } = languageFacts();
  const names = known.get(intl) ?? new Intl.DisplayNames([intl], { type: 'language' });
  known.set(intl, names);
  return names.of(tag) ?? tag;
}

/** Offered first: the most spoken ones, with those of the interface. Others are typed as tags. */
export const commonLanguages =
  'en de fr es ar pt pt-BR it nl pl ru uk tr sv da nb fi cs hu ro el he fa ur hi bn id vi th ja ko zh-Hans zh-Hant'.split(
    ' ',
  );

export type LanguageChoice = { value: string; label: string };

/** By name, with the current one even if it is rare; without words last. */
export function languageChoices(current?: string): LanguageChoice[] {
  const tags = new Set([...commonLanguages, ...(current === undefined ? [] : [current])]);
  tags.delete(noWords);
  const choices = [...tags].map((value) => ({ value, label: languageLabel(value) }));
  const { compare } = new Intl.Collator(languageFacts().intl);
  choices.sort((a, b) => compare(a.label, b.label));
  return [...choices, { value: noWords, label: languageName(noWords) }];
}

/** As a label: `German`, `Allemand`. */
export function languageLabel(tag: string): string {
  const name = languageName(tag);
  return name.charAt(0).toLocaleUpperCase(languageFacts().intl) + name.slice(1);
}

/** Names of those that the page's language is not, by tag; undefined: none. */
export function foreignNames(tags: readonly string[]): Record<string, string> | undefined {
  const foreign = tags.filter((tag) => foreignTo(language(), tag) !== undefined);
  return foreign.length === 0 ? undefined : Object.fromEntries(foreign.map((tag) => [tag, languageName(tag)]));
}
