/**
 * Languages of the interface, in the order in which they are offered. One more is its code here, its lines in
 * `language-facts.ts` and a file in `locales/`: configuration, addresses, switcher, sitemap and tests follow.
 */
export const languageCodes = ['en', 'de', 'fr', 'es', 'ar'] as const;

export type Language = (typeof languageCodes)[number];

/** The texts in the code have it. */
export const sourceLanguage = 'en' satisfies Language;

/**
 * The languages of a site. The first is the default one, of people who have chosen none: its addresses have no prefix.
 */
export type OfferedLanguages = readonly [Language, ...Language[]];

export function isLanguage(text: unknown): text is Language {
  return languageCodes.includes(text as Language);
}

/** The beginning of its addresses: `/de`, and nothing in the default language. */
export function prefixOf(language: Language, [byDefault]: OfferedLanguages): string {
  return language === byDefault ? '' : `/${language}`;
}

/**
 * The address of a page in a language.
 * @param path begins with a slash, and may have a query; `/.data` has the data of the first page
 */
export function inPath(language: Language, path: string, offered: OfferedLanguages): string {
  const prefix = prefixOf(language, offered);
  return prefix + (prefix !== '' && /^\/(?![^?#.])/.test(path) ? path.slice(1) : path);
}

/**
 * `/de/audios` is the German `/audios`.
 * @param path may have a query
 * @returns language undefined for an address without a prefix
 */
export function splitPrefix(path: string): { language: Language | undefined; path: string } {
  const [, code, rest = ''] = /^\/([a-z]{2})(?=[/?#]|\.data(?:\?|$)|$)(.*)$/s.exec(path) ?? [];
  if (!isLanguage(code)) return { language: undefined, path };
  return { language: code, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Like `splitPrefix`; the address of a language that the site does not offer has no prefix. */
export function offeredPrefix(offered: OfferedLanguages, path: string): ReturnType<typeof splitPrefix> {
  const split = splitPrefix(path);
  return split.language === undefined || offered.includes(split.language) ? split : { language: undefined, path };
}

/** The language of an address: by its prefix, else the default one. */
export function languageOfPath(offered: OfferedLanguages, path: string): Language {
  return offeredPrefix(offered, path).language ?? offered[0];
}

/** The first of these that a site offers, else its default language. */
export function firstOffered(offered: OfferedLanguages, wanted: readonly (Language | undefined)[]): Language {
  return wanted.find((one) => one !== undefined && offered.includes(one)) ?? offered[0];
}

/**
 * The first of the wanted languages that the interface has.
 * @param wanted BCP 47, the most wanted one first
 */
export function firstKnown(wanted: readonly string[]): Language | undefined {
  return wanted.map((tag) => tag.split('-')[0]?.toLowerCase()).find(isLanguage);
}

/** @param header `Accept-Language` (RFC 9110 §12.5.4) */
export function wantedLanguages(header: string): string[] {
  return header
    .split(',', 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
      return { tag, weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
