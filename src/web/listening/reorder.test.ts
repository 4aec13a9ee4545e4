import { describe, expect, test } from 'vitest';
import { type RowBox, targetIndex, targetIndexForKey, scrollStep, shiftOf } from './reorder.ts';

/** Boxes stacked from top to bottom. */
function boxesOf(...heights: number[]): RowBox[] {
  return heights.map((height, at) => ({ top: heights.slice(0, at).reduce((sum, other) => sum + other, 0), height }));
}

describe('a dragged row', () => {
  test('is dropped where most of it lies', () => {
    const row = { from: 2, boxes: boxesOf(80, 80, 80, 80, 80, 80) };
    expect(targetIndex({ ...row, dragged: 39 })).toBe(2);
    expect(targetIndex({ ...row, dragged: 41 })).toBe(3);
    expect(targetIndex({ ...row, dragged: -121 })).toBe(0);
  });

  test('passes a tall row later than a short one', () => {
    const boxes = boxesOf(80, 200, 80, 40);
    expect(targetIndex({ from: 0, dragged: 99, boxes })).toBe(0);
    expect(targetIndex({ from: 0, dragged: 101, boxes })).toBe(1);
    expect(targetIndex({ from: 3, dragged: -41, boxes })).toBe(2);
    expect(targetIndex({ from: 3, dragged: -179, boxes })).toBe(2);
    expect(targetIndex({ from: 3, dragged: -181, boxes })).toBe(1);
  });

  test('stays within the list', () => {
    const row = { from: 2, boxes: boxesOf(80, 80, 80, 80, 80, 80) };
    expect(targetIndex({ ...row, dragged: 10_000 })).toBe(5);
    expect(targetIndex({ ...row, dragged: -10_000 })).toBe(0);
    expect(targetIndex({ ...row, boxes: boxesOf(0, 0, 0), dragged: 50 })).toBe(2);
  });

  test('shifts the rows it has passed', () => {
    const shifts = (from: number, to: number) => [0, 1, 2, 3, 4].map((at) => shiftOf(at, from, to));
    expect(shifts(1, 3)).toEqual([undefined, undefined, 'up', 'up', undefined]);
    expect(shifts(3, 0)).toEqual(['down', 'down', 'down', undefined, undefined]);
    expect(shifts(2, 2)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test('scrolls only near the edges, faster the closer it is', () => {
    const view = { top: 80, bottom: 800 };
    expect(scrollStep(400, view)).toBe(0);
    expect(scrollStep(790, view)).toBeGreaterThan(scrollStep(740, view));
    expect(scrollStep(90, view)).toBeLessThan(scrollStep(140, view));
    expect(scrollStep(-500, view)).toBe(-18);
  });
});

test('keys move by one, or all the way, and never out of the list', () => {
  expect(targetIndexForKey('ArrowDown', 0, 3)).toBe(1);
  expect(targetIndexForKey('ArrowUp', 0, 3)).toBeUndefined();
  expect(targetIndexForKey('ArrowDown', 2, 3)).toBeUndefined();
  expect(targetIndexForKey('End', 0, 3)).toBe(2);
  expect(targetIndexForKey('Home', 2, 3)).toBe(0);
  expect(targetIndexForKey('Home', 0, 3)).toBeUndefined();
  expect(targetIndexForKey('a', 1, 3)).toBeUndefined();
});
