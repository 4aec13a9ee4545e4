import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { href } from 'react-router';
import type { AdminTip } from '#domain/admin/money/tips.ts';
import { tipStates } from '#domain/membership/tips/rules.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { ConsequenceDialog } from '#web/admin/consequence-dialog.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { tipWords } from '#web/admin/money/state-words.ts';
import { useCall } from '#web/admin/use-call.ts';
import { api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { RowName } from '#web/workshop/lists/table.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/tips';

export function loader(args: Route.LoaderArgs) {
  return loadList(args, {
    name: 'tips',
    states: tipStates,
    read: (site, viewer, query, page) => site.admin.money.listTips(viewer, query, page),
  });
}

export default function AdminTips({ loaderData }: Route.ComponentProps) {
  const [refunding, setRefunding] = useState<AdminTip>();
  return (
    <ListPage
      title={t`Tips`}
      facts={t`Newest first. Search by creator, giver’s username, or ID. Notes are for the creator only.`}
      list={loaderData}
      search={{ label: t`Search tips`, placeholder: t`Creator, username, ID` }}
      states={{ label: t`Which tips`, options: tipStates.map((state) => [state, tipWords()[state].text]) }}
      empty={{ title: t`No tips yet`, text: t`Tips that listeners give are listed here.` }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`Creator`,
          kind: 'name',
          cell: ({ voiceName, voiceSlug, giver }) => (
            <RowName
              to={voiceSlug === null ? null : href('/creators/:slug', { slug: voiceSlug })}
              name={<span dir="auto">{voiceName}</span>}
              note={giver === null ? t`From a deleted account` : t`From ${{ giver: giver.username ?? giver.id }}`}
            />
          ),
        },
        { head: t`Amount`, kind: 'number', cell: ({ amount, currency }) => formatMoney(amount, currency) },
        {
          head: t`Tax`,
          kind: 'number',
          className: 'wide-only',
          cell: ({ tax, currency }) => formatMoney(tax, currency),
        },
        { head: t`Creator’s part`, kind: 'number', cell: ({ earned, currency }) => formatMoney(earned, currency) },
        { head: t`State`, isBare: true, cell: ({ state }) => <StateMark {...tipWords()[state]} /> },
        { head: t`Begun`, className: 'text-muted', cell: ({ createdAt }) => formatDate(createdAt) },
        {
          head: t`Actions`,
          kind: 'actions',
          cell: (tip) =>
            tip.paidAt !== null &&
            tip.refundedAt === null && (
              <Button size="sm" onClick={() => setRefunding(tip)}>
                {t`Refund`}
                <span className="sr-only"> {tip.voiceName}</span>
              </Button>
            ),
        },
      ]}
    >
      {refunding !== undefined && <RefundTipDialog tip={refunding} onClose={() => setRefunding(undefined)} />}
    </ListPage>
  );
}

function RefundTipDialog({ tip, onClose }: { tip: AdminTip; onClose: () => void }) {
  const { call } = useCall();
  const { id, voiceName } = tip;
  const amount = formatMoney(tip.amount, tip.currency);
  const earned = formatMoney(tip.earned, tip.currency);
  return (
    <ConsequenceDialog
      title={t`Refund the tip`}
      consequences={t`${amount} will be refunded to the original card. ${earned} are taken off the earnings of ${voiceName} in the month that runs.`}
      verb={t`Refund ${amount}`}
      asksReason
      onClose={onClose}
      onConfirm={(reason) =>
        call('act', () => api.admin.tips[':id'].refund.$post({ param: { id }, json: { reason } }), {
          done: t`${amount} refunded`,
        })
      }
    />
  );
}
