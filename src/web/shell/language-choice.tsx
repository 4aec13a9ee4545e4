import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link, useLocation } from 'react-router';
import { languages } from '#formats/language-facts.ts';
import { type Language, inPath } from '#formats/languages.ts';
import { language } from '#i18n';
import { answerOf, api } from '../api.ts';
import { keepCookie } from '../identity/preference-cookie.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useLanguages } from '../root-data.ts';
import { MenuChoice, MenuLink, MenuSeparator } from '../ui/layers/menu-items.tsx';

/** The languages of the site, each by its own name, and the way to those of the audios. */
export function LanguageChoice() {
  const open = useOpenIn();
  const { user } = useSession();
  const options = useLanguages().map((value) => ({ value, label: languages[value].name, lang: value }));
  return (
    <>
      {options.length > 0 && (
        <>
          <MenuChoice label={t`Language`} value={language()} options={options} onChange={(code) => void open(code)} />
          <MenuSeparator />
        </>
      )}
      <MenuLink render={<Link to={user === null ? href('/languages') : href('/account/language')} />}>
        <Trans>Languages I listen to</Trans>
      </MenuLink>
    </>
  );
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
