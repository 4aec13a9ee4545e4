import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { href } from 'react-router';
import type { AdminGiftCard } from '#domain/admin/money/gift-cards.ts';
import { giftCardStates } from '#domain/admin/rules.ts';
import { isMadeGiftCard, giftCardMonths } from '#domain/membership/rules.ts';
import { formatMoney } from '#formats/numbers.ts';
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
      title={t`Gift cards`}
      facts={t`Newest first. Search by code ending, buyer or recipient email, or ID.`}
      actions={
        <Button variant="primary" onClick={() => setIsMaking(true)}>
          {t`New gift card`}
        </Button>
      }
      list={loaderData}
      search={{ label: t`Search gift cards`, placeholder: t`Code ending, email, ID` }}
      states={{
        label: t`Which gift cards`,
        options: giftCardStates.map((state) => [state, giftCardWords()[state].text]),
      }}
      empty={{ title: t`No gift cards yet`, text: t`Gift cards that people buy are listed here.` }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`Gift card`,
          kind: 'name',
          cell: (card) => (
            <RowName to={href('/admin/gift-cards/:id', { id: card.id })} name={nameOf(card)} note={buyerText(card)} />
          ),
        },
        {
          head: t({ message: 'For', context: 'recipient' }),
          isWide: true,
          className: 'wrap-anywhere',
          cell: ({ recipientEmail }) => recipientEmail ?? t`No longer known`,
        },
        { head: t`Amount`, kind: 'number', cell: ({ amount, currency }) => formatMoney(amount, currency) },
        {
          head: t`State`,
          isBare: true,
          cell: ({ state, paidBackAt }) => (
            <>
              <StateMark {...giftCardWords()[state]} />
              {paidBackAt !== null && <StateMark text={t`Refunded`} tone="bad" />}
            </>
          ),
        },
        { head: t`Bought`, className: 'text-muted', cell: ({ createdAt }) => formatDate(createdAt) },
      ]}
    >
      {isMaking && <GiftCardDialog onClose={() => setIsMaking(false)} />}
    </ListPage>
  );
}

function nameOf({ months, codeEnding }: AdminGiftCard): string {
  return codeEnding === null
    ? monthsText(months)
    : t`${plural(months, { one: '# month', other: '# months' })}, code ending ${codeEnding}`;
}

const monthsText = (months: number) => plural(months, { one: '# month', other: '# months' });

function buyerText(card: AdminGiftCard): string {
  const buyer = card.buyer.username ?? card.buyer.email;
  if (isMadeGiftCard(card)) return t`From the site`;
  return buyer === null ? t`From a deleted account` : t`From ${buyer}`;
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
    const done = t`The code is on its way to ${{ recipientEmail: json.recipientEmail }}`;
    return call('act', () => api.admin['gift-cards'].$post({ json }), { done });
  }

  return (
    <FormDialog
      title={t`New gift card`}
      description={t`Nobody pays for it. Its code is emailed within a minute, and nobody can read it here.`}
      verb={t`Make gift card`}
      busy={t`Making…`}
      onSubmit={make}
      onClose={onClose}
    >
      <ChoiceField
        label={t`Length`}
        value={typed.months}
        none={null}
        options={giftCardMonths.map((months) => ({ value: String(months), label: monthsText(months) }))}
        onChoose={(months) => set({ months: months ?? '1' })}
      />
      <Field
        label={t`Recipient’s email`}
        type="email"
        autoComplete="off"
        value={typed.recipientEmail}
        error={errors.recipientEmail}
        onChange={({ target }) => set({ recipientEmail: target.value })}
      />
      <Field
        label={t({ message: 'From', context: 'sender' })}
        isOptional
        autoComplete="off"
        maxLength={60}
        hint={t`Without a name it comes from the site`}
        value={typed.senderName}
        error={errors.senderName}
        onChange={({ target }) => set({ senderName: target.value })}
      />
      <TextArea
        label={t`Message`}
        isOptional
        maxLength={500}
        value={typed.message}
        error={errors.message}
        onChange={({ target }) => set({ message: target.value })}
      />
    </FormDialog>
  );
}
