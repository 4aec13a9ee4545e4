import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import { eventStates } from '#domain/admin/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { EventTabs } from '#web/admin/money/event-tabs.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { eventWords } from '#web/admin/money/state-words.ts';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { RowName } from '#web/workshop/lists/table.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/webhook-events';

export function loader(args: Route.LoaderArgs) {
  return loadList(args, {
    name: 'paymentEvents',
    states: eventStates,
    limit: 50,
    read: (site, viewer, query, page) => site.admin.money.listPaymentEvents(viewer, query, page),
  });
}

export default function AdminWebhookEvents({ loaderData }: Route.ComponentProps) {
  return (
    <ListPage
      title={t`Webhook events`}
      facts={t`Reports from the payment provider, newest first. The site keeps only names and times.`}
      actions={<EventTabs current="events" />}
      list={loaderData}
      search={{ label: t`Search events`, placeholder: t`Start of a type, or an ID` }}
      states={{ label: t`Which events`, options: eventStates.map((state) => [state, eventWords()[state].text]) }}
      empty={{ title: t`No events yet`, text: t`The first payment brings the first events.` }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`Event`,
          kind: 'name',
          cell: ({ id, type, error }) => (
            <RowName to={href('/admin/webhook-events/:id', { id })} name={type} note={error ?? id} />
          ),
        },
        { head: t`State`, isBare: true, cell: ({ status }) => <StateMark {...eventWords()[status]} /> },
        { head: t`Deliveries`, kind: 'number', cell: ({ attempts }) => formatCount(attempts) },
        {
          head: t`Received`,
          isWide: true,
          className: 'text-muted',
          cell: ({ receivedAt }) => <LocalTime at={receivedAt} style="full" />,
        },
      ]}
    />
  );
}
