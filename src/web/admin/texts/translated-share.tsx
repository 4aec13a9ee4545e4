import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { href, Link } from 'react-router';
import type { TranslatedShare } from '#domain/admin/texts/translations.ts';
import { languages } from '#formats/language-facts.ts';
import { formatCount } from '#formats/numbers.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { Pane } from '../../workshop/pane.tsx';

/** How many texts of the site each language has, and the way to what is missing. */
export function TranslatedSharePane({ share: { counts, next } }: { share: TranslatedShare }) {
  return (
    <Pane title={t`Translated`}>
      <ul>
        {counts.map(({ language, translated, outdated, all }) => {
          const isWhole = translated === all && outdated === 0;
          const [done, total] = [formatCount(translated), formatCount(all)];
          return (
            <li key={language} className="flex items-start gap-2.5 border-t border-line py-2 text-14 first:border-0">
              <Icon
                of={isWhole ? CircleCheck : TriangleAlert}
                size={18}
                className={isWhole ? 'text-success' : 'text-accent-text'}
              />
              <b className="flex-1 font-semibold">
                <bdi lang={language}>{languages[language].name}</bdi>
              </b>
              <span className="text-end text-muted tabular-nums">
                <Trans>
                  {done} of {total}
                </Trans>
                {outdated > 0 && (
                  <span className="block text-13">
                    {plural(outdated, { one: '# to check again', other: '# to check again' })}
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      <p className="hint mt-2">{t`Categories, tags, playlists, series, menus, look, info pages and mails.`}</p>
      {next && (
        <Link className="link mt-1 text-14" to={href('/admin/translations/:kind/:subject', next)}>
          {t`Next without a text`}
        </Link>
      )}
    </Pane>
  );
}
