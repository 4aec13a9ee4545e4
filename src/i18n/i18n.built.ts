import type { AllFacts } from '#formats/format-facts.ts';
import type { Language } from '#formats/languages.ts';
import { createChoose } from '#formats/choose.ts';
import { formatCount } from '#formats/numbers.ts';

export { element } from './rich.ts';

/** As `i18n.ts`, in built scripts: the build writes their language into them (vite.ts), and facts about it. */

declare const __language__: Language;
declare const __languageFacts__: AllFacts;

export const language = () => __language__;

export const choose = createChoose(__languageFacts__.intl, formatCount);
