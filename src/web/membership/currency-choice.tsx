import { t } from '@lingui/core/macro';
import { useId, useState } from 'react';
import type { Offer } from '#domain/membership/shapes.ts';
import { language } from '#i18n';
import { answerOf, api } from '../api.ts';
import { tabMemory } from '../identity/tab-memory.ts';
import { useLoaded } from '../ui/use-loaded.ts';

const currencyMemory = tabMemory('sotto.currency');

async function loadOwn() {
  const answer = await answerOf(api.subscription.currency.$get());
  if (!answer.ok) throw new Error(answer.message);
  return answer.data;
}

/**
 * The offer in the currency of whoever looks, by their country until they choose another one. Sites with one currency ask
 * nothing.
 * @param kind gift cards can be paid in any
 */
export function useCurrency<Any extends Offer>(all: Any | undefined, kind: 'subscription' | 'gift' = 'subscription') {
  const [chosen, setChosen] = useState(currencyMemory.read);
  const hasChoice = all !== undefined && all.currencies.length > 0;
  const own = useLoaded(loadOwn, hasChoice);
  if (!hasChoice) return { offer: all, currency: undefined, field: undefined };
  const prices = [all, ...all.currencies];
  const isFixed = own?.isFixed === true && kind === 'subscription';
  const priced =
    prices.find(({ currency }) => currency === chosen && !isFixed) ??
    prices.find(({ currency }) => currency === own?.currency);
  if (own === undefined || priced === undefined) return { offer: undefined, currency: undefined, field: undefined };
  const { currency } = priced;
  const stays = t`It stays for this subscription.`;
  const country = currency === own.currency ? own.country : null;
  const hint = country === null ? stays : t`Chosen for ${country}. It stays for this subscription.`;
  return {
    offer: { ...all, ...priced },
    currency,
    field: isFixed ? undefined : (
      <CurrencyField
        value={currency}
        currencies={prices.map((one) => one.currency)}
        hint={kind === 'gift' ? undefined : hint}
        onChange={(code) => {
          currencyMemory.keep(code);
          setChosen(code);
        }}
      />
    ),
  };
}

type CurrencyFieldProps = {
  value: string;
  currencies: string[];
  hint: string | undefined;
  onChange: (currency: string) => void;
};

function CurrencyField({ value, currencies, hint, onChange }: CurrencyFieldProps) {
  const id = useId();
  const names = new Intl.DisplayNames([language()], { type: 'currency' });
  return (
    <div className="field">
      <label htmlFor={id}>{t`Currency`}</label>
      <select
        id={id}
        className="input"
        aria-describedby={hint && `${id}-hint`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code.toUpperCase()}, {names.of(code.toUpperCase())}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <small className="text-13 text-muted" id={`${id}-hint`}>
          {hint}
        </small>
      )}
    </div>
  );
}
