import { CardCvcElement, CardExpiryElement, CardNumberElement } from '@stripe/react-stripe-js';
import type { StripeCardNumberElement, StripeElementStyle, StripeError } from '@stripe/stripe-js';
import CreditCard from 'lucide-react/icons/credit-card';
import type { ReactNode } from 'react';
import { useId, useState, useSyncExternalStore } from 'react';
import { classNames } from '../ui/class-names.ts';
import { FieldError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { CardFailure } from './card-failure.ts';
import { cardFailureOf } from './card-failure.ts';

type CardFieldsProps = {
  failure: CardFailure | undefined;
  /** What a field says of itself; undefined clears whatever stood there, as each change does (spec §5). */
  onChange: (failure: CardFailure | undefined) => void;
  /** The focus goes into the number once it can. */
  takesFocus?: boolean;
};

/** Number, expiration date and security code: the provider's own fields, so that nothing of a card comes by here. */
export function CardFields({ failure, onChange, takesFocus = false }: CardFieldsProps) {
  const id = useId();
  const style = useCardStyle();
  const options = { style, classes: { focus: 'is-focus' } };
  const change = ({ error }: { error: StripeError | { code: string; message: string } | undefined }) =>
    onChange(error && cardFailureOf(error.code, error.message));
  const errorOf = (field: CardFailure['field']) =>
    failure?.field === field ? <FieldError>{failure.message}</FieldError> : undefined;

  function onReady(element: StripeCardNumberElement): void {
    // On touch screens it would bring up the keyboard over what is to be read first.
    if (takesFocus && matchMedia('(pointer: fine)').matches) element.focus();
  }

  return (
    <div className="card-fields">
      <CardField label="Card number" id={`${id}number`} error={errorOf('number')} icon>
        <CardNumberElement id={`${id}number`} className="in__f" options={options} onChange={change} onReady={onReady} />
      </CardField>
      <CardField label="Expiration date" id={`${id}expiry`} error={errorOf('expiry')}>
        <CardExpiryElement
          id={`${id}expiry`}
          className="in__f"
          options={{ ...options, placeholder: 'MM/YY' }}
          onChange={change}
        />
      </CardField>
      <CardField label="Security code" id={`${id}cvc`} error={errorOf('cvc')}>
        <CardCvcElement id={`${id}cvc`} className="in__f" options={options} onChange={change} />
      </CardField>
      {errorOf('other')}
    </div>
  );
}

type CardFieldProps = { label: string; id: string; error: ReactNode; icon?: boolean; children: ReactNode };

function CardField({ label, id, error, icon = false, children }: CardFieldProps) {
  return (
    <div className="fld">
      <label htmlFor={id}>{label}</label>
      <div className={classNames('in', error !== undefined && 'in--err')}>
        {icon && <Icon of={CreditCard} />}
        {children}
      </div>
      {error}
    </div>
  );
}

/** The fields stand in frames, where this site's own styles do not reach. */
function useCardStyle(): StripeElementStyle {
  const theme = useSyncExternalStore(onThemeChange, themeKey);
  const [made, setMade] = useState(() => ({ theme, style: cardStyle() }));
  if (made.theme === theme) return made.style;
  const style = cardStyle();
  setMade({ theme, style });
  return style;
}

const themeKey = () => getComputedStyle(document.body).getPropertyValue('--text');

function onThemeChange(changed: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', changed);
  return () => scheme.removeEventListener('change', changed);
}

function cardStyle(): StripeElementStyle {
  const computed = getComputedStyle(document.body);
  const token = (name: string) => computed.getPropertyValue(name).trim();
  return {
    base: {
      color: token('--text'),
      iconColor: token('--muted'),
      fontFamily: computed.fontFamily,
      fontSize: '16px',
      lineHeight: '24px',
      '::placeholder': { color: token('--muted') },
    },
    invalid: { color: token('--text'), iconColor: token('--danger') },
  };
}
