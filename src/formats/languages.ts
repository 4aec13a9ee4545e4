/**
 * Languages of the interface, in the order in which they are offered. One more is a line here and a file in `locales/`:
 * configuration, addresses, switcher, sitemap and tests follow.
 */
export const languages = {
  // The texts in the code. Its addresses have no prefix.
  en: { name: 'English', direction: 'ltr', intl: 'en-US', openGraph: 'en_US', offer: 'This page in English' },
  de: { name: 'Deutsch', direction: 'ltr', intl: 'de-DE', openGraph: 'de_DE', offer: 'Diese Seite auf Deutsch' },
  fr: { name: 'Français', direction: 'ltr', intl: 'fr-FR', openGraph: 'fr_FR', offer: 'Cette page en français' },
  es: { name: 'Español', direction: 'ltr', intl: 'es-ES', openGraph: 'es_ES', offer: 'Esta página en español' },
  // With Latin digits, as in other players (design). Studio and Admin are in English.
  ar: {
    name: 'العربية',
    direction: 'rtl',
    intl: 'ar-u-nu-latn',
    openGraph: 'ar_AR',
    offer: 'هذه الصفحة بالعربية',
    isForListenersOnly: true,
  },
} satisfies Record<string, LanguageFacts>;

type LanguageFacts = {
  /** In the language itself, as everything here that people read. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** BCP 47, for `Intl`. */
  intl: string;
  /** https://ogp.me */
  openGraph: string;
  /** For people whose browser asks for this language. */
  offer: string;
  isForListenersOnly?: true;
};

export type Language = keyof typeof languages;

/** Of the texts in the code, and of whoever has chosen none. */
export const sourceLanguage = 'en' satisfies Language;

export const languageCodes = Object.keys(languages) as Language[];

export function isLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(languages, text);
}

/** What its addresses begin with: `/de`, and nothing in English. */
export function prefixOf(language: Language): string {
  return language === sourceLanguage ? '' : `/${language}`;
}

/**
 * `/de/audios` is the German `/audios`.
 * @param path may have a query
 * @returns language undefined for an address without a prefix
 */
export function splitPrefix(path: string): { language: Language | undefined; path: string } {
  const [, code, rest = ''] = /^\/([a-z]{2})(?=[/?#.]|$)(.*)$/s.exec(path) ?? [];
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
