import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { type ComponentType, useState } from 'react';
import { href, Link } from 'react-router';
import type { Plan } from '#domain/membership/payment-provider.ts';
import type { Subscription, subscriberActs } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import { AccountFact } from '../identity/account/account-fact.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Note } from '../ui/note.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';
import { useActAfterPayment } from './act-after-payment.ts';
import type { Plain } from './plain.ts';
import type { AtProviderProps } from './redirect/at-provider.tsx';
import type { SubscriptionDialog } from './subscription-dialogs.tsx';
import { SubscribeButton } from './subscribe-button.tsx';
import { asJson, useChange } from './use-change.ts';
import type { StateWords } from './keeping/state-words.ts';
import {
  accessLine,
  cardLine,
  chargeLine,
  keepLabel,
  otherPeriod,
  perMonth,
  planNames,
  promoCodeFact,
  switchLabel,
} from './wording.ts';

type SubscriptionSectionProps = {
  /** Loaded only for subscriptions at a provider with pages of its own. */
  AtProvider: ComponentType<AtProviderProps>;
  /** Loaded late, for those who can pause or have. */
  PauseActs: ComponentType<{ subscription: Plain<Subscription> }>;
  siteName: string;
  subscription: Plain<Subscription>;
  words: StateWords;
};

const tones = { good: 'tone-ok', warning: 'tag--warn', quiet: 'tag--quiet' };

