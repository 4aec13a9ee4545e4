import type { RouterContextProvider } from 'react-router';
import { noWords } from '#formats/content-languages.ts';
import { languageLabel, languageName } from '#formats/language-names.ts';
import { requestContext, siteContext } from '../context.ts';

/** A language of the site's audios. `label`: in a list; `name`: within a sentence. */
export type ListenedLanguage = { code: string; label: string; name: string; audios: number; isChosen: boolean };

/**
 * The languages that a viewer may choose, and has chosen; without a choice, all are. `isRefused`: a form without
 * JavaScript named no language.
 */
export async function loadListened(context: Readonly<RouterContextProvider>, request: Request) {
  const { viewer, listensTo } = context.get(requestContext);
  const counts = await context.get(siteContext).catalogue.countLanguages();
  const others = listensTo?.filter((code) => !counts.some(({ language }) => language === code)) ?? [];
  const languages = [...counts, ...others.map((language) => ({ language, audios: 0 }))]
    .filter(({ language }) => language !== noWords)
    .map(({ language: code, audios }): ListenedLanguage => ({
      code,
      label: languageLabel(code),
      name: languageName(code),
      audios,
      isChosen: listensTo?.includes(code) ?? true,
    }));
  const isRefused = new URL(request.url).searchParams.get('languages') === 'none';
  return { languages, hidesOtherComments: viewer.readsOnly !== undefined, isRefused };
}
