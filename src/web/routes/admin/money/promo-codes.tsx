import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { promoCodeRules, promoStates } from '#domain/admin/rules.ts';
import type { AdminPromoCode } from '#domain/admin/money/promo-codes.ts';
import type { PromoCodeForm } from '#domain/admin/forms.ts';
import { formatPercent } from '#formats/decimals.ts';
import { formatMoneys } from '#formats/money-list.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { readListQuery } from '#web/workshop/lists/read-list.ts';
import { PromoCodeDialog } from '#web/admin/money/promo-code-dialog.tsx';
import { promoWords } from '#web/admin/money/state-words.ts';
import { useCall } from '#web/admin/use-call.ts';
import { type Change, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowActions, RowName } from '#web/workshop/lists/table.tsx';
import { isChangedMeanwhile } from '#web/workshop/forms/use-edited.ts';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/promo-codes';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { cursor: after, ...query } = readListQuery(url.searchParams, promoStates);
  const { currency, currencies: further } = await site.membership.findOffer();
  const currencies = [currency, ...further.map((one) => one.currency)];
  try {
    const codes = await site.admin.money.listPromoCodes(viewer, { ...query, after });
    const page = { items: codes.items, nextCursor: codes.after };
    return {
      currency,
      currencies,
      winBacks: codes.winBacks,
      list: { ...query, page, all: exactly(codes.all), counts: { ...codes.counts, all: codes.total } },
    };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'payment/unavailable') throw error;
    return { currency, currencies, list: undefined, winBacks: undefined };
  }
}

type Dialog = { kind: 'create' } | { kind: 'edit'; promo: AdminPromoCode };

export default function AdminPromoCodes({
  loaderData: { currency, currencies, list, winBacks },
}: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const [dialog, setDialog] = useState<Dialog>();
  const [refusal, setRefusal] = useState<{ change: Change | undefined }>();
  const { call } = useCall();
  const { confirm, dialog: question } = useConfirm();
  // An edited code is a new one: after a conflict, the one that has taken its place.
  const edited =
    dialog?.kind !== 'edit'
      ? undefined
      : refusal === undefined
        ? dialog.promo
        : list?.page.items.find(({ isActive, code }) => isActive && code === dialog.promo.code);

  function close(): void {
    setDialog(undefined);
    setRefusal(undefined);
  }

  const save = (json: PromoCodeForm) =>
    edited === undefined
      ? call('act', () => api.admin['promo-codes'].$post({ json }), { done: t`${{ code: json.code }} is active` })
      : call('act', () => api.admin['promo-codes'][':id'].$put({ param: { id: edited.id }, json }), {
          done: t`${{ code: json.code }} is saved`,
          isShown: (refused) => {
            if (isChangedMeanwhile(refused)) setRefusal({ change: refused.change });
            return isChangedMeanwhile(refused);
          },
        });

  const askToEnd = ({ id, code, subscriptions = 0 }: AdminPromoCode) =>
    confirm({
      title: t`End ${code}`,
      consequences: t`New customers can’t use it. ${plural(subscriptions, { one: '# subscription keeps', other: '# subscriptions keep' })} the discount.`,
      verb: t`End code`,
      onConfirm: () =>
        call('act', () => api.admin['promo-codes'][':id'].$delete({ param: { id } }), { done: t`${code} is ended` }),
    });

  const head = {
    title: t`Promo codes`,
    facts: [
      t`Stored by the payment provider. Times are UTC.`,
      winBacks !== undefined &&
        winBacks.sent > 0 &&
        t`Win-back codes: ${{ sent: formatCount(winBacks.sent) }} sent, ${{ used: formatCount(winBacks.used) }} used.`,
    ]
      .filter(Boolean)
      .join(' '),
    actions: (
      <Button variant="primary" onClick={() => setDialog({ kind: 'create' })}>
        {t`New promo code`}
      </Button>
    ),
  };
  const dialogs = (
    <>
      {dialog !== undefined && (
        <PromoCodeDialog
          currency={currency}
          currencies={currencies}
          {...(dialog.kind === 'edit' && { start: promoCodeRules(dialog.promo) })}
          conflict={refusal && { ...refusal, theirs: edited && promoCodeRules(edited) }}
          onSave={save}
          onClose={close}
        />
      )}
      {question}
    </>
  );
  if (list === undefined)
    return (
      <>
        <WorkshopHead {...head}>{head.actions}</WorkshopHead>
        <EmptyState
          title={t`The payment provider did not answer`}
          text={t`Promo codes are stored there, so none can be shown now. Existing codes are not affected.`}
        >
          <Button render={<Link to={pathname + search} reloadDocument />}>{t`Try again`}</Button>
        </EmptyState>
        {dialogs}
      </>
    );
  return (
    <ListPage
      {...head}
      list={list}
      search={{ label: t`Search promo codes`, placeholder: t`Code` }}
      states={{
        label: t`Which codes`,
        all: exactly(list.counts.all),
        options: promoStates.map((state) => [state, promoWords()[state].text, exactly(list.counts[state])]),
      }}
      empty={{ title: t`No promo codes yet`, text: t`Codes that you create are listed here with their uses.` }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`Code`,
          kind: 'name',
          cell: (promo) => <RowName name={promo.code} note={discountText(promo, currency)} />,
        },
        {
          head: t`Used`,
          kind: 'number',
          cell: ({ redemptions, maxRedemptions }) =>
            maxRedemptions === undefined
              ? formatCount(redemptions)
              : t`${{ count: formatCount(redemptions) }} of ${{ total: formatCount(maxRedemptions) }}`,
        },
        { head: t`In use`, kind: 'number', cell: ({ subscriptions }) => formatCount(subscriptions ?? 0) },
        { head: t`Until`, cell: ({ expiresAt }) => (expiresAt === undefined ? t`No expiry` : formatDate(expiresAt)) },
        { head: t`State`, isBare: true, cell: (promo) => <StateMark {...promoWords()[promo.state]} /> },
        {
          head: t`Actions`,
          kind: 'actions',
          isWide: true,
          cell: (promo) =>
            promo.isActive && (
              <RowActions
                of={promo.code}
                actions={[
                  [t`Edit`, () => setDialog({ kind: 'edit', promo })],
                  [t({ message: 'End', context: 'verb' }), () => askToEnd(promo)],
                ]}
              />
            ),
        },
      ]}
    >
      {dialogs}
    </ListPage>
  );
}

const exactly = (count: number) => ({ count, isMore: false });

function discountText(promo: AdminPromoCode, siteCurrency: string): string {
  const { months = 1, currency = siteCurrency, amounts, isFirstTimeOnly } = promo;
  const { percentOff, amountOff, duration } = promo.discount;
  const all = Object.entries({ [currency]: amountOff ?? 0, ...amounts });
  const off =
    percentOff === null
      ? formatMoneys(
          all.map(([code, amount]) => ({ amount, currency: code })),
          'disjunction',
        )
      : formatPercent(percentOff);
  if (duration === 'once')
    return isFirstTimeOnly
      ? t`${off} off the first payment, for accounts that never paid`
      : t`${off} off the first payment`;
  if (duration === 'forever')
    return isFirstTimeOnly ? t`${off} off every payment, for accounts that never paid` : t`${off} off every payment`;
  return isFirstTimeOnly
    ? t`${off} off for ${plural(months, { one: '# month', other: '# months' })}, for accounts that never paid`
    : t`${off} off for ${plural(months, { one: '# month', other: '# months' })}`;
}
