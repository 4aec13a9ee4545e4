import { t } from '@lingui/core/macro';
import { Link, useLocation } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { withParameters } from './list-address.ts';

type OlderLinksProps = { /** It is not the first page. */ isContinued: boolean; nextCursor: string | undefined };

/** Links to the first and the next page of a list with the newest first; nothing for a single page. */
export function OlderLinks({ isContinued, nextCursor }: OlderLinksProps) {
  const { search } = useLocation();
  if (!isContinued && nextCursor === undefined) return null;
  return (
    <nav aria-label={t`Pages`}>
      {isContinued && (
        <Button size="sm" render={<Link to={withParameters(search, {})} />}>
          {t`Newest`}
        </Button>
      )}
      {nextCursor !== undefined && (
        <Button size="sm" render={<Link to={withParameters(search, { cursor: nextCursor })} />}>
          {t`Older`}
        </Button>
      )}
    </nav>
  );
}
