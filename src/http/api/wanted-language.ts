import type { MiddlewareHandler } from 'hono';
import { type Language, firstKnown, sourceLanguage, wantedLanguages } from '#formats/languages.ts';
import { inLanguage } from '#i18n';

/**
 * Runs requests in the language of `Accept-Language`, which the sentences of errors have. Pages choose their own. Error
 * answers are never cached, and so need no `Vary`.
 * @param offered by the site, besides English
 */
export function inWantedLanguage(offered: readonly Language[]): MiddlewareHandler {
  return ({ req }, next) => inLanguage(chooseLanguage(req.header('accept-language') ?? '', offered), next);
}

/** The most wanted one that the site has, else English. */
function chooseLanguage(header: string, offered: readonly Language[]): Language {
  const known = wantedLanguages(header).map((tag) => firstKnown([tag]));
  return known.find((one) => one === sourceLanguage || (one !== undefined && offered.includes(one))) ?? sourceLanguage;
}
