/** A point of the window, whichever frame the test runs in. */
export type Point = { x: number; y: number };

/** The middle of an element, or a point of it by its share of width and height. */
export function pointOf(element: Element, across = 0.5, down = 0.5): Point {
  const box = element.getBoundingClientRect();
  return inWindow({ x: box.x + box.width * across, y: box.y + box.height * down });
}

/** Vitest runs tests in a frame, which it scales to fit a smaller window; a drag would then go further than it says. */
function inWindow({ x, y }: Point): Point {
  const frame = window.frameElement?.getBoundingClientRect();
  if (frame === undefined) return { x, y };
  if (frame.width !== window.innerWidth) throw new Error('The window is smaller than the frame of the tests');
  return { x: Math.round(frame.x + x), y: Math.round(frame.y + y) };
}
