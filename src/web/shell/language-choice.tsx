import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import { languages } from '#formats/language-facts.ts';
import { language } from '#i18n';
import { useSession } from '../identity/session-provider.tsx';
import { useLanguages } from '../root-data.ts';
import { useOpenIn } from './open-in.ts';
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
