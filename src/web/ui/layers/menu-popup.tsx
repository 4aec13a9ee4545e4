import { Menu } from '@base-ui/react/menu';
import { type FocusEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { type MenuParts, MenuPartsContext, MenuRestContext } from './menu-parts.ts';
import { useLayer } from './open-layers.ts';
import type { PopupState } from './use-popup.tsx';

type MenuPopupProps = { popup: PopupState; align: 'start' | 'end'; header: ReactNode; children: ReactNode };

// Listed one by one: importing the namespace would bundle parts that no menu uses.
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

/** Area that popovers avoid: at the bottom, the player’s height. */
const margin = { top: 8, right: 8, bottom: 108, left: 8 };

export function MenuPopup({ popup, align, header, children }: MenuPopupProps) {
  const isPlaced = useRef(false);
  const [rest, setRest] = useState<ReactNode>();
  const focus = useRef<HTMLElement>(null);
  const { anchor } = popup;
  const besides = useMemo(() => {
    const focusNext = (element: HTMLElement | null) => void (focus.current = element);
    return { anchor, show: setRest, focusNext };
  }, [anchor]);
  useLayer(popup.open, () => popup.onOpenChange(false));

  // The library does this only for its own button. Runs once: later the popup gets the focus when the pointer leaves an
  // item.
  function focusFirstItem(event: FocusEvent<HTMLElement>): void {
    if (isPlaced.current || event.target !== event.currentTarget) return;
    isPlaced.current = true;
    if (popup.openedBy === 'keyboard')
      event.currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus();
  }

  return (
    <>
      <Menu.Root
        open={popup.open}
        onOpenChange={popup.onOpenChange}
        onOpenChangeComplete={(open) => {
          if (!open) isPlaced.current = false;
        }}
      >
        {/* A landmark, so that screen-reader users find the menu when they move by regions. */}
        <Menu.Portal render={<section aria-labelledby={popup.buttonId} />}>
          <Menu.Backdrop className="scrim sheet-only" />
          <Menu.Positioner
            className="menu-place"
            anchor={anchor}
            align={align}
            sideOffset={8}
            collisionPadding={margin}
            // A long one that fits neither below nor above opens beside its button.
            collisionAvoidance={{ fallbackAxisSide: 'start' }}
            // The focus arrives before the position is known: an absolute popup would scroll the page to its top.
            positionMethod="fixed"
          >
            <Menu.Popup
              className="menu menu--sheet"
              data-menu
              aria-labelledby={popup.buttonId}
              finalFocus={() => focus.current ?? popup.finalFocus()}
              onFocus={focusFirstItem}
              // Focus returns to the button first, so that Tab continues from there.
              onKeyDown={(event) => {
                if (event.key !== 'Tab') return;
                event.preventDefault();
                popup.onOpenChange(false);
              }}
            >
              {header !== undefined && <div className="menu__head">{header}</div>}
              <MenuRestContext value={besides}>
                <MenuPartsContext value={parts}>{children}</MenuPartsContext>
              </MenuRestContext>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {rest}
    </>
  );
}
