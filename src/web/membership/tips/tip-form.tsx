import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { href, useLocation, useNavigate } from 'react-router';
import { maxTipNote } from '#domain/membership/tips/rules.ts';
import type { TipOffer } from '#domain/membership/tips/shapes.ts';
import { fromDecimalText } from '#formats/currency-decimals.ts';
import { formatMoney } from '#formats/numbers.ts';
import { answerOf, api } from '../../api.ts';
import { useSignInPrompt } from '../../identity/prompts.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { CardFormWait } from '../card-form-wait.tsx';
import { loadOffer } from '../offer.ts';
import { PlanChoice } from '../plan-choice.tsx';
import { asJson } from '../use-change.ts';

// Loaded on demand: it includes the provider’s packages.
const loadPayment = () => import('../single-payments/single-payment.tsx');

type TipFormProps = {
  voice: { id: string; slug: string; name: string; imageURL: string | null };
  offer: TipOffer;
};

/** Choice of the rest: an amount that is typed. */
const other = 0;

/** Amount and note; the payment then replaces them. */
export function TipForm({ voice, offer }: TipFormProps) {
  const navigate = useNavigate();
  // A visitor's page is kept, without this part of its address.
  const audioId = new URLSearchParams(useLocation().search).get('audio') ?? undefined;
  const askToSignIn = useSignInPrompt();
  const { currency, amounts } = offer;
  const [chosen, setChosen] = useState(amounts[1] ?? other);
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [isAnonymous, setIsAnonymous] = useState(false);
  const [hasLeft, setHasLeft] = useState(false);
  const [isPaying, setIsPaying] = useState(false);
  const payment = useLoaded(loadPayment, isPaying);
  const full = useLoaded(loadOffer, isPaying);
  const money = (cents: number) => formatMoney(cents, currency);
  const amount = chosen === other ? fromDecimalText(typed.trim().replace(',', '.'), currency) : chosen;
  const isRight = amount !== undefined && amount >= offer.minimum && amount <= offer.maximum;
  const { name } = voice;
  const price = isRight ? money(amount) : '';

  if (isPaying && isRight) {
    if (payment === undefined || full === undefined) return <CardFormWait />;
    const json = { voice: voice.id, amount, note, isAnonymous, ...(audioId !== undefined && { audioId }) };
    return (
      <payment.SinglePayment
        offer={full}
        price={price}
        text={t`A tip of ${price} to ${name}, once.`}
        begin={async () => {
          const answer = await answerOf(api.tips.$post({ json }));
          return answer.ok ? { ok: true, data: { ...answer.data, id: answer.data.tip.id } } : answer;
        }}
        findIsPaid={async (id) => {
          const known = await answerOf(api.tips[':id'].refresh.$post({ param: { id } }, asJson));
          return known.ok && known.data.tip.state !== 'waiting';
        }}
        onPaid={async (id) => navigate(`${href('/tip/:slug', { slug: voice.slug })}?tip=${id}`)}
        backLabel={t`Change the tip`}
        onBack={() => setIsPaying(false)}
      />
    );
  }

  const [least, most] = [money(offer.minimum), money(offer.maximum)];
  return (
    <form
      className="form"
      noValidate
      aria-label={t`Tip ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        setHasLeft(true);
        if (isRight)
          askToSignIn({ title: t`Sign in to tip ${name}`, imageUrl: voice.imageURL, act: () => setIsPaying(true) });
      }}
    >
      <PlanChoice
        label={t`Amount`}
        className="grid-cols-[repeat(auto-fit,minmax(min(100%,220px),1fr))]"
        options={[...new Set(amounts), other].map((value) => ({
          value,
          title: value === other ? t`Another amount` : money(value),
          text: value === other ? t`From ${least} to ${most}` : '',
          price: '',
          priceNote: t({ message: 'once', context: 'price' }),
        }))}
        value={chosen}
        onChange={setChosen}
      />
      {chosen === other && (
        <Field
          label={t`Amount in ${{ currency: currency.toUpperCase() }}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          error={hasLeft && !isRight ? t`Enter an amount from ${least} to ${most}` : undefined}
          onBlur={() => setHasLeft(true)}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <TextArea
        label={t`Note, for ${name} only`}
        isOptional
        rows={3}
        maxLength={maxTipNote}
        length={note.length}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <CheckBox checked={isAnonymous} onChange={({ target }) => setIsAnonymous(target.checked)}>
        {t`Anonymous: ${name} does not see my name`}
      </CheckBox>
      <Button type="submit" variant="primary" size="lg">
        {t`Continue to payment`}
      </Button>
    </form>
  );
}
