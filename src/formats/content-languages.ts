/**
 * Languages of audios, transcripts, articles and comments: any BCP 47 tag of a language with its script and region, as
 * opposed to the few of the interface (languages.ts).
 */

/** BCP 47 for sound without words. */
export const noWords = 'zxx';

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

/** `de` of `de-AT`. */
export function primaryLanguage(tag: string): string {
  return tag.split('-')[0] ?? tag;
}

/** For `lang` of a text: undefined if the page has the language already, and if the tag names none. */
export function foreignTo(page: string, tag: string | null | undefined): string | undefined {
  if (tag === null || tag === undefined || tag === noWords) return undefined;
  return primaryLanguage(tag) === primaryLanguage(page) ? undefined : tag;
}

/** The tag that fits best: the wanted one, else one of the same language. */
export function fittingLanguage(tags: readonly string[], wanted: string): string | undefined {
  return tags.find((tag) => tag === wanted) ?? tags.find((tag) => primaryLanguage(tag) === primaryLanguage(wanted));
}