/** Plan, state and card, with all actions. */
export function SubscriptionSection({
  AtProvider,
  PauseActs,
  siteName,
  subscription,
  words,
}: SubscriptionSectionProps) {
  const { state, period, amount, currency } = subscription;
  useActAfterPayment();
  const { tag, tone, text } = words;
  const isOver = state === 'none' || state === 'ended';
  const plan = !isOver && period !== null && amount !== null && currency !== null ? { period, amount, currency } : null;
  return (
    <section id="subscription" tabIndex={-1} aria-label={t`Subscription`}>
      <h1 className="text-26" tabIndex={-1}>
        <Trans>Subscription</Trans>
      </h1>
      <noscript>
        <p className="mt-2 text-soft">
          <Trans>Changing or canceling it needs JavaScript.</Trans>
        </p>
      </noscript>
      <div className="panel mt-4 p-5 md:p-7">
        <div className="flex items-start gap-4 max-md:flex-col">
          <div className="min-w-0 flex-1">
            <h2 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-ui text-18 leading-[1.4] font-semibold tracking-normal">
              {plan === null
                ? t`No subscription`
                : plan.period === 'year'
                  ? t`${siteName} annual`
                  : t`${siteName} monthly`}
              {tag !== undefined && <span className={classNames('tag', tones[tone])}>{tag}</span>}
            </h2>
            <p className="mt-1 text-muted">{text}</p>
          </div>
          {plan !== null && (
            <p className="flex-none text-13 text-muted md:text-end">
              <b className="font-display text-32 leading-none font-normal text-text max-md:me-2 md:block">
                {formatMoney(perMonth(plan.amount, plan.period), plan.currency)}
              </b>
              {plan.period === 'year' ? t`per month, billed annually` : t`per month, billed monthly`}
            </p>
          )}
        </div>
        {state === 'confirming' ? (
          <Confirming />
        ) : plan === null ? (
          <Without subscription={subscription} />
        ) : (
          <Running AtProvider={AtProvider} PauseActs={PauseActs} subscription={subscription} plan={plan} />
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
        busy={isBusy ? t`Waiting for your bank…` : undefined}
        onClick={() =>
          void run(
            () => answerOf(api.user.subscription.refresh.$post({}, asJson)),
            t`Thank you. You now have unlimited access.`,
          )
        }
      >
        {t`Continue at your bank`}
      </Button>
      <SubscribeButton variant="outline">{t`Use another card`}</SubscribeButton>
    </div>
  );
}

function Without({ subscription }: { subscription: Plain<Subscription> }) {
  return (
    <div className={`${actions} noscript:hidden`}>
      <SubscribeButton>{subscription.state === 'ended' ? t`Subscribe again` : t`Subscribe`}</SubscribeButton>
      <Link className="link" to={href('/gift-card/redeem')}>
        {t`Redeem a gift card`}
      </Link>
    </div>
  );
}

const loadDialogs = () => import('./subscription-dialogs.tsx');

type RunningProps = Pick<SubscriptionSectionProps, 'AtProvider' | 'PauseActs' | 'subscription'> & { plan: Plan };

function Running({ AtProvider, PauseActs, subscription, plan }: RunningProps) {
  const { state, freeBy, card, nextCharge, nextPeriod, discount, giftUntil, renewsAt, endsAt } = subscription;
  const [open, setOpen] = useState<SubscriptionDialog>();
  const { isBusy, failure, run, clear } = useChange();
  const close = () => setOpen(undefined);
  const show = (dialog: SubscriptionDialog) => {
    clear();
    setOpen(dialog);
  };
  const dialogs = useLateLayer(loadDialogs, open !== undefined, close);
  const paidUntil = endsAt ?? renewsAt;
  const changesOn = paidUntil === null ? '' : formatDay(paidUntil);
  // Only the provider can compute the next charge with a discount.
  const isPlain = renewsAt !== null && discount === null;
  const next = nextCharge ?? (isPlain ? { amount: plan.amount, currency: plan.currency, at: renewsAt } : null);
  const isPastDue = state === 'past-due';
  const isRenewing = !isPastDue && state !== 'ending';
  const access = accessLine(subscription);
  const giftEnd = giftUntil && formatDay(giftUntil);
  const { through } = subscription;
  const can = (act: (typeof subscriberActs)[number]) => through?.can.includes(act) !== false;

  const keepPeriod = () =>
    run(
      () => answerOf(api.user.subscription.period.$put({ json: { period: plan.period } })),
      plan.period === 'year' ? t`Your plan stays annual` : t`Your plan stays monthly`,
    );
  const resume = () =>
    run(() => answerOf(api.user.subscription.resume.$post({}, asJson)), t`Your subscription continues`);
  const pay = () =>
    run(() => answerOf(api.user.subscription.pay.$post({}, asJson)), t`Thank you. The payment went through.`);

  return (
    <>
      {isPastDue && can('pay') && (
        <div className={actions}>
          <Button variant="primary" busy={isBusy ? t`Paying…` : undefined} onClick={() => void pay()}>
            {t`Pay again`}
          </Button>
          <Button variant="outline" onClick={() => show('card')}>
            {t`Use another card`}
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
            label={freeBy === 'trial' ? t`First payment` : t`Next payment`}
            value={<span className="tabular-nums">{chargeLine(next)}</span>}
          />
        )}
        {can('change-card') && (
          <AccountFact
            label={t`Payment method`}
            value={<span className="tabular-nums">{card === null ? t`Not available right now` : cardLine(card)}</span>}
          >
            <button type="button" className="link" aria-label={t`Update payment method`} onClick={() => show('card')}>
              <Trans context="verb">Update</Trans>
            </button>
          </AccountFact>
        )}
        <AccountFact
          label={t`Plan`}
          value={
            nextPeriod === null
              ? planNames()[plan.period]
              : nextPeriod === 'year'
                ? t`Monthly, annual from ${changesOn}`
                : t`Annual, monthly from ${changesOn}`
          }
        >
          {nextPeriod !== null ? (
            <button type="button" className="link" disabled={isBusy} onClick={() => void keepPeriod()}>
              {keepLabel(plan.period)}
            </button>
          ) : (
            isRenewing &&
            can('change-period') && (
              <button type="button" className="link" onClick={() => show('period')}>
                {switchLabel(otherPeriod(plan.period))}
              </button>
            )
          )}
        </AccountFact>
        <AccountFact label={t`Promo code`} value={promoCodeFact(subscription)}>
          {discount === null && isRenewing && can('add-promo-code') && (
            <button type="button" className="link" aria-label={t`Add promo code`} onClick={() => show('promo-code')}>
              <Trans>Add</Trans>
            </button>
          )}
        </AccountFact>
        {giftEnd !== null && <AccountFact label={t`Gift time`} value={t`Until ${giftEnd}`} />}
      </dl>
      {!can('change-card') && <AtProvider part="facts" subscription={subscription} />}
      <div className={actions}>
        {state === 'ending'
          ? can('resume') && (
              <Button variant="primary" busy={isBusy ? t`One moment…` : undefined} onClick={() => void resume()}>
                {t`Resume subscription`}
              </Button>
            )
          : can('cancel') && (
              <Button variant="outline" onClick={() => show('cancel')}>
                {t`Cancel subscription`}
              </Button>
            )}
        {(subscription.pause !== null || subscription.pauseChoices.length > 0) && (
          <PauseActs subscription={subscription} />
        )}
        {access !== null && <p>{access}</p>}
      </div>
      {!can('change-period') && <AtProvider part="acts" subscription={subscription} />}
      {dialogs && <dialogs.SubscriptionDialogs open={open} onClose={close} subscription={subscription} plan={plan} />}
    </>
  );
}
