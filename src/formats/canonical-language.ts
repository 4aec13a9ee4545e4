import { primaryLanguage } from './content-languages.ts';

/* Apart from what every page needs of languages: only forms parse them. */

const subtags = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;
/** Names of several languages, or of none that is known. */
const notOne = ['mul', 'und', 'mis'];

/** `DE-at` as `de-AT`. @returns undefined for unknown languages, scripts and regions, and for other subtags */
export function canonicalLanguage(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  if (!subtags.test(tag) || notOne.includes(primaryLanguage(tag).toLowerCase())) return undefined;
  const { baseName, language, script, region } = new Intl.Locale(tag);
  const isKnown =
    isName('language', language) &&
    (script === undefined || isName('script', script)) &&
    (region === undefined || isName('region', region));
  return isKnown ? baseName : undefined;
}

function isName(type: Intl.DisplayNamesType, code: string): boolean {
  return new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code) !== undefined;
}
