import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { Plan } from '#domain/membership/payment-provider.ts';
import type { Subscription } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import { AccountFact } from '../identity/account/account-fact.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Note } from '../ui/note.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';
import { useActAfterPayment } from './act-after-payment.ts';
import type { Plain } from './plain.ts';
import type { SubscriptionDialog } from './subscription-dialogs.tsx';
import { SubscribeButton } from './subscribe-button.tsx';
import { asJson, useChange } from './use-change.ts';
import { accessLine, cardLine, otherPeriod, perMonth, planNames, promoCodeFact, stateWords } from './wording.ts';

type SubscriptionSectionProps = {
  siteName: string;
  subscription: Plain<Subscription>;
  /** The server’s time, so that server and browser render the same. */
  now: number;
};

const tones = { good: 'tone-ok', warning: 'tag--warn', quiet: 'tag--quiet' };

/** Plan, state and card, with all actions. */
export function SubscriptionSection({ siteName, subscription, now }: SubscriptionSectionProps) {
  const { state, period, amount, currency } = subscription;
  useActAfterPayment();
  const { tag, tone, text } = stateWords(subscription, now);
  const isOver = state === 'none' || state === 'ended';
  const plan = !isOver && period !== null && amount !== null && currency !== null ? { period, amount, currency } : null;
  return (
    <section id="subscription" tabIndex={-1} aria-label="Subscription">
      <h1 className="text-26" tabIndex={-1}>
        Subscription
      </h1>
      <noscript>
        <p className="mt-2 text-soft">Changing or canceling it needs JavaScript.</p>
      </noscript>
      <div className="panel mt-4 p-5 md:p-7">
        <div className="flex items-start gap-4 max-md:flex-col">
          <div className="min-w-0 flex-1">
            <h2 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-ui text-18 leading-[1.4] font-semibold tracking-normal">
              {plan === null ? 'No subscription' : `${siteName} ${planNames[plan.period].toLowerCase()}`}
              {tag !== 'None' && <span className={classNames('tag', tones[tone])}>{tag}</span>}
            </h2>
            <p className="mt-1 text-muted">{text}</p>
          </div>
          {plan !== null && (
            <p className="flex-none text-13 text-muted md:text-right">
              <b className="font-display text-32 leading-none font-normal text-text max-md:mr-2 md:block">
                {formatMoney(perMonth(plan.amount, plan.period), plan.currency)}
              </b>
              per month, {plan.period === 'year' ? 'billed annually' : 'billed monthly'}
            </p>
          )}
        </div>
        {state === 'confirming' ? (
          <Confirming />
        ) : plan === null ? (
          <Without subscription={subscription} />
        ) : (
          <Running subscription={subscription} plan={plan} />
        )}
      </div>
    </section>
  );
}

const actions = 'mt-5 flex flex-wrap items-center gap-3 text-14 [&>p]:text-muted';

/** Until the bank confirms, nothing is charged and the subscription is not active. */
function Confirming() {
  const { isBusy, failure, run } = useChange(({ isSubscribed }) => isSubscribed);
  return (
    <div className={actions}>
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <Button
        variant="primary"
        busy={isBusy ? 'Waiting for your bank…' : undefined}
        onClick={() =>
          void run(
            () => answerOf(api.user.subscription.refresh.$post({}, asJson)),
            'Thank you. You now have unlimited access.',
          )
        }
      >
        Continue at your bank
      </Button>
      <SubscribeButton variant="outline">Use another card</SubscribeButton>
    </div>
  );
}

function Without({ subscription }: { subscription: Plain<Subscription> }) {
  return (
    <div className={`${actions} noscript:hidden`}>
      <SubscribeButton>{subscription.state === 'ended' ? 'Subscribe again' : 'Subscribe'}</SubscribeButton>
      <Link className="link" to={href('/gift-card/redeem')}>
        Redeem a gift card
      </Link>
    </div>
  );
}

const loadDialogs = () => import('./subscription-dialogs.tsx');

