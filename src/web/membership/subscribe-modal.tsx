import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { type Period, periods } from '#domain/membership/rules.ts';
import hero1000 from '../art/hero-1000.avif';
import type { ModalProps } from '../identity/modals/modal-props.ts';
import { promoCodeMemory } from '../identity/tab-memory.ts';
import { Button } from '../ui/button.tsx';
import { DialogText, DialogTitle } from '../ui/layers/dialog-window.tsx';
import { Note } from '../ui/note.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useCurrency } from './currency-choice.tsx';
import { type PageOffer, loadOffer } from './offer.ts';
import { UnlessPaymentDue } from './payment-due.tsx';
import { PlanChoice } from './plan-choice.tsx';
import { PriceSummary, usePreview } from './price-preview.tsx';
import { formatMoney } from '#formats/numbers.ts';
import { previewOf, savingOf } from './price-lines.ts';
import { discountLine, planNames } from './wording.ts';

/** Subscribe banner of spec §4: choose a year or a month, then continue to the account or the payment. */
export function SubscribeModal(props: ModalProps) {
  return (
    <UnlessPaymentDue {...props}>
      <PeriodChoice {...props} />
    </UnlessPaymentDue>
  );
}

function PeriodChoice({ state, authFlow, user }: ModalProps) {
  const [period, setPeriod] = useState<Period>('year');
  const [isOffline, setIsOffline] = useState(false);
  const all = useLoaded(loadOffer, true, () => setIsOffline(true));
  const { offer, currency, field } = useCurrency(all);
  const name = state.subscribeName;
  const [promoCode] = useState(promoCodeMemory.read);
  // The site knows whether a user has a trial left, and how a stored code changes the price.
  const isAsked = user !== null || promoCode !== undefined;
  const own = usePreview({ period, currency, promoCode, withoutTrial: false, isAsked: isAsked && offer !== undefined });
  const preview = isAsked ? own.preview : offer && previewOf(offer, period);
  const discount = own.applied === undefined ? undefined : preview?.discount;
  return (
    <>
      <div className="modal__art modal__art--tall">
        <img src={hero1000} alt="" width={1000} height={538} />
      </div>
      <DialogTitle>{t`Every voice, every night`}</DialogTitle>
      <DialogText>
        {name === undefined
          ? t`Unlimited access to all audios. Cancel anytime.`
          : t`Hear “${name}”, with unlimited access to all audios. Cancel anytime.`}
      </DialogText>
      <div className="form">
        {isOffline && all === undefined && <Note tone="error">{t`No internet connection`}</Note>}
        <PlanChoice label={t`How you pay`} options={optionsOf(offer)} value={period} onChange={setPeriod} />
        {field}
        <PriceSummary preview={preview} />
        {discount && preview && (
          <p className="hint text-center">
            {discount.code}: {discountLine(discount, preview.currency)}
          </p>
        )}
        {own.refusal !== undefined && <Note tone="info">{`${promoCode}: ${own.refusal}`}</Note>}
        <Button
          variant="primary"
          size="lg"
          width="full"
          disabled={offer === undefined}
          onClick={() => void authFlow.choosePeriod(period)}
        >
          {t`Continue`}
        </Button>
      </div>
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
      title: planNames()[value],
      praise: value === 'year' && saving > 0 ? t`Save ${saving}%` : undefined,
      text:
        value === 'month' ? t`Billed monthly` : whole === undefined ? t`Billed annually` : t`Billed annually, ${whole}`,
      price: price(plan?.perMonth),
      priceNote: t`per month`,
    };
  });
}
