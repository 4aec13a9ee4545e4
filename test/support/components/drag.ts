import { commands } from 'vitest/browser';
import { pointOf } from './place.ts';

type Drag = {
  /** Pixels. */
  down?: number;
  right?: number;
  /** The point that is held, by its share of width and height. */
  at?: [across: number, down: number];
  /** False: the pointer stays pressed. */
  release?: boolean;
};

/** Drags an element by the real pointer. */
export async function drag(element: Element, { down = 0, right = 0, at, release = true }: Drag): Promise<void> {
  const from = pointOf(element, ...(at ?? []));
  const half = { x: Math.round(from.x + right / 2), y: Math.round(from.y + down / 2) };
  const end = { x: Math.round(from.x + right), y: Math.round(from.y + down) };
  await commands.movePointer([
    { type: 'pointerMove', ...from },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerMove', ...half },
    { type: 'pointerMove', ...end },
    ...(release ? [{ type: 'pointerUp' as const, button: 0 as const }] : []),
  ]);
}

export async function drop(): Promise<void> {
  await commands.movePointer([{ type: 'pointerUp', button: 0 }]);
}
