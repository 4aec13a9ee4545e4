import { useState } from 'react';
import { href, Link } from 'react-router';
import type { Subscription } from '#domain/membership/subscription.ts';
import { answerOf, api } from '../api.ts';
import { AccountFact } from '../identity/account-row.tsx';
import { useSession } from '../identity/session-provider.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Note } from '../ui/note.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { CardDialog } from './card-dialog.tsx';
import { PeriodDialog } from './period-dialog.tsx';
import type { Plain } from './plain.ts';
import { PromoCodeDialog } from './promo-code-dialog.tsx';
import { useSubscribePrompt } from '../shell/subscribe-prompt.tsx';
import { asJson, useChange } from './use-change.ts';
import {
  cardLine,
  discountLine,
  formatDay,
  formatMoney,
  otherPeriod,
  perMonth,
  planNames,
  stateWords,
} from './wording.ts';

type SubscriptionSectionProps = {
  siteName: string;
  subscription: Plain<Subscription>;
  /** As the server had it, so that the browser writes the same. */
  now: number;
};

const tones = { good: 'tag--ok', warning: 'tag--warn', quiet: 'tag--quiet' };

/** Plan, state and card, and all that can be done about them. */
export function SubscriptionSection({ siteName, subscription, now }: SubscriptionSectionProps) {
  const { state, period, amount, currency } = subscription;
  const { tag, tone, text } = stateWords(subscription, now);
  const isOver = state === 'none' || state === 'ended';
  const plan = !isOver && period !== null && amount !== null && currency !== null ? { period, amount, currency } : null;
  return (
    <section id="subscription" tabIndex={-1} aria-label="Subscription">
      <h2 className="t-26">Subscription</h2>
      <noscript>
        <p className="mt-2 text-soft">Changing or canceling it needs JavaScript.</p>
      </noscript>
      <div className="panel sub">
        <div className="sub__h">
          <div className="grow">
            <h3>
              {plan === null ? 'No subscription' : `${siteName} ${planNames[plan.period].toLowerCase()}`}
              {tag !== 'None' && <span className={classNames('tag', tones[tone])}>{tag}</span>}
            </h3>
            <p className="mt-1 text-muted">{text}</p>
          </div>
          {plan !== null && (
            <p className="sub__p">
              <b>{formatMoney(perMonth(plan.amount, plan.period), plan.currency)}</b>
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

/** Nobody is charged, and nothing may be heard, until the bank has said yes. */
function Confirming() {
  const { isBusy, failure, run } = useChange(({ isSubscribed }) => isSubscribed);
  return (
    <div className="sub__a">
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <Button
        variant="primary"
        busy={isBusy ? 'Waiting for your bank…' : undefined}
        onClick={() =>
          void run(
            () => answerOf(api.user.subscription.refresh.$post({}, asJson)),
            'Thank you. Everything is open to you now.',
          )
        }
      >
        Continue at your bank
      </Button>
      <SubscribeButton>Use another card</SubscribeButton>
    </div>
  );
}

function Without({ subscription }: { subscription: Plain<Subscription> }) {
  return (
    <div className="sub__a script">
      <SubscribeButton>{subscription.state === 'ended' ? 'Subscribe again' : 'Subscribe'}</SubscribeButton>
      <Link className="link" to={href('/gift-card/redeem')}>
        Redeem a gift card
      </Link>
    </div>
  );
}

function SubscribeButton({ children }: { children: string }) {
  const { preloadModals } = useSession();
  const askToSubscribe = useSubscribePrompt();
  return (
    <Button
      variant={children === 'Use another card' ? 'outline' : 'primary'}
      onClick={() => askToSubscribe()}
      onPointerEnter={preloadModals}
      onFocus={preloadModals}
    >
      {children}
    </Button>
  );
}

type Plan = { period: 'month' | 'year'; amount: number; currency: string };
type Open = 'cancel' | 'card' | 'period' | 'promo-code';

function Running({ subscription, plan }: { subscription: Plain<Subscription>; plan: Plan }) {
  const { state, freeBy, card, nextCharge, nextPeriod, discount, giftUntil, renewsAt, endsAt } = subscription;
  const [open, setOpen] = useState<Open>();
  const { isBusy, failure, run } = useChange();
  const close = () => setOpen(undefined);
  const other = otherPeriod(plan.period);
  const paidUntil = endsAt ?? renewsAt;
  const next =
    nextCharge ?? (renewsAt === null ? null : { amount: plan.amount, currency: plan.currency, at: renewsAt });
  const isPastDue = state === 'past-due';

  const keepPeriod = () =>
    run(
      () => answerOf(api.user.subscription.period.$put({ json: { period: plan.period } })),
      `Your plan stays ${planNames[plan.period].toLowerCase()}`,
    );
  const resume = () => run(() => answerOf(api.user.subscription.resume.$post({}, asJson)), 'Your subscription goes on');
  const pay = () =>
    run(() => answerOf(api.user.subscription.pay.$post({}, asJson)), 'Thank you. The payment went through.');

  return (
    <>
      {isPastDue && (
        <div className="sub__a">
          <Button variant="primary" busy={isBusy ? 'Paying…' : undefined} onClick={() => void pay()}>
            Pay again
          </Button>
          <Button variant="outline" onClick={() => setOpen('card')}>
            Use another card
          </Button>
        </div>
      )}
      {failure !== undefined && (
        <Note tone="error" className="mt-4">
          {failure}
        </Note>
      )}
      <dl className="dl">
        {next !== null && !isPastDue && state !== 'ending' && (
          <AccountFact
            label={freeBy === 'trial' ? 'First payment' : 'Next payment'}
            value={<span className="num">{`${formatMoney(next.amount, next.currency)} on ${formatDay(next.at)}`}</span>}
          />
        )}
        <AccountFact
          label="Payment method"
          value={<span className="num">{card === null ? 'Cannot be shown just now' : cardLine(card)}</span>}
        >
          <button type="button" className="link" aria-label="Update payment method" onClick={() => setOpen('card')}>
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
            !isPastDue &&
            state !== 'ending' && (
              <button type="button" className="link" onClick={() => setOpen('period')}>
                Switch to {planNames[other].toLowerCase()}
              </button>
            )
          )}
        </AccountFact>
        <AccountFact label="Promo code" value={discount === null ? 'None' : discountLine(discount, plan.currency)}>
          {discount === null && (
            <button type="button" className="link" aria-label="Add promo code" onClick={() => setOpen('promo-code')}>
              Add
            </button>
          )}
        </AccountFact>
        {giftUntil !== null && <AccountFact label="Gift time" value={`Until ${formatDay(giftUntil)}`} />}
      </dl>
      <div className="sub__a">
        {state === 'ending' ? (
          <>
            <Button variant="primary" busy={isBusy ? 'One moment…' : undefined} onClick={() => void resume()}>
              Resume subscription
            </Button>
            <p>You keep access until {formatDay(endsAt ?? '')}.</p>
          </>
        ) : (
          <>
            <Button variant="outline" onClick={() => setOpen('cancel')}>
              Cancel subscription
            </Button>
            {paidUntil !== null && !isPastDue && <p>You keep access until {formatDay(paidUntil)}.</p>}
          </>
        )}
      </div>
      <CancelDialog open={open === 'cancel'} onClose={close} subscription={subscription} />
      <CardDialog open={open === 'card'} onClose={close} isPastDue={isPastDue} />
      <PeriodDialog open={open === 'period'} onClose={close} from={plan.period} to={other} />
      <PromoCodeDialog open={open === 'promo-code'} onClose={close} />
    </>
  );
}
