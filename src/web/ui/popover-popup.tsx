import { Popover } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
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
          <Popover.Popup className="menu" aria-label={label} finalFocus={popup.finalFocus}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
