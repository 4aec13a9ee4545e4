import { t } from '@lingui/core/macro';
import { useLocation } from 'react-router';
import { languages } from '#formats/language-facts.ts';
import { type Language, inPath } from '#formats/languages.ts';
import { language } from '#i18n';
import { answerOf, api } from '../api.ts';
import { keepCookie } from '../identity/preference-cookie.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useLanguages } from '../root-data.ts';
import { MenuChoice } from '../ui/layers/menu-items.tsx';

/** The languages of the site, each by its own name. */
export function LanguageChoice() {
  const open = useOpenIn();
  const options = useLanguages().map((value) => ({ value, label: languages[value].name, lang: value }));
  if (options.length === 0) return null;
  return <MenuChoice label={t`Language`} value={language()} options={options} onChange={(code) => void open(code)} />;
}

/**
 * Opens this page in a language, which the browser keeps and, for a user, the account. Without the account it counts here
 * all the same. Another document, because each language has its own scripts.
 */
export function useOpenIn(): (chosen: Language) => Promise<void> {
  const { user } = useSession();
  const { pathname, search, hash } = useLocation();
  return async (chosen) => {
    keepCookie('sotto_language', chosen);
    if (user !== null) await answerOf(api.user.language.$put({ json: { language: chosen } }));
    window.location.assign(inPath(chosen, pathname + search + hash));
  };
}
