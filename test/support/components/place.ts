/** A point of the window, whichever frame the test runs in. */
export type Point = { x: number; y: number };

/** The middle of an element, or a point of it by its share of width and height. */
export function pointOf(element: Element, across = 0.5, down = 0.5): Point {
  const box = element.getBoundingClientRect();
  return inWindow({ x: box.x + box.width * across, y: box.y + box.height * down });
}

/** Vitest runs tests in a frame, scaled to fit the window. */
function inWindow({ x, y }: Point): Point {
  const frame = window.frameElement?.getBoundingClientRect();
  if (frame === undefined) return { x, y };
  const scale = frame.width / window.innerWidth;
  return { x: Math.round(frame.x + x * scale), y: Math.round(frame.y + y * scale) };
}
