import type { ReactNode } from 'react';

type PlanOption<Value extends string | number> = {
  value: Value;
  title: string;
  /** What speaks for it, in a word or two. */
  praise?: string | undefined;
  text: ReactNode;
  /** Undefined while it is not known. */
  price: string | undefined;
  priceNote: string;
};

type PlanChoiceProps<Value extends string | number> = {
  /** Read out before the choices. */
  label: string;
  options: PlanOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** One of several prices. */
export function PlanChoice<Value extends string | number>({ label, options, value, onChange }: PlanChoiceProps<Value>) {
  return (
    <fieldset className="plans">
      <legend className="vh">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="plan">
          <input
            type="radio"
            name={label}
            className="vh"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <i />
          <span>
            <b>
              {option.title}
              {option.praise !== undefined && <span className="plan__praise">{option.praise}</span>}
            </b>
            <small>{option.text}</small>
          </span>
          <strong>
            {option.price ?? <span className="plan__wait" />}
            <small>{option.priceNote}</small>
          </strong>
        </label>
      ))}
    </fieldset>
  );
}
