import Calendar from 'lucide-react/icons/calendar';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Undo2 from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import type { GiftAuthor, PaymentMoment, UserDetail } from '#domain/admin/people/users.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { type Moment, Fact, Facts, Timeline } from '../../workshop/facts.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { StateMark } from '../../workshop/state-mark.tsx';
import { subscriptionWords } from '../money/state-words.ts';

/** The subscription, and its payments as a timeline. */
export function UserSubscription({ user }: { user: Pick<UserDetail, 'subscription' | 'payments' | 'customerId'> }) {
  const { subscription, payments, customerId } = user;
  const { state, period, amount, currency, card, nextCharge, giftUntil, endsAt, graceEndsAt, discount } = subscription;
  const renewal = nextCharge && {
    icon: Calendar,
    key: 'renewal',
    title: <span className="text-muted">Renewal</span>,
    at: nextCharge.at,
    note: formatMoney(nextCharge.amount, nextCharge.currency),
  };
  return (
    <Pane title="Subscription" end={<StateMark {...subscriptionWords[state]} />}>
      <Facts>
        <Fact name="Plan">
          {period === null || amount === null || currency === null
            ? 'None'
            : `${period === 'year' ? 'Yearly' : 'Monthly'}, ${formatMoney(amount, currency)}`}
        </Fact>
        {nextCharge !== null && (
          <Fact name="Next payment">
            {formatMoney(nextCharge.amount, nextCharge.currency)} on {formatDate(nextCharge.at)}
          </Fact>
        )}
        {endsAt !== null && <Fact name={state === 'ended' ? 'Ended' : 'Ends'}>{formatDate(endsAt)}</Fact>}
        {graceEndsAt !== null && <Fact name="Access until">{formatDate(graceEndsAt)}</Fact>}
        {card !== null && (
          <Fact name="Card" className="tabular-nums first-letter:uppercase">
            {card.brand} ending {card.last4}, {String(card.expMonth).padStart(2, '0')}/{String(card.expYear).slice(-2)}
          </Fact>
        )}
        {discount !== null && <Fact name="Discount">{discount.code ?? 'Without a code'}</Fact>}
        <Fact name="Gift time">{giftUntil === null ? 'None' : `Until ${formatDate(giftUntil)}`}</Fact>
        {customerId !== null && (
          <Fact name="Customer" className="break-all text-13">
            {customerId}
          </Fact>
        )}
      </Facts>
      <h3 className="mt-5 mb-3">Payments</h3>
      {payments.length === 0 ? (
        <p className="text-muted">No payments yet.</p>
      ) : (
        <Timeline moments={[...(renewal ? [renewal] : []), ...payments.map(momentOf)]} />
      )}
    </Pane>
  );
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
  switch (payment.kind) {
    case 'given':
      return [`${countOf(payment.months, 'month')} given`, authorText(payment)];
    case 'taken-back':
      return [`${countOf(payment.months, 'month')} taken back`, authorText(payment)];
    case 'gift-card':
      return [`${countOf(payment.months, 'month')} by a gift card`, 'Redeemed'];
    default: {
      const amount = formatMoney(payment.amount, payment.currency);
      const invoice = payment.number === null ? '' : `Invoice ${payment.number}`;
      if (payment.kind === 'refunded') return [`${amount} refunded`, invoice];
      if (payment.kind === 'paid') return [`${amount} paid`, invoice];
      return payment.kind === 'failed' ? [`${amount} not paid yet`, invoice] : [`${amount} canceled`, invoice];
    }
  }
}

/** The operator who gave the months, with the reason. */
function authorText({ by, reason }: { by: GiftAuthor | null; reason: string | null }): string {
  if (by?.kind === 'command-line') return 'By the operator, on the command line';
  const who = by === null ? 'By an operator' : `By ${by.name ?? 'an admin whose account was deleted'}`;
  return reason === null ? who : `${who}: “${reason}”`;
}
