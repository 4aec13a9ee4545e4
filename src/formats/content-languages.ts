/**
 * Languages of audios, transcripts, articles and comments: any BCP 47 tag of a language with its script and region, as
 * opposed to the few of the interface (languages.ts).
 */

/** BCP 47 for sound without words. */
export const noWords = 'zxx';

/** `de` of `de-AT`. */
export function primaryLanguage(tag: string): string {
  return tag.split('-')[0] ?? tag;
}

/**
 * For `lang` of a text: undefined if the page has the language already, and if the tag names none.
 * @param page a language of the interface, which has no region
 */
export function foreignTo(page: string, tag: string | null | undefined): string | undefined {
  const of = tag && primaryLanguage(tag);
  return of === page || of === noWords ? undefined : (tag ?? undefined);
}
