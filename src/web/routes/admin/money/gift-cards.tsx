import { useState } from 'react';
import { href } from 'react-router';
import { giftCardStates } from '#domain/admin/rules.ts';
import { isMadeGiftCard, giftCardMonths } from '#domain/membership/rules.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { giftCardWords } from '#web/admin/money/state-words.ts';
import { Button } from '#web/ui/button.tsx';
import { RowName } from '#web/workshop/lists/table.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { api } from '#web/api.ts';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { errorsByField, FormDialog } from '#web/workshop/form-dialog.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { useCall } from '#web/admin/use-call.ts';
import type { Route } from './+types/gift-cards';

export function loader(args: Route.LoaderArgs) {
  return loadList(args, {
    name: 'giftCards',
    states: giftCardStates,
    read: (site, viewer, query, page) => site.admin.money.listGiftCards(viewer, query, page),
  });
}

export default function AdminGiftCards({ loaderData }: Route.ComponentProps) {
  const [isMaking, setIsMaking] = useState(false);
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
              <StateMark {...giftCardWords[state]} />
              {paidBackAt !== null && <StateMark text="Refunded" tone="bad" />}
            </>
          ),
        },
        { head: 'Bought', className: 'text-muted', cell: ({ createdAt }) => formatDate(createdAt) },
      ]}
    >
      {isMaking && <GiftCardDialog onClose={() => setIsMaking(false)} />}
    </ListPage>
  );
}

/** A gift card that an operator makes. Open while rendered. */
function GiftCardDialog({ onClose }: { onClose: () => void }) {
  const { call } = useCall();
  const [typed, setTyped] = useState({ months: '1', recipientEmail: '', senderName: '', message: '' });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const set = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change });

  async function make(): Promise<unknown> {
    const { data: json, error } = MadeGiftCardForm.safeParse({ ...typed, months: Number(typed.months) });
    setErrors(errorsByField(error));
    if (json === undefined) return undefined;
    const done = `The code is on its way to ${json.recipientEmail}`;
    return call('act', () => api.admin['gift-cards'].$post({ json }), { done });
  }

  return (
    <FormDialog
      title="New gift card"
      description="Nobody pays for it. Its code is emailed within a minute, and nobody can read it here."
      verb="Make gift card"
      busy="Making…"
      onSubmit={make}
      onClose={onClose}
    >
      <ChoiceField
        label="Length"
        value={typed.months}
        none={null}
        options={giftCardMonths.map((months) => ({ value: String(months), label: countOf(months, 'month') }))}
        onChoose={(months) => set({ months: months ?? '1' })}
      />
      <Field
        label="Recipient’s email"
        type="email"
        autoComplete="off"
        value={typed.recipientEmail}
        error={errors.recipientEmail}
        onChange={({ target }) => set({ recipientEmail: target.value })}
      />
      <Field
        label="From"
        isOptional
        autoComplete="off"
        maxLength={60}
        hint="Without a name it comes from the site"
        value={typed.senderName}
        error={errors.senderName}
        onChange={({ target }) => set({ senderName: target.value })}
      />
      <TextArea
        label="Message"
        isOptional
        maxLength={500}
        value={typed.message}
        error={errors.message}
        onChange={({ target }) => set({ message: target.value })}
      />
    </FormDialog>
  );
}
