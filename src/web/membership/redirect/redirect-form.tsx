import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'react-router';
import type { Period } from '#domain/membership/rules.ts';
import type { RedirectPaymentSettings } from '#domain/membership/shapes.ts';
import { answerOf, api } from '../../api.ts';
import { logEvent } from '../../analytics/log-event.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { OrderSum } from './order-sum.tsx';
import { PaymentTerms } from '../payment-terms.tsx';
import { PriceSummary, usePreview } from '../price-preview.tsx';
import { PromoCodeEntry, usePromoCodeEntry } from '../promo-code-entry.tsx';

type RedirectFormProps = {
  settings: RedirectPaymentSettings;
  period: Period;
  /** Undefined: the site has one. */
  currency: string | undefined;
  /** Promo code of the link that led here. */
  promoCode: string | undefined;
  onSubscribed: () => Promise<void>;
};

/** Leads to the provider’s page, on which the order is paid; `/subscribe/return` goes on from there. */
export function RedirectForm({ settings, period, currency, promoCode, onSubscribed }: RedirectFormProps) {
  const { pathname, search } = useLocation();
  const promo = usePromoCodeEntry(promoCode);
  const [tries, setTries] = useState(0);
  const [failure, setFailure] = useState<string>();
  const [isOpening, setIsOpening] = useState(false);
  const shown = usePreview({ period, currency, promoCode: promo.asked, withoutTrial: false, tries });
  const preview = shown.preview?.period === period ? shown.preview : undefined;
  const { title, statementName } = settings;

  async function open(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isOpening) return;
    setIsOpening(true);
    setFailure(undefined);
    promo.setFailure(undefined);
    logEvent('create_subscription', { properties: { period } });
    const withCode = shown.applied === promo.typed ? preview : undefined;
    const answer = await answerOf(
      api.user.subscription.checkout.$post({
        json: {
          period,
          currency,
          promoCode: promo.typed,
          amount: preview?.amount,
          firstCharge: withCode?.firstCharge.amount,
          thenAmount: withCode?.thenAmount,
          returnTo: `${pathname}${search}`,
        },
      }),
    );
    if (answer.ok) return void location.assign(answer.data.url);
    const { code, message } = answer;
    logEvent('create_subscription_error', { properties: { code } });
    setIsOpening(false);
    if (code === 'subscription/already-subscribed') return onSubscribed();
    if (code.startsWith('promo-code/')) promo.setFailure(message);
    else
      setFailure(
        code === 'payment/unavailable'
          ? t`${title} does not answer at the moment. Nothing was charged. Try again in a minute.`
          : message,
      );
    if (code.startsWith('promo-code/') || code === 'subscription/price-changed') setTries(tries + 1);
    return undefined;
  }

  return (
    <form className="form" noValidate aria-label={t`Payment`} onSubmit={(event) => void open(event)}>
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      {settings.isStandIn && <Note tone="info">{t`This is a stand-in for ${title}: no money moves.`}</Note>}
      <PromoCodeEntry entry={promo} preview={preview} applied={shown.applied} refusal={shown.refusal} />
      {preview?.discount ? <OrderSum preview={preview} /> : <PriceSummary preview={preview} />}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        width="full"
        disabled={preview === undefined}
        busy={isOpening ? t`Opening ${title}` : undefined}
      >
        {t`Continue to ${title}`}
      </Button>
      <div className="modal__form m-0 text-13">
        <p>
          {t`You pay on ${title}’s page and come back here.`}
          {statementName !== null && ` ${t`Your statement shows ${statementName}.`}`}
          {settings.sellsInOwnName &&
            ` ${t`${{ title }} sells in its own name, so receipts come from ${{ title }}.`}`}{' '}
          <PaymentTerms />
        </p>
      </div>
    </form>
  );
}
