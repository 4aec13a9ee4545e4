import { useLocation } from 'react-router';
import { type Language, inPath } from '#formats/languages.ts';
import { answerOf, api } from '../api.ts';
import { keepCookie } from '../identity/preference-cookie.ts';
import { offeredBy, useRootData } from '../root-data.ts';
import { useSession } from '../identity/session-provider.tsx';

/**
 * Opens this page in a language, which the browser keeps and, for a user, the account. Without the account it counts here
 * all the same. Another document, because each language has its own scripts.
 */
export function useOpenIn(): (chosen: Language) => Promise<void> {
  const { user } = useSession();
  const offered = offeredBy(useRootData());
  const { pathname, search, hash } = useLocation();
  return async (chosen) => {
    keepCookie('sotto_language', chosen);
    if (user !== null) await answerOf(api.user.language.$put({ json: { language: chosen } }));
    window.location.assign(inPath(chosen, pathname + search + hash, offered));
  };
}
