import { mergeProps } from '@base-ui/react/merge-props';
import { cloneElement, useId, useState } from 'react';
import type { ComponentProps, ReactElement } from 'react';
import { useClosedByKey } from './use-closed-by-key.ts';
import { useToast } from './toast.tsx';
import { useLoaded } from './use-loaded.ts';

/** What a popup needs of the button that opens it. */
export type PopupState = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button; the popup stands beside it. */
  anchor: HTMLButtonElement | null;
  /** Where the focus goes when it closes: to the button, unless what was chosen (a dialog) has it already. */
  finalFocus: () => HTMLElement | null | false;
  /** By keyboard: the first thing in it has the focus at once. */
  openedBy: 'keyboard' | 'pointer';
  buttonId: string;
};

type PopupOptions<Part> = {
  /** What the button opens, for its ARIA. */
  kind: 'menu' | 'dialog';
  /** Where this changes (the page did), it closes. */
  closeKey: string | undefined;
  /** Fetches the code of the popup: when it is opened, or when a pointer is on its button. */
  load: () => Promise<Part>;
};

/** Lists have a menu per row: until it is reached for, a popup is its button and nothing else. */
export function usePopup<Part>(trigger: ReactElement, { kind, closeKey, load }: PopupOptions<Part>) {
  const [open, setOpen] = useClosedByKey(closeKey);
  const [isNear, setIsNear] = useState(false);
  const [openedBy, setOpenedBy] = useState<'keyboard' | 'pointer'>('pointer');
  const showToast = useToast();
  const loaded = useLoaded(load, open || isNear, () => {
    if (!open) return;
    setOpen(false);
    showToast({ text: 'No internet connection' });
  });
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const buttonId = useId();
  const button = trigger as ReactElement<ComponentProps<'button'>>;

  const props = mergeProps<'button'>(button.props, {
    id: buttonId,
    ref: setAnchor,
    'aria-haspopup': kind,
    'aria-expanded': open,
    ...(open && { 'data-popup-open': '' }),
    onPointerEnter: () => setIsNear(true),
    onClick: (event) => {
      setOpenedBy(event.detail === 0 ? 'keyboard' : 'pointer');
      setOpen(!open);
    },
    onKeyDown: (event) => {
      if (kind !== 'menu' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
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
  return focused === null || focused === document.body || focused.closest('.menu') !== null;
}
