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
      title="Subscriptions"
      facts="Newest first. Search by username, email, invoice number or ID."
      list={loaderData}
      one="subscription"
      search={{ label: 'Search subscriptions', placeholder: 'Username, email, invoice, ID' }}
      states={{
        label: 'Which subscriptions',
        options: subscriptionFilters.map((state) => [state, subscriptionWords[state].text]),
      }}
      empty={{ title: 'No subscriptions yet', text: 'Accounts that subscribe are listed here.' }}
      keyOf={({ userId }) => userId}
      columns={[
        {
          head: 'Account',
          kind: 'name',
          cell: ({ userId, username, email }) => (
            <RowName
              to={href('/admin/subscriptions/:id', { id: userId })}
              name={username ?? email ?? userId}
              note={email ?? 'No email'}
            />
          ),
        },
        { head: 'Plan', cell: ({ amount, currency, period }) => `${formatMoney(amount, currency)} a ${period}` },
        {
          head: 'State',
          isBare: true,
          cell: ({ status, endsAt }) => {
            const isEnding = endsAt !== null && (status === 'active' || status === 'trialing');
            return <StateMark {...subscriptionWords[isEnding ? 'ending' : status]} />;
          },
        },
        { head: 'Paid until', cell: ({ endsAt, periodEndsAt }) => formatDate(endsAt ?? periodEndsAt) },
        { head: 'Since', className: 'text-muted', cell: ({ startedAt }) => formatDate(startedAt) },
      ]}
    />
  );
}
