import { type Language, sourceLanguage } from './languages.ts';

/** Folder of a language's scripts in `assets`: `de/`, and none in English. */
export function folderOf(language: Language): string {
  return language === sourceLanguage ? '' : `${language}/`;
}

/** @param path of a built file, as in English */
export function assetIn(path: string, language: Language): string {
  return path.endsWith('.js') ? path.replace('/assets/', `/assets/${folderOf(language)}`) : path;
}

/**
 * A script or JSON with the addresses of scripts in a language's folder. Styles, fonts and pictures are the same in all
 * languages.
 */
export function inFolder(text: string, language: Language): string {
  return text.replaceAll(/(["'`]\/?assets\/)([\w.-]+\.js["'`])/g, `$1${folderOf(language)}$2`);
}
