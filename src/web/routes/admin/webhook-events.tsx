import { LocalTime } from '../../workshop/local-time.tsx';
import { href, Link } from 'react-router';
import { eventStates } from '#domain/admin/rules.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { NoMatches } from '../../admin/no-matches.tsx';
import { ListPager } from '../../admin/list-pager.tsx';
import { ListSearch } from '../../admin/list-search.tsx';
import { EventTabs } from '../../admin/money/event-tabs.tsx';
import { FilterChips } from '../../admin/filter-chips.tsx';
import { readListQuery } from '../../admin/list-query.ts';
import { eventWords } from '../../admin/money/state-words.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import type { Route } from './+types/webhook-events';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { cursor, ...of } = readListQuery(url.searchParams, eventStates);
  const page = await orBadRequest(site.money.listPaymentEvents(viewer, of, { cursor, limit: 50 }));
  const all = await site.admin.countAll(viewer, 'paymentEvents', page);
  return { ...of, page, all };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Webhook events', description: 'What the payment provider reported', index: 'no' });
}

export default function AdminWebhookEvents({ loaderData: { q, state, page, all } }: Route.ComponentProps) {
  return (
    <>
      <AdminHead
        title="Webhook events"
        facts="What the payment provider reported, newest first. The site keeps names and times only."
      >
        <EventTabs current="events" />
      </AdminHead>
      <FilterChips
        label="Which events"
        value={state}
        options={[
          { value: undefined, label: 'All' },
          ...eventStates.map((one) => ({ value: one, label: eventWords[one].text })),
        ]}
      />
      <ListSearch label="Start of a type, or an id" q={q} keep={state === undefined ? {} : { state }} />
      {all !== undefined ? (
        <NoMatches all={all} filters={[q, state]} one="event">
          <EmptyState title="No events yet" text="The first payment brings the first ones." />
        </NoMatches>
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <caption className="sr-only">Events of the payment provider</caption>
          <thead {...tableRoles.group}>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head}>Event</th>
              <th {...tableRoles.head}>State</th>
              <th {...tableRoles.head} className="r">
                Deliveries
              </th>
              <th {...tableRoles.head}>Received</th>
            </tr>
          </thead>
          <tbody {...tableRoles.group}>
            {page.items.map((event) => (
              <tr {...tableRoles.row} key={event.id}>
                <td {...tableRoles.cell} className="main">
                  <div className="cell">
                    <div className="min-w-0">
                      <Link className="wrap-anywhere" to={href('/admin/webhook-events/:id', { id: event.id })}>
                        {event.type}
                      </Link>
                      <small className="block truncate">{event.error ?? event.id}</small>
                    </div>
                  </div>
                </td>
                <td {...tableRoles.cell}>
                  <span className={`st ${eventWords[event.status].tone}`}>{eventWords[event.status].text}</span>
                </td>
                <td {...tableRoles.cell} className="r tabular-nums" data-l="Deliveries">
                  {formatCount(event.attempts)}
                </td>
                <td {...tableRoles.cell} className="w2 tabular-nums text-muted" data-l="Received">
                  <LocalTime at={event.receivedAt} style="full" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ListPager shown={`${countOf(page.items.length, 'event')} shown`} nextCursor={page.nextCursor} />
    </>
  );
}
