import { t } from '@lingui/core/macro';
import { useRootData } from '../root-data.ts';
import stylesheet from '../styles/seen-as.css?url';

/**
 * Says on every page that an operator sees the site as a visitor from elsewhere, and ends it. Rendered by the server
 * alone, at the end of the document, so that browsers load no code for it.
 */
export function SeenAs() {
  const { seenAs } = useRootData() ?? {};
  if (seenAs === undefined) return null;
  return (
    <aside className="seen-as" aria-label={t`See as a visitor`}>
      <link rel="stylesheet" href={stylesheet} precedence="site" />
      <span>
        {seenAs === ''
          ? t`You see the site as a visitor from an unknown region.`
          : t`You see the site as a visitor from ${{ place: seenAs }}.`}
      </span>
      <form method="post" action="/age/see-as">
        <button type="submit" className="btn btn--secondary btn--small">
          {t({ message: 'End', context: 'seeing as a visitor' })}
        </button>
      </form>
    </aside>
  );
}
