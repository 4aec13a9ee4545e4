import { useState } from 'react';
import { href } from 'react-router';
import { giftCardStates } from '#domain/admin/rules.ts';
import { isMadeGiftCard } from '#domain/membership/rules.ts';
import type { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { GiftCardDialog } from '#web/admin/money/gift-card-dialog.tsx';
import { ListPage } from '#web/admin/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { giftCardWords, StateWord } from '#web/admin/money/state-words.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { Button } from '#web/ui/button.tsx';
import { RowName } from '#web/workshop/lists/table.tsx';
import type { Route } from './+types/gift-cards';

export function loader(args: Route.LoaderArgs) {
  return loadList(args, {
    name: 'giftCards',
    states: giftCardStates,
    read: (site, viewer, query, page) => site.admin.money.listGiftCards(viewer, query, page),
  });
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Gift cards', description: 'Gift cards of the site', index: 'no' });
}

export default function AdminGiftCards({ loaderData }: Route.ComponentProps) {
  const [isMaking, setIsMaking] = useState(false);
  const { isBusy, call } = useCall();

  async function make(form: MadeGiftCardForm): Promise<void> {
    const made = await call('act', () => answerOf(api.admin['gift-cards'].$post({ json: form })), {
      done: `The code is on its way to ${form.recipientEmail}`,
    });
    if (made !== undefined) setIsMaking(false);
  }

  return (
    <ListPage
      title="Gift cards"
      facts="Newest first. Search by code ending, buyer or recipient email, or ID."
      actions={
        <Button variant="primary" onClick={() => setIsMaking(true)}>
          New gift card
        </Button>
      }
      list={loaderData}
      one="gift card"
      search={{ label: 'Search gift cards', placeholder: 'Code ending, email, ID' }}
      states={{ label: 'Which gift cards', options: giftCardStates.map((state) => [state, giftCardWords[state].text]) }}
      empty={{ title: 'No gift cards yet', text: 'Gift cards that people buy are listed here.' }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Gift card',
          kind: 'name',
          cell: (card) => (
            <RowName
              to={href('/admin/gift-cards/:id', { id: card.id })}
              name={`${countOf(card.months, 'month')}${card.codeEnding === null ? '' : `, code ending ${card.codeEnding}`}`}
              note={`From ${isMadeGiftCard(card) ? 'the site' : (card.buyer.username ?? card.buyer.email ?? 'a deleted account')}`}
            />
          ),
        },
        {
          head: 'For',
          isWide: true,
          className: 'wrap-anywhere',
          cell: ({ recipientEmail }) => recipientEmail ?? 'No longer known',
        },
        { head: 'Amount', kind: 'number', cell: ({ amount, currency }) => formatMoney(amount, currency) },
        {
          head: 'State',
          isBare: true,
          cell: ({ state, paidBackAt }) => (
            <>
              <StateWord {...giftCardWords[state]} />
              {paidBackAt !== null && <StateWord text="Refunded" tone="tone-bad" />}
            </>
          ),
        },
        { head: 'Bought', className: 'text-muted', cell: ({ createdAt }) => formatDate(createdAt) },
      ]}
    >
      {isMaking && <GiftCardDialog isBusy={isBusy} onSave={make} onClose={() => setIsMaking(false)} />}
    </ListPage>
  );
}
