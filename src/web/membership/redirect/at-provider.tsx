import { t } from '@lingui/core/macro';
import type { Subscription } from '#domain/membership/shapes.ts';
import { AccountFact } from '../../identity/account/account-fact.tsx';
import { Button } from '../../ui/button.tsx';
import type { Plain } from '../plain.ts';
import { cardLine } from '../wording.ts';

type Through = NonNullable<Subscription['through']>;

export type AtProviderProps = { part: 'facts' | 'acts'; subscription: Plain<Subscription> };

/** Parts of a subscription at a provider with pages of its own. */
export function AtProvider({ part, subscription }: AtProviderProps) {
  const { through, period, card } = subscription;
  if (through === null) return null;
  if (part === 'facts') return <Facts through={through} card={card} />;
  return (
    <>
      {subscription.state !== 'ending' && <CancelThere through={through} />}
      <Note through={through} period={period} />
    </>
  );
}

/** Facts that are changed at the provider, not here. */
function Facts({ through, card }: { through: Through } & Pick<Subscription, 'card'>) {
  if (through.accountUrl === null) return null;
  const { title, accountUrl, sellsInOwnName } = through;
  const link = (label: string) => (
    <a className="link" href={accountUrl}>
      {label}
    </a>
  );
  return (
    <dl className="details border-t border-line [&>:last-child]:border-0">
      <AccountFact label={t`Paid through`} value={title} />
      {card !== null && (
        <AccountFact label={t`Payment method`} value={<span className="tabular-nums">{cardLine(card)}</span>}>
          {link(t`Change at ${title}`)}
        </AccountFact>
      )}
      {sellsInOwnName && (
        <AccountFact label={t`Receipts`} value={t`${title} sends them by email`}>
          {link(t`See at ${title}`)}
        </AccountFact>
      )}
    </dl>
  );
}

/** Says who sells, and how to get to the other plan if it cannot be changed. */
function Note({ through, period }: { through: Through } & Pick<Subscription, 'period'>) {
  const { title } = through;
  const lines = [
    ...(through.sellsInOwnName ? [t`${{ title }} sells in its own name, so receipts come from ${{ title }}.`] : []),
    ...(through.can.includes('change-period')
      ? []
      : [
          period === 'year'
            ? t`To go from annual to monthly, cancel and choose monthly when your paid time ends.`
            : t`To go from monthly to annual, cancel and choose annual when your paid time ends.`,
        ]),
  ];
  return lines.length === 0 ? null : <p className="mt-4 text-13 text-muted">{lines.join(' ')}</p>;
}

/** Leads to the page on which the subscriber cancels, where the site cannot. */
function CancelThere({ through: { title, cancelUrl } }: { through: Through }) {
  if (cancelUrl === null) return null;
  return (
    <Button variant="outline" className="mt-4" onClick={() => location.assign(cancelUrl)}>
      {t`Cancel at ${title}`}
    </Button>
  );
}
