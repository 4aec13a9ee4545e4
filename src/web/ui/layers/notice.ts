export type Notice = {
  /** Nothing is shown for an empty one. */
  text: string;
  /** One action, such as Undo. */
  action?: { label: string; onPress: () => void };
  /** Replaces a visible notice of the same kind; defaults to the text. */
  kind?: string;
  /**
   * Text for several of this kind in one notice, whose action then acts on all, the last one first.
   * @param count their number, 2 or more
   */
  several?: (count: number) => string;
  /** Called when the notice closes: in time, by a press or by `until`. The action is called before. */
  onClosed?: () => void;
  /** Closes the notice when aborted. */
  until?: AbortSignal;
};

/** A notice with the position of the control that caused it, and its time (`performance.now`). */
export type ShownNotice = Notice & { pressed: Extent | undefined; shownAt: number };

/** Display time in milliseconds; focus or hover pauses it (WCAG 2.2.1). */
export const noticeMs = 5000;
export const actionMs = 20_000;

/** Vertical position in the window, in pixels. */
export type Extent = { top: number; bottom: number };

let pressed: Extent | undefined;
let pressedControl: Element | undefined;

/** Position of the last pressed button or link; for a menu item, of the button that opened the menu. */
export function pressedExtent(): Extent | undefined {
  return pressed;
}

/**
 * Measured before the action runs, which may remove the control, and if possible before the click: later, styles have
 * changed, and measuring would force a layout before a pressed Play starts its sound.
 */
function measure({ target, type }: Event): void {
  const control = target instanceof Element ? target.closest('button, a, [role]') : null;
  if (control === null || control.closest('[data-menu], [data-toast]') !== null) return;
  if (type === 'pointerdown' || control !== pressedControl) pressed = control.getBoundingClientRect();
  pressedControl = type === 'pointerdown' ? control : undefined;
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', measure, true);
  window.addEventListener('click', measure, true);
}
