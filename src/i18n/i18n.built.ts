import type { Language } from '#formats/languages.ts';
import { chooseIn } from './choose.ts';

export { rich } from './rich.ts';

/** As `i18n.ts`, in built scripts: the build writes their language into them (vite.ts). */

declare const __language__: Language;
declare const __languageTag__: string;

export const language = () => __language__;
export const languageTag = () => __languageTag__;

export function choose(value: unknown, cases: Record<string, string>, isOrdinal?: unknown): string {
  return chooseIn(__languageTag__, value, cases, isOrdinal);
}
