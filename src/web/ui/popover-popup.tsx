import { Popover } from '@base-ui/react/popover';
import type { KeyboardEvent, ReactNode } from 'react';
import type { PopupState } from './use-popup.tsx';

type PopoverPopupProps = { popup: PopupState; label: string; side: 'top' | 'bottom'; children: ReactNode };

export function PopoverPopup({ popup, label, side, children }: PopoverPopupProps) {
  return (
    <Popover.Root
      open={popup.open}
      onOpenChange={(open, { reason, event, cancel }) => {
        // The button closes it itself; it would be open again at once.
        if (reason === 'outside-press' && popup.anchor?.contains(event.target as Node)) cancel();
        else popup.onOpenChange(open);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          className="menu-place"
          anchor={popup.anchor}
          side={side}
          align="end"
          sideOffset={8}
          collisionPadding={8}
        >
          <Popover.Popup
            className="menu"
            aria-label={label}
            finalFocus={popup.finalFocus}
            // Past its end, back to the button, from where Tab goes on; the popup itself stands at the end of the page.
            onKeyDown={(event) => {
              if (event.key !== 'Tab' || !isAtEdge(event)) return;
              event.preventDefault();
              popup.onOpenChange(false);
            }}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function isAtEdge({ currentTarget, target, shiftKey }: KeyboardEvent<HTMLElement>): boolean {
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('button:enabled, input:enabled, a[href]')].filter(
    (stop) => stop.checkVisibility(),
  );
  return target === (shiftKey ? stops[0] : stops.at(-1)) || (shiftKey && target === currentTarget);
}