function Running({ subscription, plan }: { subscription: Plain<Subscription>; plan: Plan }) {
  const { state, freeBy, card, nextCharge, nextPeriod, discount, giftUntil, renewsAt, endsAt } = subscription;
  const [open, setOpen] = useState<SubscriptionDialog>();
  const { isBusy, failure, run, clear } = useChange();
  const close = () => setOpen(undefined);
  const show = (dialog: SubscriptionDialog) => {
    clear();
    setOpen(dialog);
  };
  const dialogs = useLateLayer(loadDialogs, open !== undefined, close);
  const other = otherPeriod(plan.period);
  const paidUntil = endsAt ?? renewsAt;
  // Only the provider can compute the next charge with a discount.
  const isPlain = renewsAt !== null && discount === null;
  const next = nextCharge ?? (isPlain ? { amount: plan.amount, currency: plan.currency, at: renewsAt } : null);
  const isPastDue = state === 'past-due';
  const isRenewing = !isPastDue && state !== 'ending';
  const access = accessLine(subscription);

  const keepPeriod = () =>
    run(
      () => answerOf(api.user.subscription.period.$put({ json: { period: plan.period } })),
      `Your plan stays ${planNames[plan.period].toLowerCase()}`,
    );
  const resume = () =>
    run(() => answerOf(api.user.subscription.resume.$post({}, asJson)), 'Your subscription continues');
  const pay = () =>
    run(() => answerOf(api.user.subscription.pay.$post({}, asJson)), 'Thank you. The payment went through.');

  return (
    <>
      {isPastDue && (
        <div className={actions}>
          <Button variant="primary" busy={isBusy ? 'Paying…' : undefined} onClick={() => void pay()}>
            Pay again
          </Button>
          <Button variant="outline" onClick={() => show('card')}>
            Use another card
          </Button>
        </div>
      )}
      {failure !== undefined && (
        <Note tone="error" className="mt-4">
          {failure}
        </Note>
      )}
      <dl className="details mt-5 border-t border-line [&>:last-child]:border-0">
        {next !== null && isRenewing && (
          <AccountFact
            label={freeBy === 'trial' ? 'First payment' : 'Next payment'}
            value={
              <span className="tabular-nums">{`${formatMoney(next.amount, next.currency)} on ${formatDay(next.at)}`}</span>
            }
          />
        )}
        <AccountFact
          label="Payment method"
          value={<span className="tabular-nums">{card === null ? 'Not available right now' : cardLine(card)}</span>}
        >
          <button type="button" className="link" aria-label="Update payment method" onClick={() => show('card')}>
            Update
          </button>
        </AccountFact>
        <AccountFact
          label="Plan"
          value={
            nextPeriod === null
              ? planNames[plan.period]
              : `${planNames[plan.period]}, ${planNames[nextPeriod].toLowerCase()} from ${formatDay(paidUntil ?? '')}`
          }
        >
          {nextPeriod !== null ? (
            <button type="button" className="link" disabled={isBusy} onClick={() => void keepPeriod()}>
              Keep {planNames[plan.period].toLowerCase()}
            </button>
          ) : (
            isRenewing && (
              <button type="button" className="link" onClick={() => show('period')}>
                Switch to {planNames[other].toLowerCase()}
              </button>
            )
          )}
        </AccountFact>
        <AccountFact label="Promo code" value={promoCodeFact(subscription)}>
          {discount === null && isRenewing && (
            <button type="button" className="link" aria-label="Add promo code" onClick={() => show('promo-code')}>
              Add
            </button>
          )}
        </AccountFact>
        {giftUntil !== null && <AccountFact label="Gift time" value={`Until ${formatDay(giftUntil)}`} />}
      </dl>
      <div className={actions}>
        {state === 'ending' ? (
          <Button variant="primary" busy={isBusy ? 'One moment…' : undefined} onClick={() => void resume()}>
            Resume subscription
          </Button>
        ) : (
          <Button variant="outline" onClick={() => show('cancel')}>
            Cancel subscription
          </Button>
        )}
        {access !== null && <p>{access}</p>}
      </div>
      {dialogs && <dialogs.SubscriptionDialogs open={open} onClose={close} subscription={subscription} plan={plan} />}
    </>
  );
}
