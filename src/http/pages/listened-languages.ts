import { type Context, Hono } from 'hono';
import { serialize } from 'hono/utils/cookie';
import { noWords } from '#formats/content-languages.ts';
import { languageOfPath, prefixOf } from '#formats/languages.ts';
import { ListeningInput } from '#domain/identity/forms.ts';
import {
  type ListeningChoice,
  listeningCookie,
  listeningToCookie,
  unlessAll,
} from '#domain/identity/listening-rules.ts';
import type { Site } from '#domain/site.ts';
import { isFromOwnPage } from '../api/same-site.ts';
import { errorResponse } from '../errors.ts';
import { limitBody } from '../limits/limit-body.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { findPageViewer } from '../viewer.ts';

const year = 365 * 24 * 60 * 60;

/**
 * The form of the languages that one listens to, for browsers without JavaScript: keeps them in the account, or in a
 * cookie. With JavaScript, the page saves them itself (`web/library/listened-languages.tsx`).
 */
export function listenedLanguageRoutes({
  site,
  secure,
  rateLimit,
}: {
  site: Site;
  secure: boolean;
  rateLimit: RateLimit;
}) {
  async function save(context: Context): Promise<Response> {
    if (!rateLimit(context, { kind: 'languages', perMinute: 60 })) return errorResponse('request/too-many');
    const { viewer } = await findPageViewer(site, context.req.raw, secure);
    // A cookie alone proves nothing (viewer.ts). Browsers that do not say where a form comes from have the script.
    if (!isFromOwnPage(context, site.facts.url))
      return errorResponse('request/invalid', 'This form has to come from the site itself.');
    const { languages } = site.facts;
    const page =
      prefixOf(languageOfPath(languages, context.req.path), languages) +
      (viewer.kind === 'user' ? '/account/language' : '/languages');
    const choice = await readChoice(context);
    if (choice === undefined) return context.redirect(`${page}?languages=none`, 303);
    if (viewer.kind === 'user') await site.identity.savePreferences(viewer.id, choice);
    else context.header('set-cookie', cookieLine(listeningToCookie(choice)));
    return context.redirect(page, 303);
  }

  /** @returns undefined for a form that names no language */
  async function readChoice(context: Context): Promise<ListeningChoice | undefined> {
    const fields = await context.req.parseBody({ all: true });
    const { success, data } = ListeningInput.safeParse({
      listensTo: [fields['language'] ?? []].flat(),
      hidesOtherComments: fields['otherComments'] !== 'on',
    });
    if (!success) return undefined;
    const all = (await site.catalogue.countLanguages())
      .map(({ language }) => language)
      .filter((one) => one !== noWords);
    return { ...data, listensTo: data.listensTo && unlessAll(data.listensTo, all) };
  }

  function cookieLine(value: string | undefined): string {
    return serialize(listeningCookie, value ?? '', {
      path: '/',
      sameSite: 'Lax',
      secure,
      maxAge: value === undefined ? 0 : year,
    });
  }

  return new Hono()
    .post('/languages', limitBody(4 * 1024), save)
    .post('/:language{[a-z][a-z]}/languages', limitBody(4 * 1024), save);
}
