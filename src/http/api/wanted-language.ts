import type { MiddlewareHandler } from 'hono';
import type { Site } from '#domain/site.ts';
import { type Language, type OfferedLanguages, firstKnown, firstOffered, wantedLanguages } from '#formats/languages.ts';
import { inLanguage } from '#i18n';

/**
 * The language of a call: of errors, and of operators' texts in answers.
 * @param offered by the site
 * @param header `Accept-Language`
 */
export function wantedLanguage(offered: OfferedLanguages, header = ''): Language {
  return firstOffered(
    offered,
    wantedLanguages(header).map((tag) => firstKnown([tag])),
  );
}

/** Runs requests in the language of `Accept-Language`. Pages choose their own. */
export function inWantedLanguage(offered: () => OfferedLanguages): MiddlewareHandler {
  return ({ req }, next) => inLanguage(wantedLanguage(offered(), req.header('accept-language')), next);
}

/** For keys of cached answers: nothing to find out while no text has a translation. */
export function scopeOfCalls({ facts, settings: { words } }: Pick<Site, 'facts' | 'settings'>) {
  return (header: string | undefined) => (words.any() ? words.scope(wantedLanguage(facts.languages, header)) : '');
}
