import { useState } from 'react';
import { periods } from '#domain/membership/rules.ts';
import type { Period } from '#domain/membership/rules.ts';
import hero1000 from '../art/hero-1000.webp';
import type { ModalProps } from '../identity/account-modals.tsx';
import { Button } from '../ui/button.tsx';
import { DialogText, DialogTitle } from '../ui/dialog-window.tsx';
import { Note } from '../ui/note.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { PageOffer } from './offer.ts';
import { loadOffer } from './offer.ts';
import { PlanChoice } from './plan-choice.tsx';
import { formatMoney, planNames, savingOf } from './wording.ts';

/** The subscribe banner of spec §4: a year or a month, then on to the account or the payment. */
export function SubscribeModal({ state, entrance, user }: ModalProps) {
  const [period, setPeriod] = useState<Period>('year');
  const [isOffline, setIsOffline] = useState(false);
  const offer = useLoaded(loadOffer, true, () => setIsOffline(true));
  const name = state.subscribeName;
  return (
    <>
      <div className="modal__art modal__art--tall">
        <img src={hero1000} alt="" width={1000} height={538} />
      </div>
      <DialogTitle>Every voice, every night</DialogTitle>
      <DialogText>
        {name === undefined
          ? 'Unlimited access to all audios.'
          : `Hear “${name}”, with unlimited access to all audios.`}{' '}
        Cancel anytime.
      </DialogText>
      <div className="form">
        {isOffline && offer === undefined && <Note tone="error">No internet connection</Note>}
        <PlanChoice label="How you pay" options={optionsOf(offer)} value={period} onChange={setPeriod} />
        <Button
          variant="primary"
          size="lg"
          width="full"
          disabled={offer === undefined}
          onClick={() => void entrance.choosePeriod(period)}
        >
          Continue
        </Button>
      </div>
      {offer?.trialDays !== 0 && (
        <p className="modal__f">
          {user === null ? 'Starts with a free trial.' : 'Your first subscription starts with a free trial.'}
        </p>
      )}
    </>
  );
}

function optionsOf(offer: PageOffer | undefined) {
  const saving = offer === undefined ? 0 : savingOf(offer.plans);
  return periods.toReversed().map((value) => {
    const plan = offer?.plans.find(({ period }) => period === value);
    const price = (cents: number | undefined) =>
      offer === undefined || cents === undefined ? undefined : formatMoney(cents, offer.currency);
    const whole = price(plan?.amount);
    return {
      value,
      title: planNames[value],
      praise: value === 'year' && saving > 0 ? `Save ${saving}%` : undefined,
      text: value === 'month' ? 'Billed monthly' : `Billed annually${whole === undefined ? '' : `, ${whole}`}`,
      price: price(plan?.perMonth),
      priceNote: 'per month',
    };
  });
}
