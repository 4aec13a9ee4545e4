/** Vertical position in the window, in pixels. */
export type Extent = { top: number; bottom: number };

let pressed: Extent | undefined;

/** Position of the last pressed button or link; for a menu item, of the button that opened the menu. */
export function pressedExtent(): Extent | undefined {
  return pressed;
}

if (typeof window !== 'undefined') {
  window.addEventListener(
    'click',
    ({ target }) => {
      const control = target instanceof Element ? target.closest('button, a, [role]') : null;
      // Measured before the action runs, which may remove the control.
      if (control !== null && control.closest('[data-menu], [data-toast]') === null)
        pressed = control.getBoundingClientRect();
    },
    true,
  );
}
