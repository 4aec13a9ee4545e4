import { i18n, languageFacts } from '#i18n';
import { commonLanguages, noWords } from './content-languages.ts';

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
