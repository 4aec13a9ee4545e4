import { expect, test } from 'vitest';
import { isAreaOf } from '#domain/studio/rules.ts';
import { corners, moved, pulled, sized, sizedToZoom, zoomOf } from './crop-area.ts';

const picture = { width: 4000, height: 3000 };
const area = { x: 1000, y: 500, size: 2000 };

test('a square is moved within the picture', () => {
  expect(moved(area, picture, { x: 10.4, y: -20 })).toEqual({ x: 1010, y: 480, size: 2000 });
  expect(moved(area, picture, { x: 9999, y: -9999 })).toEqual({ x: 2000, y: 0, size: 2000 });
});

test('a square is sized around its middle, and stays large enough', () => {
  expect(sized(area, picture, 1800)).toEqual({ x: 1100, y: 600, size: 1800 });
  expect(sized(area, picture, 10).size).toBe(1400);
  expect(zoomOf(sizedToZoom(area, picture, 200), picture)).toBe(200);
});

test('a pulled corner leaves the opposite one where it is', () => {
  expect(pulled(area, picture, 'bottom-right', { x: 200, y: 100 })).toEqual({ x: 1000, y: 500, size: 2150 });
  expect(pulled(area, picture, 'top-left', { x: 200, y: 100 })).toEqual({ x: 1150, y: 650, size: 1850 });
  expect(pulled(area, picture, 'top-right', { x: 400, y: 0 })).toEqual({ x: 1000, y: 300, size: 2200 });
  expect(pulled(area, picture, 'bottom-left', { x: 400, y: 0 })).toEqual({ x: 1200, y: 500, size: 1800 });
});

test.each(corners)('the %s corner never leaves the picture nor makes it too small', (corner) => {
  for (const picture of [
    { width: 4000, height: 3000 },
    { width: 900, height: 700 },
  ])
    for (const x of [-9999, 0, 9999])
      for (const y of [-9999, 0, 9999]) {
        const size = Math.min(picture.height, 2000);
        const next = pulled({ x: 100, y: 0, size }, picture, corner, { x, y });
        expect(isAreaOf(next, picture), JSON.stringify(next)).toBe(true);
      }
});
