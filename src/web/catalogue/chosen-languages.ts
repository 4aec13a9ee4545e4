import { plural, t } from '@lingui/core/macro';
import type { RouterContextProvider } from 'react-router';
import { languageName } from '#formats/language-names.ts';
import { formatNames } from '#formats/names.ts';
import { requestContext } from '../context.ts';
import { withQuery } from './list-links.ts';

/** Says under a list's heading that audios in other languages are left out, with a link to the whole list. */
export type Note = { text: string; link: string; to: string };

/**
 * The note of a list, for its loader, whose other pages are read with `languages=all` where the list is whole. Written here,
 * because the names of languages are known on the server alone, and because few people have chosen languages.
 * @param others number of audios that the list leaves out; undefined: not known
 */
export function noteLanguages(
  context: Readonly<RouterContextProvider>,
  request: Request,
  others?: number,
): { note?: Note } {
  const { listensTo, viewer } = context.get(requestContext);
  if (listensTo === undefined || others === 0) return {};
  const { search } = new URL(request.url);
  const parameters = new URLSearchParams(search);
  parameters.delete('_routes');
  const to = (all: 'all' | undefined) => withQuery(`${parameters}`, { languages: all });
  const languages = formatNames(listensTo.map(languageName));
  if (!viewer.listensTo)
    return {
      note: { text: t`Audios in all languages.`, link: t`Show only audios in ${languages}`, to: to(undefined) },
    };
  const text =
    others === undefined
      ? t`Audios in ${languages}.`
      : plural(others, { one: '# audio in other languages.', other: '# audios in other languages.' });
  return { note: { text, link: t`Show all languages`, to: to('all') } };
}
