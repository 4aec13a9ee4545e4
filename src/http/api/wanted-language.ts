import type { MiddlewareHandler } from 'hono';
import { type Language, firstKnown, firstOffered, wantedLanguages } from '#formats/languages.ts';
import { inLanguage } from '#i18n';

/**
 * Runs requests in the language of `Accept-Language`, which the sentences of errors have. Pages choose their own. Error
 * answers are never cached, and so need no `Vary`.
 * @param offered by the site, besides English
 */
export function inWantedLanguage(offered: () => readonly Language[]): MiddlewareHandler {
  return ({ req }, next) => {
    const wanted = wantedLanguages(req.header('accept-language') ?? '').map((tag) => firstKnown([tag]));
    return inLanguage(firstOffered(offered(), wanted), next);
  };
}
