import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router';
import type { Action } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../api.ts';
import type { ModalProps } from '../identity/modals/modal-props.ts';
import { landingOf } from '../identity/landing.ts';
import { Button } from '../ui/button.tsx';
import { DialogText, DialogTitle } from '../ui/layers/dialog-window.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { CardFormWait } from './card-form-wait.tsx';
import { useCurrency } from './currency-choice.tsx';
import { loadOffer } from './offer.ts';
import { promoCodeMemory } from '../identity/tab-memory.ts';
import { UnlessPaymentDue } from './payment-due.tsx';
import { TestCards } from './test-cards.tsx';
import { planLine } from './wording.ts';

// Loaded on demand: the form includes the provider’s packages.
const loadForm = () => import('./payment-form.tsx');
const loadRedirect = () => import('./redirect/redirect-form.tsx');

/** Spec §4, "Payment submission": a card for the chosen period. */
export function PaymentModal(props: ModalProps) {
  // Someone who chose a period before the log-in may turn out to have an unpaid subscription.
  return (
    <UnlessPaymentDue {...props}>
      <CardForPeriod {...props} />
    </UnlessPaymentDue>
  );
}

function CardForPeriod({ state, authFlow, onSubscribed }: ModalProps) {
  const { search } = useLocation();
  const { subscriptionPeriod: period } = state;
  const [promoCode] = useState(() => landingOf(search).promoCode ?? promoCodeMemory.read());
  const { offer, currency } = useCurrency(useLoaded(loadOffer, true));
  const form = useLoaded(loadForm, offer?.payments.form === 'card');
  const redirect = useLoaded(loadRedirect, offer?.payments.form === 'redirect');
  const current = useStanding(onSubscribed);
  const plan = offer?.plans.find((one) => one.period === period);
  return (
    <>
      <DialogTitle>{t`Payment`}</DialogTitle>
      <DialogText>{plan && offer ? planLine({ ...plan, currency: offer.currency }) : '\u00A0'}</DialogText>
      {state.isLeaveAsked && <LeaveQuestion authFlow={authFlow} />}
      {offer?.payments.form === 'card' && <TestCards cards={offer.testCards} />}
      {offer?.payments.form === 'redirect' && redirect && current ? (
        <redirect.RedirectForm
          settings={offer.payments}
          period={period}
          currency={currency}
          promoCode={promoCode}
          onSubscribed={onSubscribed}
        />
      ) : offer?.payments.form === 'card' && form && current ? (
        <form.PaymentForm
          settings={offer.payments}
          period={period}
          currency={currency}
          promoCode={promoCode}
          pending={current.action}
          onSubscribed={onSubscribed}
          onPaying={authFlow.hold}
        />
      ) : (
        <CardFormWait />
      )}
    </>
  );
}

const focus = (button: HTMLElement | null) => button?.focus();

/** The payment goes on without its window. */
function LeaveQuestion({ authFlow }: Pick<ModalProps, 'authFlow'>) {
  const stay = () => authFlow.modals.dispatch({ type: 'leave-asked', isLeaveAsked: false });
  function leave(): void {
    authFlow.hold(false);
    authFlow.close();
  }
  return (
    <div role="alert" className="note note--info mb-4 flex-col">
      <p>
        <Trans>
          Your payment is still being made. If you leave now, it is completed without you. Your account shows it.
        </Trans>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" size="sm" ref={focus} onClick={stay}>
          {t`Keep waiting`}
        </Button>
        <Button size="sm" onClick={leave}>
          {t`Leave`}
        </Button>
      </div>
    </div>
  );
}

/** State of an earlier payment, whose answer may have been lost with its page. Users with a subscription continue at once. */
function useStanding(onSubscribed: () => Promise<void>): { action: Action | undefined } | undefined {
  const [current, setStanding] = useState<{ action: Action | undefined }>();
  const goOn = useEffectEvent(() => onSubscribed());
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const asJson = { headers: { 'content-type': 'application/json' }, init: { signal } };
    void answerOf(api.user.subscription.refresh.$post({}, asJson)).then((answer) => {
      if (signal.aborted) return;
      if (answer.ok && answer.data.user.subIsWeb) return void goOn();
      setStanding({ action: (answer.ok && answer.data.action) || undefined });
    });
    return () => controller.abort();
  }, []);
  return current;
}
