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
