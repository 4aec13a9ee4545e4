import { href, Link } from 'react-router';
import { subscriptionFilters } from '#domain/admin/rules.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { NoMatches } from '../../admin/no-matches.tsx';
import { ListPager } from '../../admin/list-pager.tsx';
import { ListSearch } from '../../admin/list-search.tsx';
import { FilterChips } from '../../admin/filter-chips.tsx';
import { readListQuery } from '../../admin/list-query.ts';
import { subscriptionWords } from '../../admin/money/state-words.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import type { Route } from './+types/subscriptions';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { cursor, ...of } = readListQuery(url.searchParams, subscriptionFilters);
  const page = await orBadRequest(site.money.listSubscriptions(viewer, of, { cursor, limit: 25 }));
  const all = await site.admin.countAll(viewer, 'subscriptions', page);
  return { ...of, page, all };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Subscriptions', description: 'Subscriptions of the site', index: 'no' });
}

export default function AdminSubscriptions({ loaderData: { q, state, page, all } }: Route.ComponentProps) {
  return (
    <>
      <AdminHead
        title="Subscriptions"
        facts="Newest first. By the start of a username or email, a number of an invoice, or an id of the site or the provider."
      />
      <FilterChips
        label="Which subscriptions"
        value={state}
        options={[
          { value: undefined, label: 'All' },
          ...subscriptionFilters.map((one) => ({ value: one, label: subscriptionWords[one].text })),
        ]}
      />
      <ListSearch label="Username, email, invoice, id" q={q} keep={state === undefined ? {} : { state }} />
      {all !== undefined ? (
        <NoMatches all={all} filters={[q, state]} one="subscription">
          <EmptyState title="No subscriptions yet" text="Accounts that subscribe are listed here." />
        </NoMatches>
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <caption className="sr-only">Subscriptions</caption>
          <thead {...tableRoles.group}>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head}>Account</th>
              <th {...tableRoles.head}>Plan</th>
              <th {...tableRoles.head}>State</th>
              <th {...tableRoles.head}>Paid until</th>
              <th {...tableRoles.head}>Since</th>
            </tr>
          </thead>
          <tbody {...tableRoles.group}>
            {page.items.map((one) => {
              const isEnding = one.endsAt !== null && (one.status === 'active' || one.status === 'trialing');
              const { text, tone } = subscriptionWords[isEnding ? 'ending' : one.status];
              return (
                <tr {...tableRoles.row} key={one.userId}>
                  <td {...tableRoles.cell} className="main">
                    <div className="cell">
                      <div className="min-w-0">
                        <Link className="block truncate" to={href('/admin/subscriptions/:id', { id: one.userId })}>
                          {one.username ?? one.email ?? one.userId}
                        </Link>
                        <small className="block truncate">{one.email ?? 'No email'}</small>
                      </div>
                    </div>
                  </td>
                  <td {...tableRoles.cell} className="tabular-nums" data-l="Plan">
                    {formatMoney(one.amount, one.currency)} a {one.period}
                  </td>
                  <td {...tableRoles.cell}>
                    <span className={`st ${tone}`}>{text}</span>
                  </td>
                  <td {...tableRoles.cell} className="tabular-nums" data-l="Paid until">
                    {formatDate(one.endsAt ?? one.periodEndsAt)}
                  </td>
                  <td {...tableRoles.cell} className="tabular-nums text-muted" data-l="Since">
                    {formatDate(one.startedAt)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <ListPager shown={`${countOf(page.items.length, 'subscription')} shown`} nextCursor={page.nextCursor} />
    </>
  );
}
