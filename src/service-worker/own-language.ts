import { isLanguage, prefixOf, sourceLanguage } from '#formats/languages.ts';

const asked = new URLSearchParams(globalThis.location.search).get('language');

/** Of the page that registered this worker, which stores scripts and pages in no other one (installed-app.ts). */
export const ownLanguage = isLanguage(asked) ? asked : sourceLanguage;
/** Its pages are fetched with it. */
export const ownPrefix = prefixOf(ownLanguage);
