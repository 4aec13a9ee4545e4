import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { GiftCardForm } from '#domain/membership/forms.ts';
import type { Offer } from '#domain/membership/shapes.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { CardFormWait } from '../card-form-wait.tsx';
import { dayAfter, deliveryAt } from './gift-card-days.ts';
import { giftCardDraft } from './gift-card-draft.ts';
import { loadOffer } from '../offer.ts';
import { PlanChoice } from '../plan-choice.tsx';
import { GiftCardMail } from './gift-card-mail.tsx';
import { formatMoney } from '#formats/numbers.ts';
import { useHydrated } from '../../ui/use-client-value.ts';
import { monthsOf } from '../wording.ts';

// Loaded on demand: it includes the provider’s packages.
const loadPayment = () => import('./gift-card-payment.tsx');

const yearAhead = 365;

const Draft = GiftCardForm.omit({ deliverAt: true }).extend({
  deliverOn: z.string().refine((day) => day === '' || (day >= dayAfter(0) && day <= dayAfter(yearAhead)), {
    message: 'Choose a day within a year from now',
  }),
});

type BuyGiftCardProps = {
  offer: Offer;
  /** The buyer is a visitor, or their address is unknown: the receipt needs one. */
  asksForEmail: boolean;
};

/** Form for the gift and its recipient; the payment then replaces it. */
export function BuyGiftCard({ offer, asksForEmail }: BuyGiftCardProps) {
  const [order, setOrder] = useState<GiftCardForm>();
  const payment = useLoaded(loadPayment, order !== undefined);
  const full = useLoaded(loadOffer, order !== undefined);
  if (order === undefined) return <Details offer={offer} asksForEmail={asksForEmail} onReady={setOrder} />;
  if (payment === undefined || full === undefined) return <CardFormWait />;
  return <payment.GiftCardPayment order={order} offer={full} onBack={() => setOrder(undefined)} />;
}

type DetailsProps = Pick<BuyGiftCardProps, 'offer' | 'asksForEmail'> & { onReady: (order: GiftCardForm) => void };

function Details({ offer, asksForEmail, onReady }: DetailsProps) {
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
      <form className="form" noValidate aria-label="Give a gift card" onSubmit={(event) => void submit(event)}>
        <Controller
          control={control}
          name="months"
          render={({ field }) => (
            <PlanChoice
              label="How long"
              className="grid-cols-[repeat(auto-fit,minmax(min(100%,220px),1fr))]"
              options={offer.giftCards.map(({ months, amount }) => ({
                value: months,
                title: monthsOf(months),
                text: 'Unlimited listening',
                price: formatMoney(amount, offer.currency),
                priceNote: 'once',
              }))}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        <Field
          label="Their email"
          type="email"
          autoComplete="off"
          error={errors.recipientEmail?.message}
          {...register('recipientEmail')}
        />
        <Field
          label="From"
          isOptional
          autoComplete="name"
          maxLength={60}
          length={typed.senderName?.length ?? 0}
          error={errors.senderName?.message}
          {...register('senderName')}
        />
        <TextArea
          label="Message"
          isOptional
          rows={4}
          maxLength={500}
          length={typed.message?.length ?? 0}
          error={errors.message?.message}
          {...register('message')}
        />
        <Field
          label="Deliver on"
          isOptional
          type="date"
          // The server does not know the visitor’s day.
          {...(isHydrated && { min: dayAfter(0), max: dayAfter(yearAhead) })}
          hint="Leave empty to send it now"
          error={errors.deliverOn?.message}
          {...register('deliverOn')}
        />
        {asksForEmail && (
          <Field
            label="Your email"
            type="email"
            autoComplete="email"
            hint="Your receipt goes there"
            error={errors.buyerEmail?.message}
            {...register('buyerEmail')}
          />
        )}
        <Button type="submit" variant="primary" size="lg" disabled={!isValid}>
          Continue to payment
        </Button>
      </form>
      <GiftCardMail months={typed.months} senderName={typed.senderName} message={typed.message} />
    </div>
  );
}
