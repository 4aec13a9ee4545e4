import { Menu } from '@base-ui/react/menu';
import { useRef } from 'react';
import type { FocusEvent, ReactNode } from 'react';
import { MenuPartsContext } from './menu-parts.ts';
import type { MenuParts } from './menu-parts.ts';
import type { PopupState } from './use-popup.tsx';

type MenuPopupProps = { popup: PopupState; align: 'start' | 'end'; header: ReactNode; children: ReactNode };

// One by one: the whole namespace would bring what no menu here uses.
const parts: MenuParts = {
  Item: Menu.Item,
  LinkItem: Menu.LinkItem,
  Separator: Menu.Separator,
  Group: Menu.Group,
  GroupLabel: Menu.GroupLabel,
  RadioGroup: Menu.RadioGroup,
  RadioItem: Menu.RadioItem,
  RadioItemIndicator: Menu.RadioItemIndicator,
  CheckboxItem: Menu.CheckboxItem,
};

/** Room that is kept free of the popover: the player's height at the bottom. */
const margin = { top: 8, right: 8, bottom: 108, left: 8 };

export function MenuPopup({ popup, align, header, children }: MenuPopupProps) {
  const isPlaced = useRef(false);

  // The library does this for its own button. Once only: later the popup has the focus when the pointer leaves an item.
  function focusFirstItem(event: FocusEvent<HTMLElement>): void {
    if (isPlaced.current || event.target !== event.currentTarget) return;
    isPlaced.current = true;
    if (popup.openedBy === 'keyboard')
      event.currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus();
  }

  return (
    <Menu.Root
      open={popup.open}
      onOpenChange={popup.onOpenChange}
      onOpenChangeComplete={(open) => {
        if (!open) isPlaced.current = false;
      }}
    >
      {/* A part of the page like any other, for those who go through it by its parts. */}
      <Menu.Portal render={<section aria-labelledby={popup.buttonId} />}>
        <Menu.Backdrop className="scrim sheet-only" />
        <Menu.Positioner
          className="menu-place"
          anchor={popup.anchor}
          align={align}
          sideOffset={8}
          collisionPadding={margin}
        >
          <Menu.Popup
            className="menu menu--sheet"
            aria-labelledby={popup.buttonId}
            finalFocus={popup.finalFocus}
            onFocus={focusFirstItem}
            // Back to the button, from where Tab goes on.
            onKeyDown={(event) => {
              if (event.key !== 'Tab') return;
              event.preventDefault();
              popup.onOpenChange(false);
            }}
          >
            {header !== undefined && <div className="menu__h">{header}</div>}
            <MenuPartsContext value={parts}>{children}</MenuPartsContext>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
