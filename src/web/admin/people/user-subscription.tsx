import Calendar from 'lucide-react/icons/calendar';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Undo2 from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import type { GiftAuthor, PaymentMoment, UserDetail } from '#domain/admin/people/users.ts';
import { countOf, formatMoney } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import type { Subscription } from '#domain/membership/shapes.ts';
import { Icon } from '../../ui/images/icon.tsx';

const states: Record<Subscription['state'], { text: string; tone: 'tone-ok' | 'tone-bad' | 'tone-accent' | '' }> = {
  none: { text: 'None', tone: '' },
  confirming: { text: 'Waiting for the bank', tone: 'tone-accent' },
  trialing: { text: 'In trial', tone: 'tone-accent' },
  active: { text: 'Active', tone: 'tone-ok' },
  'past-due': { text: 'Payment failed', tone: 'tone-bad' },
  ending: { text: 'Ends', tone: 'tone-accent' },
  ended: { text: 'Ended', tone: '' },
};

/** The subscription, and its payments as a timeline. */
export function UserSubscription({ user }: { user: Pick<UserDetail, 'subscription' | 'payments' | 'customerId'> }) {
  const { subscription, payments, customerId } = user;
  const { state, period, amount, currency, card, nextCharge, giftUntil, endsAt, graceEndsAt, discount } = subscription;
  const { text, tone } = states[state];
  return (
    <section className="pane" aria-labelledby="subscription">
      <div className="pane__head">
        <h2 className="pane-title" id="subscription">
          Subscription
        </h2>
        <span className={`state-mark ${tone}`}>{text}</span>
      </div>
      <dl className="facts">
        <dt>Plan</dt>
        <dd className="tabular-nums">
          {period === null || amount === null || currency === null
            ? 'None'
            : `${period === 'year' ? 'Yearly' : 'Monthly'}, ${formatMoney(amount, currency)}`}
        </dd>
        {nextCharge !== null && (
          <>
            <dt>Next payment</dt>
            <dd className="tabular-nums">
              {formatMoney(nextCharge.amount, nextCharge.currency)} on {formatDate(nextCharge.at)}
            </dd>
          </>
        )}
        {endsAt !== null && (
          <>
            <dt>{state === 'ended' ? 'Ended' : 'Ends'}</dt>
            <dd className="tabular-nums">{formatDate(endsAt)}</dd>
          </>
        )}
        {graceEndsAt !== null && (
          <>
            <dt>Access until</dt>
            <dd className="tabular-nums">{formatDate(graceEndsAt)}</dd>
          </>
        )}
        {card !== null && (
          <>
            <dt>Card</dt>
            <dd className="tabular-nums first-letter:uppercase">
              {card.brand} ending {card.last4}, {String(card.expMonth).padStart(2, '0')}/
              {String(card.expYear).slice(-2)}
            </dd>
          </>
        )}
        {discount !== null && (
          <>
            <dt>Discount</dt>
            <dd>{discount.code ?? 'Without a code'}</dd>
          </>
        )}
        <dt>Gift time</dt>
        <dd className="tabular-nums">{giftUntil === null ? 'None' : `Until ${formatDate(giftUntil)}`}</dd>
        {customerId !== null && (
          <>
            <dt>Customer</dt>
            <dd className="break-all text-13">{customerId}</dd>
          </>
        )}
      </dl>
      <h3 className="mt-5 mb-3">Payments</h3>
      {payments.length === 0 ? (
        <p className="text-muted">No payments yet.</p>
      ) : (
        <ol className="timeline">
          {nextCharge !== null && (
            <li>
              <span className="timeline__icon">
                <Icon of={Calendar} size={16} />
              </span>
              <b className="text-muted">Renewal</b>
              <time dateTime={nextCharge.at.toISOString()}>{formatDate(nextCharge.at)}</time>
              <small>{formatMoney(nextCharge.amount, nextCharge.currency)}</small>
            </li>
          )}
          {payments.map((payment) => (
            <Moment key={`${payment.kind} ${payment.at.toISOString()}`} moment={payment} />
          ))}
        </ol>
      )}
    </section>
  );
}

const marks = {
  paid: { icon: Check, tone: 'timeline__icon tone-ok' },
  failed: { icon: X, tone: 'timeline__icon tone-bad' },
  void: { icon: X, tone: 'timeline__icon' },
  refunded: { icon: Undo2, tone: 'timeline__icon' },
  given: { icon: Gift, tone: 'timeline__icon tone-accent' },
  'taken-back': { icon: Undo2, tone: 'timeline__icon' },
  'gift-card': { icon: Gift, tone: 'timeline__icon tone-accent' },
};

function Moment({ moment: payment }: { moment: PaymentMoment }) {
  const { icon, tone } = marks[payment.kind];
  const [title, note] = textsOf(payment);
  return (
    <li>
      <span className={tone}>
        <Icon of={icon} size={16} />
      </span>
      <b>{title}</b>
      <time dateTime={payment.at.toISOString()}>{formatDate(payment.at)}</time>
      <small>{note}</small>
    </li>
  );
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
