import { isLanguage, prefixOf, sourceLanguage } from '#formats/languages.ts';

/** Filled in by the server (http/pages/installable.ts). */
const filledIn: unknown = '__DEFAULT_LANGUAGE__';
const asked = new URLSearchParams(globalThis.location.search).get('language');

/** The page that registered this worker has it; scripts and pages of others are not stored (installed-app.ts). */
export const ownLanguage = isLanguage(asked) ? asked : sourceLanguage;
/** Its pages are fetched with it. */
export const ownPrefix = prefixOf(ownLanguage, [isLanguage(filledIn) ? filledIn : sourceLanguage]);
