/**
 * Languages of the interface, in the order in which they are offered. One more is its code here, its lines in
 * `language-facts.ts` and a file in `locales/`: configuration, addresses, switcher, sitemap and tests follow.
 */
export const languageCodes = ['en', 'de', 'fr', 'es', 'ar'] as const;

export type Language = (typeof languageCodes)[number];

/** The texts in the code have it, and pages for people who have chosen none. Its addresses have no prefix. */
export const sourceLanguage = 'en' satisfies Language;

export function isLanguage(text: unknown): text is Language {
  return languageCodes.includes(text as Language);
}

/** The beginning of its addresses: `/de`, and nothing in English. */
export function prefixOf(language: Language): string {
  return language === sourceLanguage ? '' : `/${language}`;
}

/**
 * The address of a page in a language.
 * @param path begins with a slash, and may have a query; `/.data` has the data of the first page
 */
export function inPath(language: Language, path: string): string {
  return prefixOf(language) + (language !== sourceLanguage && /^\/(?![^?#.])/.test(path) ? path.slice(1) : path);
}

/**
 * `/de/audios` is the German `/audios`.
 * @param path may have a query
 * @returns language undefined for an address without a prefix
 */
export function splitPrefix(path: string): { language: Language | undefined; path: string } {
  const [, code, rest = ''] = /^\/([a-z]{2})(?=[/?#]|\.data(?:\?|$)|$)(.*)$/s.exec(path) ?? [];
  if (!isLanguage(code) || code === sourceLanguage) return { language: undefined, path };
  return { language: code, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Like `splitPrefix`; the address of a language that the site does not offer has no prefix. */
export function offeredPrefix(offered: readonly Language[], path: string): ReturnType<typeof splitPrefix> {
  const split = splitPrefix(path);
  return split.language === undefined || offered.includes(split.language) ? split : { language: undefined, path };
}

/** The first of these that a site offers besides English, else English. */
export function firstOffered(offered: readonly Language[], wanted: readonly (Language | undefined)[]): Language {
  const found = wanted.find((one) => one === sourceLanguage || (one !== undefined && offered.includes(one)));
  return found ?? sourceLanguage;
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
