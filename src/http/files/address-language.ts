import type { Context } from 'hono';
import { type OfferedLanguages, isLanguage, sourceLanguage } from '#formats/languages.ts';
import { inLanguage, language, languageFacts } from '#i18n';
import { errorResponse } from '../errors.ts';

/** The paths of a file that has an address in each language: `/blog/feed.xml` and `/de/blog/feed.xml`. */
export function inLanguages(path: string): string[] {
  return [path, `/:language{[a-z][a-z]}${path}`];
}

/**
 * Runs `act` in the language of the address, since all its readers get the same file. Another language than those that
 * are offered is not found.
 */
export function inAddressLanguage(
  offered: OfferedLanguages,
  context: Context,
  act: () => Promise<Response>,
): Response | Promise<Response> {
  const code = context.req.param('language');
  if (code === undefined) return inLanguage(offered[0], act);
  if (code === offered[0]) return context.redirect(context.req.path.slice(3) + new URL(context.req.url).search);
  return isLanguage(code) && offered.includes(code) ? inLanguage(code, act) : errorResponse('request/not-found');
}

/** Runs `act` in the language of the request, and in English for one that the font of drawn pictures has no letters of. */
export function inDrawnLanguage<Result>(act: () => Result): Result {
  return inLanguage(languageFacts().direction === 'rtl' ? sourceLanguage : language(), act);
}
