import { type ComponentProps, type ReactElement, cloneElement, useId, useState } from 'react';
import { mergeProps } from '../rendered.ts';
import { useClosedByKey } from './use-closed-by-key.ts';
import { useLateLayer } from './use-late-layer.ts';

/** State that a popup gets from its button. */
export type PopupState = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button, to which the popup is anchored. */
  anchor: HTMLButtonElement | null;
  /** Focus target on close: the button, unless the chosen item (a dialog) has already taken the focus. */
  finalFocus: () => HTMLElement | null | false;
  /** `keyboard` focuses the first item at once. */
  openedBy: 'keyboard' | 'pointer';
  buttonId: string;
};

type PopupOptions<Part> = {
  /** Popup role, for the button’s ARIA. */
  kind: 'menu' | 'dialog';
  /** The popup closes when this changes, such as on navigation. */
  closeKey: string | undefined;
  /** Loads the popup’s code when it opens or the pointer is on its button. */
  load: () => Promise<Part>;
};

/** Lists have a menu per row: a popup renders only its button until it is hovered or opened. */
export function usePopup<Part>(trigger: ReactElement, { kind, closeKey, load }: PopupOptions<Part>) {
  const [open, setOpen] = useClosedByKey(closeKey);
  // From the first event: a ref in the state would render every row with a menu again when the page starts.
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const [openedBy, setOpenedBy] = useState<'keyboard' | 'pointer'>('pointer');
  const loaded = useLateLayer(load, open, () => setOpen(false), anchor !== null);
  const buttonId = useId();
  const button = trigger as ReactElement<ComponentProps<'button'>>;

  const props = mergeProps(button.props, {
    // No id before: rows without ids have the same HTML at every position.
    ...(loaded && { id: buttonId }),
    'aria-haspopup': kind,
    'aria-expanded': open,
    ...(open && { 'data-popup-open': '' }),
    onPointerEnter: (event) => setAnchor(event.currentTarget),
    onClick: (event) => {
      setAnchor(event.currentTarget);
      setOpenedBy(event.detail === 0 ? 'keyboard' : 'pointer');
      setOpen(!open);
    },
    onKeyDown: (event) => {
      if (kind !== 'menu' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      setAnchor(event.currentTarget);
      setOpenedBy('keyboard');
      setOpen(true);
    },
  });
  const popup: PopupState = {
    open,
    onOpenChange: setOpen,
    anchor,
    finalFocus: () => isFocusFree() && anchor,
    openedBy,
    buttonId,
  };
  return { button: cloneElement(button, props), popup, loaded };
}

function isFocusFree(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.closest('[data-menu]') !== null;
}
