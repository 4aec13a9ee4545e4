import type { ReactElement, ReactNode } from 'react';
import { usePopup } from './use-popup.tsx';

type PopoverProps = {
  /** A button; it gets the ARIA and opens it. */
  trigger: ReactElement;
  /** Read out when it opens. */
  label: string;
  /** Where this changes (the page did), it closes. */
  closeKey?: string;
  side?: 'top' | 'bottom';
  children: ReactNode;
};

const load = () => import('./popover-popup.tsx');

/** For controls rather than commands (those are a `Menu`). Closes on outside press, Escape and a new `closeKey`. */
export function Popover({ trigger, label, closeKey, side = 'bottom', children }: PopoverProps) {
  const { button, popup, loaded } = usePopup(trigger, { kind: 'dialog', closeKey, load });
  return (
    <>
      {button}
      {loaded && (
        <loaded.PopoverPopup popup={popup} label={label} side={side}>
          {children}
        </loaded.PopoverPopup>
      )}
    </>
  );
}
