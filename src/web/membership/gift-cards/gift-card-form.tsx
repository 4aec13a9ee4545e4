import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { GiftCardForm } from '#domain/membership/forms.ts';
import type { Offer } from '#domain/membership/shapes.ts';
import { useRootData } from '../../root-data.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { Glyph } from '../../ui/images/glyph.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { CardFormWait } from '../card-form-wait.tsx';
import { dayAfter, deliveryAt, giftCardDraft } from './gift-card-draft.ts';
import { loadOffer } from '../offer.ts';
import { useCurrency } from '../currency-choice.tsx';
import { PlanChoice } from '../plan-choice.tsx';
import { formatMoney } from '#formats/numbers.ts';
import { useHydrated } from '../../ui/use-client-value.ts';
import { listeningOf } from './gift-card-words.ts';
import { monthsOf } from '../wording.ts';

// Loaded on demand: it includes the provider’s packages.
const loadPayment = () => import('./gift-card-payment.tsx');

const yearAhead = 365;

const Draft = GiftCardForm.omit({ deliverAt: true }).extend({
  deliverOn: z.string().refine((day) => day === '' || (day >= dayAfter(0) && day <= dayAfter(yearAhead)), {
    error: () => t`Choose a day within a year from now`,
  }),
});

type BuyGiftCardProps = {
  offer: Offer;
  /** The buyer is a visitor, or their address is unknown: the receipt needs one. */
  asksForEmail: boolean;
};

/** Form for the gift and its recipient; the payment then replaces it. */
export function BuyGiftCard({ offer: all, asksForEmail }: BuyGiftCardProps) {
  const [order, setOrder] = useState<GiftCardForm>();
  const payment = useLoaded(loadPayment, order !== undefined);
  const { offer, currency, field } = useCurrency(all, 'gift');
  const full = useLoaded(loadOffer, order !== undefined);
  if (offer === undefined) return <CardFormWait />;
  if (order === undefined)
    return (
      <Details
        offer={offer}
        currencyField={field}
        asksForEmail={asksForEmail}
        onReady={(made) => setOrder({ ...made, currency })}
      />
    );
  if (payment === undefined || full === undefined) return <CardFormWait />;
  return <payment.GiftCardPayment order={order} offer={{ ...full, ...offer }} onBack={() => setOrder(undefined)} />;
}

type DetailsProps = Pick<BuyGiftCardProps, 'offer' | 'asksForEmail'> & {
  currencyField: ReactNode;
  onReady: (order: GiftCardForm) => void;
};

function Details({ offer, currencyField, asksForEmail, onReady }: DetailsProps) {
  const { register, handleSubmit, control, formState } = useForm({
    resolver: zodResolver(Draft),
    mode: 'onTouched',
    defaultValues: { ...giftCardDraft.get(), ...(!asksForEmail && { buyerEmail: undefined }) },
  });
  const { errors, isValid } = formState;
  const typed = useWatch({ control });
  const isHydrated = useHydrated();
  useEffect(() => giftCardDraft.update(typed), [typed]);

  const submit = handleSubmit(({ deliverOn, ...order }) => onReady({ ...order, deliverAt: deliveryAt(deliverOn) }));

  return (
    <div
      className="lg:grid lg:grid-cols-[minmax(0,560px)_minmax(280px,400px)] lg:items-start lg:justify-between lg:gap-16 [&_textarea]:min-h-24 [&_textarea]:py-3 [&_textarea]:leading-normal"
      data-wide
    >
      <form className="form" noValidate aria-label={t`Give a gift card`} onSubmit={(event) => void submit(event)}>
        <Controller
          control={control}
          name="months"
          render={({ field }) => (
            <PlanChoice
              label={t`How long`}
              className="grid-cols-[repeat(auto-fit,minmax(min(100%,220px),1fr))]"
              options={offer.giftCards.map(({ months, amount }) => ({
                value: months,
                title: monthsOf(months),
                text: t`Unlimited listening`,
                price: formatMoney(amount, offer.currency),
                priceNote: t({ message: 'once', context: 'price' }),
              }))}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        {currencyField}
        <Field
          label={t`Their email`}
          type="email"
          autoComplete="off"
          error={errors.recipientEmail?.message}
          {...register('recipientEmail')}
        />
        <Field
          label={t({ message: 'From', context: 'sender' })}
          isOptional
          autoComplete="name"
          maxLength={60}
          length={typed.senderName?.length ?? 0}
          error={errors.senderName?.message}
          {...register('senderName')}
        />
        <TextArea
          label={t`Message`}
          isOptional
          rows={4}
          maxLength={500}
          length={typed.message?.length ?? 0}
          error={errors.message?.message}
          {...register('message')}
        />
        <Field
          label={t`Deliver on`}
          isOptional
          type="date"
          // The server does not know the visitor’s day.
          {...(isHydrated && { min: dayAfter(0), max: dayAfter(yearAhead) })}
          hint={t`Leave empty to send it now`}
          error={errors.deliverOn?.message}
          {...register('deliverOn')}
        />
        {asksForEmail && (
          <Field
            label={t`Your email`}
            type="email"
            autoComplete="email"
            hint={t`Your receipt goes there`}
            error={errors.buyerEmail?.message}
            {...register('buyerEmail')}
          />
        )}
        <Button type="submit" variant="primary" size="lg" disabled={!isValid}>
          {t`Continue to payment`}
        </Button>
      </form>
      <GiftCardMail months={typed.months} senderName={typed.senderName} message={typed.message} />
    </div>
  );
}

type GiftCardMailProps = {
  months: number | undefined;
  senderName: string | undefined;
  message: string | undefined;
};

/** Preview of the gift's mail (domain/membership/mails.ts). */
function GiftCardMail({ months = 1, senderName = '', message = '' }: GiftCardMailProps) {
  const siteName = useRootData()?.siteName ?? '';
  const gift = listeningOf(months);
  const sender = senderName.trim() || t`Someone`;
  return (
    <section
      className="sticky top-[calc(var(--header)+24px)] mt-6 grid gap-3.5 rounded-modal bg-surface p-7 wrap-anywhere edge max-lg:hidden"
      aria-label={t`Their email`}
    >
      <p className="text-13 text-muted">
        <Trans>What they get</Trans>
      </p>
      <Glyph className="w-12 text-accent-text" />
      <h2 className="text-26">{t`A gift for you at ${siteName}`}</h2>
      <p className="text-soft">{t`${sender} gives you ${gift} at ${siteName}.`}</p>
      {message.trim() !== '' && (
        <p
          dir="auto"
          className="font-display text-[1.25rem] leading-normal font-normal whitespace-pre-line text-text italic"
        >
          {message.trim()}
        </p>
      )}
      <p className="text-14 text-muted">
        <Trans>The code and a link to redeem it are below.</Trans>
      </p>
    </section>
  );
}
