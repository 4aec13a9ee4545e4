import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { href, Link } from 'react-router';
import { pageSize, readListQuery } from '../../catalogue/lists/list-query.ts';
import { requestContext, siteContext } from '../../context.ts';
import { LogInButtons } from '../../library/log-in-buttons.tsx';
import { ClearHistory } from '../../history/clear-history.tsx';
import { HistoryList, toEntry } from '../../history/history-list.tsx';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import type { Route } from './+types/history';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { cursor } = readListQuery(request);
  const { listening } = context.get(siteContext);
  const { items, nextCursor } = await orBadRequest(listening.listHistory(viewer.id, { cursor, limit: pageSize }));
  const entries = items.map((item) => toEntry({ ...item, lastListenedAt: item.lastListenedAt.toISOString() }));
  return { page: { items: entries, nextCursor }, now: Date.now() };
}

const description = () => t`Audios you have listened to, and your positions.`;

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Listening history`, description: description(), index: 'no' });

export default function AccountHistory({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <Link className="link mt-6 mb-2 gap-1" to={href('/account')}>
        <Icon of={ChevronLeft} size={16} />
        <Trans>Account</Trans>
      </Link>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-60" tabIndex={-1}>
          <Trans>Listening history</Trans>
        </h1>
        {loaderData !== null && loaderData.page.items.length > 0 && <ClearHistory />}
      </div>
      {loaderData === null ? (
        <EmptyState title={t`Sign in to see your listening history`} text={description()}>
          <LogInButtons />
        </EmptyState>
      ) : (
        <HistoryList page={loaderData.page} now={loaderData.now} />
      )}
    </div>
  );
}
