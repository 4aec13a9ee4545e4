import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { promoCodeRules, promoStates } from '#domain/admin/rules.ts';
import type { AdminPromoCode } from '#domain/admin/money/promo-codes.ts';
import type { PromoCodeForm } from '#domain/admin/forms.ts';
import { countOf, formatCount, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ConsequenceDialog } from '#web/admin/consequence-dialog.tsx';
import { NoMatches } from '#web/admin/no-matches.tsx';
import { readListQuery } from '#web/admin/list-query.ts';
import { PromoCodeDialog } from '#web/admin/money/promo-code-dialog.tsx';
import { promoWords, StateWord } from '#web/admin/money/state-words.tsx';
import { useCall } from '#web/admin/use-call.ts';
import type { Change } from '#web/api.ts';
import { answerOf, api } from '#web/api.ts';
import { pageMeta } from '#web/page-meta.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { withParameters } from '#web/workshop/lists/list-address.ts';
import { SearchField } from '#web/workshop/lists/search-field.tsx';
import { StateChips } from '#web/workshop/lists/state-chips.tsx';
import { RowActions, RowName, Table } from '#web/workshop/lists/table.tsx';
import { isChangedMeanwhile } from '#web/workshop/forms/use-edited.ts';
import type { Route } from './+types/promo-codes';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { q, state } = readListQuery(url.searchParams, promoStates);
  const after = url.searchParams.get('after') ?? undefined;
  const { currency } = await site.membership.findOffer();
  try {
    return { q, state, currency, page: await site.admin.money.listPromoCodes(viewer, { q, state, after }) };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'payment/unavailable') throw error;
    return { q, state, currency, page: undefined };
  }
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Promo codes', description: 'Promo codes of the site', index: 'no' });
}

type Dialog = { kind: 'create' } | { kind: 'edit' | 'end'; promo: AdminPromoCode };

export default function AdminPromoCodes({ loaderData: { q, state, currency, page } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const [dialog, setDialog] = useState<Dialog>();
  const [refusal, setRefusal] = useState<{ change: Change | undefined }>();
  const { isBusy, call } = useCall();
  // An edited code is a new one: after a conflict, the one that has taken its place.
  const edited =
    dialog?.kind !== 'edit'
      ? undefined
      : refusal === undefined
        ? dialog.promo
        : page?.items.find(({ isActive, code }) => isActive && code === dialog.promo.code);

  function close(): void {
    setDialog(undefined);
    setRefusal(undefined);
  }

  async function save(form: PromoCodeForm): Promise<void> {
    const saved =
      edited === undefined
        ? await call('act', () => answerOf(api.admin['promo-codes'].$post({ json: form })), {
            done: `${form.code} is active`,
          })
        : await call(
            'act',
            () => answerOf(api.admin['promo-codes'][':id'].$put({ param: { id: edited.id }, json: form })),
            {
              done: `${form.code} is saved`,
              isShown: (refused) => {
                if (isChangedMeanwhile(refused)) setRefusal({ change: refused.change });
                return isChangedMeanwhile(refused);
              },
            },
          );
    if (saved !== undefined) close();
  }

  return (
    <>
      <AdminHead title="Promo codes" facts="Stored by the payment provider. Times are UTC.">
        <Button variant="primary" onClick={() => setDialog({ kind: 'create' })}>
          New promo code
        </Button>
      </AdminHead>
      {page === undefined ? (
        <EmptyState
          title="The payment provider did not answer"
          text="Promo codes are stored there, so none can be shown now. Existing codes are not affected."
        >
          <Button render={<Link to={pathname + search} reloadDocument />}>Try again</Button>
        </EmptyState>
      ) : (
        <>
          <StateChips
            label="Which codes"
            name="state"
            value={state}
            options={[
              { value: undefined, label: 'All', count: page.total },
              ...promoStates.map((one) => ({ value: one, label: promoWords[one].text, count: page.counts[one] })),
            ]}
          />
          <div className="filter-bar">
            <SearchField label="Search promo codes" placeholder="Code" value={q} />
          </div>
          {page.items.length === 0 ? (
            <NoMatches all={{ count: page.all, isMore: false }} filters={[q, state]} one="promo code">
              <EmptyState title="No promo codes yet" text="Codes that you create are listed here with their uses." />
            </NoMatches>
          ) : (
            <Table
              caption="Promo codes"
              rows={page.items}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'Code',
                  kind: 'name',
                  cell: (promo) => <RowName name={promo.code} note={discountText(promo, currency)} />,
                },
                {
                  head: 'Used',
                  kind: 'number',
                  cell: ({ redemptions, maxRedemptions }) =>
                    `${formatCount(redemptions)}${maxRedemptions === undefined ? '' : ` of ${formatCount(maxRedemptions)}`}`,
                },
                { head: 'In use', kind: 'number', cell: ({ subscriptions }) => formatCount(subscriptions ?? 0) },
                {
                  head: 'Until',
                  cell: ({ expiresAt }) => (expiresAt === undefined ? 'No expiry' : formatDate(expiresAt)),
                },
                { head: 'State', isBare: true, cell: (promo) => <StateWord {...promoWords[promo.state]} /> },
                {
                  head: 'Actions',
                  kind: 'actions',
                  isWide: true,
                  cell: (promo) =>
                    promo.isActive && (
                      <RowActions
                        of={promo.code}
                        actions={[
                          ['Edit', () => setDialog({ kind: 'edit', promo })],
                          ['End', () => setDialog({ kind: 'end', promo })],
                        ]}
                      />
                    ),
                },
              ]}
            />
          )}
          {page.after !== undefined && (
            <div className="pager">
              <span>{countOf(page.items.length, 'code')} shown</span>
              <nav aria-label="Pages">
                <Button render={<Link to={withParameters(search, { after: page.after })} />}>Older</Button>
              </nav>
            </div>
          )}
        </>
      )}
      {(dialog?.kind === 'create' || dialog?.kind === 'edit') && (
        <PromoCodeDialog
          currency={currency}
          {...(dialog.kind === 'edit' && { start: promoCodeRules(dialog.promo) })}
          isBusy={isBusy}
          conflict={refusal && { ...refusal, theirs: edited && promoCodeRules(edited) }}
          onSave={save}
          onClose={close}
        />
      )}
      {dialog?.kind === 'end' && (
        <ConsequenceDialog
          title={`End ${dialog.promo.code}`}
          consequences={`New customers can’t use it. ${countOf(dialog.promo.subscriptions ?? 0, 'subscription')} ${dialog.promo.subscriptions === 1 ? 'keeps' : 'keep'} the discount.`}
          verb="End code"
          isBusy={isBusy}
          onClose={close}
          onConfirm={async () => {
            const { id, code } = dialog.promo;
            const ended = await call(
              'act',
              () => answerOf(api.admin['promo-codes'][':id'].$delete({ param: { id } })),
              { done: `${code} is ended` },
            );
            if (ended !== undefined) close();
          }}
        />
      )}
    </>
  );
}

function discountText({ discount, months, currency, isFirstTimeOnly }: AdminPromoCode, siteCurrency: string): string {
  const { percentOff, amountOff, duration } = discount;
  const off = percentOff === null ? formatMoney(amountOff ?? 0, currency ?? siteCurrency) : `${percentOff}%`;
  const spans = {
    once: 'off the first payment',
    months: `off for ${countOf(months ?? 1, 'month')}`,
    forever: 'off every payment',
  };
  return `${off} ${spans[duration]}${isFirstTimeOnly ? ', for accounts that never paid' : ''}`;
}
