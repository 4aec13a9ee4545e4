import { useId } from 'react';
import type { ReactNode } from 'react';

type SwitchItemProps = {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** What it does, where its name alone does not say. */
  hint?: string;
  className?: string;
  children: ReactNode;
};

/** On or off, as an item of a popover. */
export function SwitchItem({ isOn, onChange, hint, className, children }: SwitchItemProps) {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-labelledby={`${id}-name`}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      className={`menu__i w-full ${className ?? ''}`}
      onClick={() => onChange(!isOn)}
    >
      <span className="grow text-left">
        <span id={`${id}-name`}>{children}</span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block pb-2 text-12 font-normal text-muted">
            {hint}
          </span>
        )}
      </span>
      <span className="sw" />
    </button>
  );
}
