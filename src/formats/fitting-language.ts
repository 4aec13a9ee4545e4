import { primaryLanguage } from './content-languages.ts';

/** The tag that fits best: the wanted one, else one of the same language. */
export function fittingLanguage(tags: readonly string[], wanted: string): string | undefined {
  return tags.find((tag) => tag === wanted) ?? tags.find((tag) => primaryLanguage(tag) === primaryLanguage(wanted));
}
