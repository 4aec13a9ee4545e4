import { type Language, sourceLanguage } from '#formats/languages.ts';

/** Folder of a language's scripts in `assets`: `de/`, and none in English. */
export function folderOf(language: Language): string {
  return language === sourceLanguage ? '' : `${language}/`;
}

/**
 * A script or JSON with the addresses of scripts in a language's folder. Styles, fonts and pictures are the same in all
 * languages.
 */
export function inFolder(text: string, language: Language): string {
  return text.replaceAll(/(["'`]\/?assets\/)([\w.-]+\.js["'`])/g, `$1${folderOf(language)}$2`);
}
