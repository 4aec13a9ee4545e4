import type { ReactNode } from 'react';
import { type Choose, createChoose } from '#formats/choose.ts';
import type { AllFacts } from '#formats/format-facts.ts';
import { grouped } from '#formats/grouping.ts';
import type { Language } from '#formats/languages.ts';
import { type Components, rich } from './rich.ts';
import { type Token, type Values, partsOf, tokensOf } from './tokens.ts';

/** As the macros of Lingui write it. */
export type Message = { id: string; message?: string; values?: Values; components?: Components };

/**
 * Looks texts up, and compiles each when it is first shown.
 * @param read translations by id; missing ones are shown in English
 */
export function createTexts(
  language: () => Language,
  facts: (of: Language) => AllFacts,
  read: (of: Language) => Map<string, string>,
) {
  type Texts = { translations: Map<string, string>; compiled: Map<string, Token[]>; choose: Choose };
  const known = new Map<Language, Texts>();

  function textsOf(of: Language): Texts {
    let texts = known.get(of);
    if (texts !== undefined) return texts;
    const { intl, numbers } = facts(of);
    const choose = createChoose(intl, (count) => grouped(count, numbers));
    texts = { translations: read(of), compiled: new Map(), choose };
    known.set(of, texts);
    return texts;
  }

  function partsIn({ id, message, values = {} }: Message): unknown[] {
    const { translations, compiled, choose } = textsOf(language());
    const tokens = compiled.get(id) ?? tokensOf(translations.get(id) ?? message ?? id);
    compiled.set(id, tokens);
    return partsOf(tokens, values, choose);
  }

  return {
    plain: (message: Message): string => partsIn(message).join(''),
    rich: (message: Message): ReactNode => rich(partsIn(message), message.components ?? {}),
  };
}
