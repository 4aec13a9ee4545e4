import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

type PlanOption<Value extends string | number> = {
  value: Value;
  title: string;
  /** Short selling point, such as a saving. */
  praise?: string | undefined;
  text: ReactNode;
  /** Undefined while it loads. */
  price: string | undefined;
  priceNote: string;
};

type PlanChoiceProps<Value extends string | number> = {
  /** Accessible name of the group. */
  label: string;
  options: PlanOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
};

/** Radio group of prices. */
export function PlanChoice<Value extends string | number>(props: PlanChoiceProps<Value>) {
  const { label, options, value, onChange, className } = props;
  return (
    <fieldset className={classNames('mb-1 grid min-w-0 gap-3', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="plan">
          <input
            type="radio"
            name={label}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <i />
          <span>
            <b>
              {option.title}
              {option.praise !== undefined && <span className="text-12 text-accent-text">{option.praise}</span>}
            </b>
            <small>{option.text}</small>
          </span>
          <strong>
            {option.price ?? <span className="block h-[1em]" />}
            <small>{option.priceNote}</small>
          </strong>
        </label>
      ))}
    </fieldset>
  );
}
