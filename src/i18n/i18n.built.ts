import type { LanguageFacts } from '#formats/language-facts.ts';
import type { Language } from '#formats/languages.ts';
import { chooseIn } from '#formats/choose.ts';

export { rich } from './rich.ts';

/** As `i18n.ts`, in built scripts: the build writes their language into them (vite.ts). */

declare const __language__: Language;
declare const __languageFacts__: LanguageFacts & { prefix: string };

export const language = () => __language__;
/** Those that pages use in the browser. */
export const languageFacts = () => ({
  name: __languageFacts__.name,
  direction: __languageFacts__.direction,
  prefix: __languageFacts__.prefix,
});

export function choose(value: unknown, cases: Record<string, string>, isOrdinal?: unknown): string {
  return chooseIn(__languageFacts__.intl, value, cases, isOrdinal);
}
