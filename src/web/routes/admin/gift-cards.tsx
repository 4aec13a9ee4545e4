import { useState } from 'react';
import { href, Link } from 'react-router';
import { giftCardStates } from '#domain/admin/rules.ts';
import { isMadeGiftCard } from '#domain/membership/rules.ts';
import type { MadeGiftCardForm } from '#domain/membership/forms.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { NoMatches } from '../../admin/no-matches.tsx';
import { GiftCardDialog } from '../../admin/money/gift-card-dialog.tsx';
import { ListPager } from '../../admin/list-pager.tsx';
import { ListSearch } from '../../admin/list-search.tsx';
import { FilterChips } from '../../admin/filter-chips.tsx';
import { readListQuery } from '../../admin/list-query.ts';
import { giftCardWords } from '../../admin/money/state-words.ts';
import { useMoneyCall } from '../../admin/money/use-money-call.ts';
import { answerOf, api } from '../../api.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import type { Route } from './+types/gift-cards';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { cursor, ...of } = readListQuery(url.searchParams, giftCardStates);
  const page = await orBadRequest(site.money.listGiftCards(viewer, of, { cursor, limit: 25 }));
  const all = await site.admin.countAll(viewer, 'giftCards', page);
  return { ...of, page, all };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Gift cards', description: 'Gift cards of the site', index: 'no' });
}

export default function AdminGiftCards({ loaderData: { q, state, page, all } }: Route.ComponentProps) {
  const [isMaking, setIsMaking] = useState(false);
  const { isBusy, call } = useMoneyCall();

  async function make(form: MadeGiftCardForm): Promise<void> {
    const made = await call(
      () => answerOf(api.admin['gift-cards'].$post({ json: form })),
      `The code is on its way to ${form.recipientEmail}`,
    );
    if (made !== undefined) setIsMaking(false);
  }

  return (
    <>
      <AdminHead
        title="Gift cards"
        facts="Newest first. By the last four letters of the code, the start of the buyer’s or recipient’s email, or an id."
      >
        <Button variant="primary" onClick={() => setIsMaking(true)}>
          New gift card
        </Button>
      </AdminHead>
      <FilterChips
        label="Which gift cards"
        value={state}
        options={[
          { value: undefined, label: 'All' },
          ...giftCardStates.map((one) => ({ value: one, label: giftCardWords[one].text })),
        ]}
      />
      <ListSearch label="Code’s end, email, id" q={q} keep={state === undefined ? {} : { state }} />
      {all !== undefined ? (
        <NoMatches all={all} filters={[q, state]} one="gift card">
          <EmptyState title="No gift cards yet" text="Gift cards that people buy are listed here." />
        </NoMatches>
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <caption className="sr-only">Gift cards</caption>
          <thead {...tableRoles.group}>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head}>Gift card</th>
              <th {...tableRoles.head}>For</th>
              <th {...tableRoles.head} className="r">
                Amount
              </th>
              <th {...tableRoles.head}>State</th>
              <th {...tableRoles.head}>Bought</th>
            </tr>
          </thead>
          <tbody {...tableRoles.group}>
            {page.items.map((card) => (
              <tr {...tableRoles.row} key={card.id}>
                <td {...tableRoles.cell} className="main">
                  <div className="cell">
                    <div className="min-w-0">
                      <Link className="block truncate" to={href('/admin/gift-cards/:id', { id: card.id })}>
                        {countOf(card.months, 'month')}
                        {card.codeEnding !== null && `, code ending ${card.codeEnding}`}
                      </Link>
                      <small className="block truncate">
                        From{' '}
                        {isMadeGiftCard(card)
                          ? 'the site'
                          : (card.buyer.username ?? card.buyer.email ?? 'a deleted account')}
                      </small>
                    </div>
                  </div>
                </td>
                <td {...tableRoles.cell} className="w2 wrap-anywhere" data-l="For">
                  {card.recipientEmail ?? 'No longer known'}
                </td>
                <td {...tableRoles.cell} className="r tabular-nums" data-l="Amount">
                  {formatMoney(card.amount, card.currency)}
                </td>
                <td {...tableRoles.cell}>
                  <span className={`st ${giftCardWords[card.state].tone}`}>{giftCardWords[card.state].text}</span>
                  {card.paidBackAt !== null && <span className="st st--bad">Paid back</span>}
                </td>
                <td {...tableRoles.cell} className="tabular-nums text-muted" data-l="Bought">
                  {formatDate(card.createdAt)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isMaking && <GiftCardDialog isBusy={isBusy} onSave={make} onClose={() => setIsMaking(false)} />}
      <ListPager shown={`${countOf(page.items.length, 'gift card')} shown`} nextCursor={page.nextCursor} />
    </>
  );
}
