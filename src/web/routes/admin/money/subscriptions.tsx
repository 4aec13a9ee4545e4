import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import { subscriptionFilters } from '#domain/admin/rules.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { subscriptionWords } from '#web/admin/money/state-words.ts';
import { RowName } from '#web/workshop/lists/table.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/subscriptions';

export function loader(args: Route.LoaderArgs) {
  return loadList(args, {
    name: 'subscriptions',
    states: subscriptionFilters,
    read: (site, viewer, query, page) => site.admin.money.listSubscriptions(viewer, query, page),
  });
}

export default function AdminSubscriptions({ loaderData }: Route.ComponentProps) {
  return (
    <ListPage
      title={t`Subscriptions`}
      facts={t`Newest first. Search by username, email, invoice number or ID.`}
      list={loaderData}
      search={{ label: t`Search subscriptions`, placeholder: t`Username, email, invoice, ID` }}
      states={{
        label: t`Which subscriptions`,
        options: subscriptionFilters.map((state) => [state, subscriptionWords()[state].text]),
      }}
      empty={{ title: t`No subscriptions yet`, text: t`Accounts that subscribe are listed here.` }}
      keyOf={({ userId }) => userId}
      columns={[
        {
          head: t`Account`,
          kind: 'name',
          cell: ({ userId, username, email }) => (
            <RowName
              to={href('/admin/subscriptions/:id', { id: userId })}
              name={username ?? email ?? userId}
              note={email ?? t`No email`}
            />
          ),
        },
        {
          head: t`Plan`,
          cell: ({ amount, currency, period }) => {
            const price = formatMoney(amount, currency);
            return period === 'year' ? t`${price} a year` : t`${price} a month`;
          },
        },
        {
          head: t`State`,
          isBare: true,
          cell: ({ status, endsAt, isPaused }) => {
            const isEnding = endsAt !== null && (status === 'active' || status === 'trialing');
            return <StateMark {...subscriptionWords()[isEnding ? 'ending' : isPaused ? 'paused' : status]} />;
          },
        },
        { head: t`Paid until`, cell: ({ endsAt, periodEndsAt }) => formatDate(endsAt ?? periodEndsAt) },
        { head: t`Since`, className: 'text-muted', cell: ({ startedAt }) => formatDate(startedAt) },
      ]}
    />
  );
}
