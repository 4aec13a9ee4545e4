import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { languages } from '#formats/language-facts.ts';
import type { Language } from '#formats/languages.ts';
import { language } from '#i18n';
import { requestContext } from '../../context.ts';
import { ListenedLanguages } from '../../library/listened-languages.tsx';
import { loadListened } from '../../library/load-listened.ts';
import { pageMeta } from '../../page-meta.ts';
import { useLanguages } from '../../root-data.ts';
import { useOpenIn } from '../../shell/open-in.ts';
import type { Route } from './+types/language';

export async function loader({ context, request }: Route.LoaderArgs) {
  if (context.get(requestContext).viewer.kind === 'visitor') return null;
  return loadListened(context, request);
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Language`,
    description: t`Languages of the site and of the audios that you see.`,
    index: 'no',
  });

export default function AccountLanguage({ loaderData }: Route.ComponentProps) {
  return (
    loaderData && (
      <>
        <h1 className="text-26" tabIndex={-1}>
          <Trans>Language</Trans>
        </h1>
        <SiteLanguage />
        <ListenedLanguages {...loaderData} />
      </>
    )
  );
}

/** Each by its own name. Without JavaScript there are links below the footer. */
function SiteLanguage() {
  const codes = useLanguages();
  const open = useOpenIn();
  const id = useId();
  if (codes.length === 0) return null;
  return (
    <div className="field noscript:hidden mt-5 mb-6 max-w-[480px]">
      <label htmlFor={id}>{t`Language of the site`}</label>
      <select
        id={id}
        className="input"
        aria-describedby={`${id}-text`}
        value={language()}
        onChange={({ target }) => void open(target.value as Language)}
      >
        {codes.map((code) => (
          <option key={code} value={code} lang={code}>
            {languages[code].name}
          </option>
        ))}
      </select>
      <small className="text-13 text-muted" id={`${id}-text`}>
        {t`Pages, emails, receipts and feeds. Dates and prices follow it.`}
      </small>
    </div>
  );
}
