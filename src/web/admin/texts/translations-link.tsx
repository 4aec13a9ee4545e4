import { t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import type { TextGroup } from '#domain/admin/texts/translations.ts';
import { languages } from '#formats/language-facts.ts';
import type { Language } from '#formats/languages.ts';
import { formatNames } from '#formats/names.ts';
import { useLanguages } from '#web/root-data.ts';
import { Button } from '../../ui/button.tsx';

export const translationsOf = (group: TextGroup) => href('/admin/translations/:kind/:subject', group);

/** From a page that edits a text to its translations; nothing while the site is in one language. */
export function TranslationsLink(group: TextGroup) {
  return useLanguages().length > 0 && <Button render={<Link to={translationsOf(group)} />}>{t`Translations`}</Button>;
}

/** On the page of a changed text: who reads it although it is not in their language. */
export function UntranslatedNote({ codes }: { codes: Language[] }) {
  if (codes.length === 0) return null;
  const names = formatNames(
    codes.map((code) => languages[code].name),
    codes.length,
    codes.length,
  );
  return (
    <p className="mb-5 text-14 text-muted">
      {t`Readers in these languages get your text as it is here, and not the one of the site, until you translate it: ${names}.`}
    </p>
  );
}
