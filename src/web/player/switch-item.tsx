import { type ReactNode, useId } from 'react';

type SwitchItemProps = {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** Explanation, when the label alone is not enough. */
  hint?: string;
  className?: string;
  children: ReactNode;
};

export function SwitchItem({ isOn, onChange, hint, className, children }: SwitchItemProps) {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-labelledby={`${id}-name`}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      className={`menu__item w-full ${className ?? ''}`}
      onClick={() => onChange(!isOn)}
    >
      <span className="min-w-0 flex-1 text-start">
        <span id={`${id}-name`}>{children}</span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block pb-2 text-12 font-normal text-muted">
            {hint}
          </span>
        )}
      </span>
      <span className="switch" />
    </button>
  );
}
