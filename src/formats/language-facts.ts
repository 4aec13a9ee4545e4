import type { Language } from './languages.ts';

export type LanguageFacts = {
  /** In the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** BCP 47, for `Intl`. */
  intl: string;
  /** Another one, whose order of day, month and year is better known. */
  dates?: string;
  /** https://ogp.me */
  openGraph: string;
  /** Studio and Admin are in English. */
  isForListenersOnly?: true;
};

/** Apart from their codes (languages.ts), which alone every page loads. */
export const languages: Record<Language, LanguageFacts> = {
  en: { name: 'English', direction: 'ltr', intl: 'en-US', dates: 'en-GB', openGraph: 'en_US' },
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
