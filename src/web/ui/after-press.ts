let isPressed = false;
let pressed: Element | undefined;
let isTabbing = false;
let waiting: (() => void)[] = [];

/**
 * Runs at once or, while a pointer is down, after it is released. An error shown on blur moves the content below: a
 * click on a link there would miss it.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}

/** Marks controls that need none of the fields beside them. */
const skipsFields = '[data-skips-fields]';

/**
 * Runs, after the press, when the person left the field; not when the window or a script moved the focus, nor on the
 * way to a control that needs none of the fields.
 */
export function afterFieldLeft({ target, relatedTarget }: FocusEvent, run: () => void): void {
  // Another window has the focus now; this field gets it back later.
  if (document.activeElement === target) return;
  const next = relatedTarget instanceof Element ? relatedTarget : undefined;
  if ((isPressed && pressed?.closest(skipsFields)) || next?.closest(skipsFields)) return;
  // Within a form, phone keyboards' arrows and screen readers move the focus without any other event.
  const isMoved = next !== undefined && next.closest('form') !== (target as Element).closest('form');
  if (isMoved && !isPressed && !isTabbing) return;
  afterPress(run);
}

function onDown({ target }: Event): void {
  isPressed = true;
  pressed = target instanceof Element ? target : undefined;
}

function onKeyDown({ key }: KeyboardEvent): void {
  if (key !== 'Tab') return;
  isTabbing = true;
  setTimeout(() => {
    isTabbing = false;
  });
}

function onUp(): void {
  // The click event fires first.
  setTimeout(() => {
    isPressed = false;
    const due = waiting;
    waiting = [];
    // A microtask each: the browser reports one that throws, and runs the others.
    for (const run of due) queueMicrotask(run);
  });
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', onDown, true);
  window.addEventListener('pointerup', onUp, true);
  window.addEventListener('pointercancel', onUp, true);
  // On touch screens, emulated mouse events after the touch move the focus.
  window.addEventListener('mousedown', onDown, true);
  window.addEventListener('mouseup', onUp, true);
  window.addEventListener('keydown', onKeyDown, true);
}
