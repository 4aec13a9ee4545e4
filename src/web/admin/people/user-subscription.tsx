import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Calendar from 'lucide-react/icons/calendar';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Undo2 from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import type { GiftAuthor, PaymentMoment, UserDetail } from '#domain/admin/people/users.ts';
import { formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { type Moment, Fact, Facts, Timeline } from '../../workshop/facts.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { StateMark } from '../../workshop/state-mark.tsx';
import { subscriptionWords } from '../money/state-words.ts';

/** The subscription, and its payments as a timeline. */
export function UserSubscription({ user }: { user: Pick<UserDetail, 'subscription' | 'payments' | 'customerId'> }) {
  const { subscription, payments, customerId } = user;
  const { state, period, amount, currency, card, nextCharge, giftUntil, endsAt, graceEndsAt, discount, pause } =
    subscription;
  const price = amount !== null && currency !== null && formatMoney(amount, currency);
  const charge = nextCharge && {
    amount: formatMoney(nextCharge.amount, nextCharge.currency),
    date: formatDate(nextCharge.at),
  };
  const renewal = nextCharge && {
    icon: Calendar,
    key: 'renewal',
    title: (
      <span className="text-muted">
        <Trans>Renewal</Trans>
      </span>
    ),
    at: nextCharge.at,
    note: formatMoney(nextCharge.amount, nextCharge.currency),
  };
  return (
    <Pane title={t`Subscription`} end={<StateMark {...subscriptionWords()[state]} />}>
      <Facts>
        <Fact name={t`Plan`}>
          {period === null || price === false
            ? t`None`
            : period === 'year'
              ? t`Yearly, ${price}`
              : t`Monthly, ${price}`}
        </Fact>
        {charge !== null && (
          <Fact name={t`Next payment`}>{t`${{ amount: charge.amount }} on ${{ date: charge.date }}`}</Fact>
        )}
        {endsAt !== null && <Fact name={state === 'ended' ? t`Ended` : t`Ends`}>{formatDate(endsAt)}</Fact>}
        {graceEndsAt !== null && <Fact name={t`Access until`}>{formatDate(graceEndsAt)}</Fact>}
        {pause !== null && (
          <Fact name={t`Paused`}>
            {t`From ${{ from: formatDate(pause.from) }} to ${{ until: formatDate(pause.until) }}`}
          </Fact>
        )}
        {card !== null && (
          <Fact name={t`Card`} className="tabular-nums first-letter:uppercase">
            {cardText(card)}
          </Fact>
        )}
        {discount !== null && <Fact name={t`Discount`}>{discount.code ?? t`Without a code`}</Fact>}
        <Fact name={t`Gift time`}>{giftUntil === null ? t`None` : t`Until ${{ date: formatDate(giftUntil) }}`}</Fact>
        {customerId !== null && (
          <Fact name={t`Customer`} className="break-all text-13">
            {customerId}
          </Fact>
        )}
      </Facts>
      <h3 className="mt-5 mb-3">
        <Trans>Payments</Trans>
      </h3>
      {payments.length === 0 ? (
        <p className="text-muted">
          <Trans>No payments yet.</Trans>
        </p>
      ) : (
        <Timeline moments={[...(renewal ? [renewal] : []), ...payments.map(momentOf)]} />
      )}
    </Pane>
  );
}

function cardText({ brand, last4, expMonth, expYear }: NonNullable<UserDetail['subscription']['card']>): string {
  if (expMonth === null || expYear === null) return `${brand} ${last4}`;
  const expiry = `${String(expMonth).padStart(2, '0')}/${String(expYear).slice(-2)}`;
  return t`${brand} ending ${last4}, ${expiry}`;
}

const marks = {
  paid: { icon: Check, tone: 'tone-ok' },
  failed: { icon: X, tone: 'tone-bad' },
  void: { icon: X },
  refunded: { icon: Undo2 },
  given: { icon: Gift, tone: 'tone-accent' },
  'taken-back': { icon: Undo2 },
  'gift-card': { icon: Gift, tone: 'tone-accent' },
} satisfies Record<PaymentMoment['kind'], Pick<Moment, 'icon' | 'tone'>>;

function momentOf(payment: PaymentMoment): Moment {
  const { kind, at } = payment;
  const [title, note] = textsOf(payment);
  return { ...marks[kind], key: `${kind} ${at.toISOString()}`, at, title, note };
}

function textsOf(payment: PaymentMoment): [string, string] {
  const months = 'months' in payment ? payment.months : 0;
  switch (payment.kind) {
    case 'given':
      return [plural(months, { one: '# month given', other: '# months given' }), authorText(payment)];
    case 'taken-back':
      return [plural(months, { one: '# month taken back', other: '# months taken back' }), authorText(payment)];
    case 'gift-card':
      return [plural(months, { one: '# month by a gift card', other: '# months by a gift card' }), t`Redeemed`];
    default: {
      const amount = formatMoney(payment.amount, payment.currency);
      const { number } = payment;
      const invoice = number === null ? '' : t`Invoice ${number}`;
      if (payment.kind === 'refunded') return [t`${amount} refunded`, invoice];
      if (payment.kind === 'paid') return [t`${amount} paid`, invoice];
      return payment.kind === 'failed' ? [t`${amount} not paid yet`, invoice] : [t`${amount} canceled`, invoice];
    }
  }
}

/** The operator who gave the months, with the reason. */
function authorText({ by, reason }: { by: GiftAuthor | null; reason: string | null }): string {
  if (by?.kind === 'command-line') return t`By the operator, on the command line`;
  const who = operatorText(by);
  return reason === null ? who : t`${who}: “${reason}”`;
}

function operatorText(by: Exclude<GiftAuthor, { kind: 'command-line' }> | null): string {
  if (by === null) return t`By an operator`;
  const { name } = by;
  return name === null ? t`By an admin whose account was deleted` : t`By ${name}`;
}
