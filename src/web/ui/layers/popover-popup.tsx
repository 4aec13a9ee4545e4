import { Popover } from '@base-ui/react/popover';
import type { KeyboardEvent, ReactNode } from 'react';
import type { PopupState } from './use-popup.tsx';
import { isRendered } from '../is-rendered.ts';
import { useLayer } from './open-layers.ts';

type PopoverPopupProps = { popup: PopupState; label: string; side: 'top' | 'bottom'; children: ReactNode };

export function PopoverPopup({ popup, label, side, children }: PopoverPopupProps) {
  useLayer(popup.open, () => popup.onOpenChange(false));
  return (
    <Popover.Root
      open={popup.open}
      onOpenChange={(open, { reason, event, cancel }) => {
        // The button closes it itself; closing here too would let the press reopen it.
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
          // As in menus: the focus arrives before the position is known.
          positionMethod="fixed"
          // Free of the player, except for what opens above it from within.
          collisionPadding={side === 'bottom' ? { top: 8, right: 8, bottom: 108, left: 8 } : 8}
        >
          <Popover.Popup
            className="menu"
            data-menu
            aria-label={label}
            finalFocus={popup.finalFocus}
            // The popup is at the end of the DOM: past its edge, focus returns to the button, so that Tab continues
            // from there.
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
    (stop) => isRendered(stop),
  );
  return target === (shiftKey ? stops[0] : stops.at(-1)) || (shiftKey && target === currentTarget);
}
