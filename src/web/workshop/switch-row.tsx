import { useId } from 'react';
import type { ReactNode } from 'react';

type SwitchRowProps = {
  label: string;
  text?: ReactNode;
  isOn: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
};

/** An on/off setting. Its label can be pressed too. */
export function SwitchRow({ label, text, isOn, disabled = false, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="swr2">
      <span className="min-w-0 flex-1">
        <label id={`${id}-label`} htmlFor={id} className="b6 block">
          {label}
        </label>
        {text !== undefined && <small id={`${id}-text`}>{text}</small>}
      </span>
      <button
        type="button"
        id={id}
        role="switch"
        className="grid min-h-11 place-items-center"
        aria-checked={isOn}
        aria-labelledby={`${id}-label`}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        disabled={disabled}
        onClick={() => onChange(!isOn)}
      >
        <span className="sw" />
      </button>
    </div>
  );
}
