import { t } from '@lingui/core/macro';
import { CardCvcElement, CardExpiryElement, CardNumberElement } from '@stripe/react-stripe-js';
import type { StripeCardNumberElement, StripeElementStyle, StripeError } from '@stripe/stripe-js';
import CreditCard from 'lucide-react/icons/credit-card';
import { type ReactNode, useId, useRef, useState, useSyncExternalStore } from 'react';
import { classNames } from '../ui/class-names.ts';
import { FieldError } from '../ui/fields/field.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { type CardFailure, cardFailureOf } from './card-failure.ts';

type CardFieldsProps = {
  failure: CardFailure | undefined;
  /** Called with a field’s error; undefined clears the shown error, as each change does (spec §5). */
  onChange: (failure: CardFailure | undefined) => void;
  /** Focuses the number field once it is ready. */
  takesFocus?: boolean;
};

/** Number, expiration date and security code: the provider’s own fields, so that no card data touches this site. */
export function CardFields({ failure, onChange, takesFocus = false }: CardFieldsProps) {
  const id = useId();
  const style = useCardStyle();
  const options = { style };
  // A field clears the errors that it reported itself.
  const own = useRef<string>(undefined);
  const change = ({ error }: { error: StripeError | { code: string; message: string } | undefined }) => {
    own.current = error?.message;
    onChange(error && cardFailureOf(error.code, error.message));
  };
  // Typing a complete number over another fires no change event, so another card is possible from here on.
  const focus = () => {
    if (own.current === undefined) onChange(undefined);
  };
  const errorOf = (field: CardFailure['field']) =>
    failure?.field === field ? <FieldError>{failure.message}</FieldError> : undefined;

  function onReady(element: StripeCardNumberElement): void {
    // Not on touch screens: the keyboard would cover the text above.
    if (takesFocus && matchMedia('(pointer: fine)').matches) element.focus();
  }

  return (
    <div className="card-fields">
      <CardField label={t`Card number`} id={`${id}number`} error={errorOf('number')} icon>
        <CardNumberElement
          id={`${id}number`}
          className="input__field"
          options={options}
          onChange={change}
          onFocus={focus}
          onReady={onReady}
        />
      </CardField>
      <CardField label={t`Expiration date`} id={`${id}expiry`} error={errorOf('expiry')}>
        <CardExpiryElement
          id={`${id}expiry`}
          className="input__field"
          options={{ ...options, placeholder: t`MM/YY` }}
          onChange={change}
          onFocus={focus}
        />
      </CardField>
      <CardField label={t`Security code`} id={`${id}cvc`} error={errorOf('cvc')}>
        <CardCvcElement id={`${id}cvc`} className="input__field" options={options} onChange={change} onFocus={focus} />
      </CardField>
      {errorOf('other')}
    </div>
  );
}

type CardFieldProps = { label: string; id: string; error: ReactNode; icon?: boolean; children: ReactNode };

function CardField({ label, id, error, icon = false, children }: CardFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={classNames('input', error !== undefined && 'input--error')}>
        {icon && <Icon of={CreditCard} />}
        {children}
      </div>
      {error}
    </div>
  );
}

/** The fields are in iframes, where this site’s CSS does not apply. */
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
