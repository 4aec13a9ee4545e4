import type { ReactNode } from 'react';
import { languages } from '#formats/language-facts.ts';
import type { Language } from '#formats/languages.ts';
import { type Components, rich } from './rich.ts';
import { type Token, type Values, partsOf, tokensOf } from './tokens.ts';

/** As the macros of Lingui write it. */
export type Message = { id: string; message?: string; values?: Values; components?: Components };

/**
 * Looks texts up, and compiles each when it is first shown.
 * @param read translations by id; missing ones are shown in English
 */
export function createTexts(language: () => Language, read: (of: Language) => Map<string, string>) {
  const known = new Map<Language, { translations: Map<string, string>; compiled: Map<string, Token[]> }>();

  function find({ id, message }: Message): Token[] {
    const of = language();
    const texts = known.get(of) ?? { translations: read(of), compiled: new Map<string, Token[]>() };
    known.set(of, texts);
    const tokens = texts.compiled.get(id) ?? tokensOf(texts.translations.get(id) ?? message ?? id);
    texts.compiled.set(id, tokens);
    return tokens;
  }

  return {
    plain: (message: Message): string =>
      partsOf(find(message), message.values ?? {}, languages[language()].intl).join(''),
    rich: (message: Message): ReactNode =>
      rich(partsOf(find(message), message.values ?? {}, languages[language()].intl), message.components ?? {}),
  };
}
