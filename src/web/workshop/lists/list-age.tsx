import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { Link, useLocation, useRouteLoaderData } from 'react-router';
import { useNextLocation } from '#web/use-pending-search.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { LocalTime } from '../local-time.tsx';
import type { PageRequest } from '../page-request.ts';

/**
 * Time at which a list was read, below it, because others may have changed it since. Reloading keeps filters, page and
 * scroll position.
 */
export function ListAge() {
  const ofAdmin = useRouteLoaderData<PageRequest>('routes/admin/pages');
  const request = useRouteLoaderData<PageRequest>('routes/studio/pages') ?? ofAdmin;
  const { pathname, search } = useLocation();
  const next = useNextLocation();
  const isReading = next?.pathname === pathname && next.search === search;
  if (request === undefined) return null;
  return (
    <p className="text-13 mt-5 flex items-center gap-3 text-muted">
      <output>
        {isReading ? (
          t`Reading…`
        ) : (
          <Trans>
            As of <LocalTime at={request.asOf} style="clock" />
          </Trans>
        )}
      </output>
      <Link className="link" to={pathname + search} replace preventScrollReset>
        <Icon of={RefreshCw} size={16} />
        <Trans>Refresh</Trans>
      </Link>
    </p>
  );
}
