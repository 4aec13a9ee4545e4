/**
 * Languages of the interface, in the order in which they are offered. One more is its lines in this file and a file in
 * `locales/`: configuration, addresses, switcher, sitemap and tests follow.
 */
export const languageCodes = ['en', 'de', 'fr', 'es', 'ar'] as const;

export type Language = (typeof languageCodes)[number];

/** Of the texts in the code, and of whoever has chosen none. Its addresses have no prefix. */
export const sourceLanguage = 'en' satisfies Language;

export type LanguageFacts = {
  /** In the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** BCP 47, for `Intl`. */
  intl: string;
  /** https://ogp.me */
  openGraph: string;
  /** Studio and Admin are in English. */
  isForListenersOnly?: true;
};

/** Apart from the codes, which alone every page needs in the browser. */
export const languages: Record<Language, LanguageFacts> = {
  en: { name: 'English', direction: 'ltr', intl: 'en-US', openGraph: 'en_US' },
  de: { name: 'Deutsch', direction: 'ltr', intl: 'de-DE', openGraph: 'de_DE' },
  fr: { name: 'Français', direction: 'ltr', intl: 'fr-FR', openGraph: 'fr_FR' },
  es: { name: 'Español', direction: 'ltr', intl: 'es-ES', openGraph: 'es_ES' },
  // With Latin digits, as in other players (design).
  ar: { name: 'العربية', direction: 'rtl', intl: 'ar-u-nu-latn', openGraph: 'ar_AR', isForListenersOnly: true },
};

/** For people whose browser asks for a language that the page does not have. */
export const languageOffers: Record<Language, string> = {
  en: 'This page in English',
  de: 'Diese Seite auf Deutsch',
  fr: 'Cette page en français',
  es: 'Esta página en español',
  ar: 'هذه الصفحة بالعربية',
};

export function isLanguage(text: unknown): text is Language {
  return languageCodes.includes(text as Language);
}

/** What its addresses begin with: `/de`, and nothing in English. */
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
