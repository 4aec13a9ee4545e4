import { type ReactNode, useId } from 'react';

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
    <div className="flex gap-4 items-center py-3 text-14 [&+&]:border-t [&+&]:border-line">
      <span className="min-w-0 flex-1">
        <label id={`${id}-label`} htmlFor={id} className="font-semibold block">
          {label}
        </label>
        {text !== undefined && (
          <small className="text-muted text-13" id={`${id}-text`}>
            {text}
          </small>
        )}
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
        <span className="switch" />
      </button>
    </div>
  );
}
