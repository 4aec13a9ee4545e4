let isPressed = false;
let waiting: (() => void)[] = [];

/**
 * Runs at once, or, while a pointer is down, when it is up again. What a field says on being left moves what stands below
 * it: a press on a link there would end beside the link, and be lost.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}

function onDown(): void {
  isPressed = true;
}

function onUp(): void {
  // The click comes first.
  setTimeout(() => {
    isPressed = false;
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  });
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', onDown, true);
  window.addEventListener('pointerup', onUp, true);
  window.addEventListener('pointercancel', onUp, true);
}
