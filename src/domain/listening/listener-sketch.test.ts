import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  addMark,
  addSketch,
  countListeners,
  countSketch,
  emptyRegisters,
  hasListeners,
  markOf,
  toSketch,
} from './listener-sketch.ts';
import { slow } from '#test/support/tags.ts';

const listener = (name: number | string) => createHmac('sha256', 'secret').update(String(name)).digest('base64url');

function registersOf(names: Iterable<number | string>) {
  const registers = emptyRegisters();
  for (const name of names) addMark(registers, markOf(listener(name)));
  return registers;
}

const names = (count: number, from = 0) => Array.from({ length: count }, (_, index) => index + from);

test('up to forty listeners are counted exactly or too low by a collision, and never too high', () => {
  let collisions = 0;
  for (let round = 0; round < 100; round += 1)
    for (const count of [0, 1, 5, 9, 10, 11, 25, 40]) {
      const counted = countListeners(registersOf(names(count, round * 1000)));
      expect(counted).toBeLessThanOrEqual(count);
      expect(counted).toBeGreaterThanOrEqual(count - 2);
      if (counted < count) collisions += 1;
    }
  expect(collisions).toBeLessThan(50);
});

test.each([100, 1000, 4000, 6000, 20_000, 100_000])('the error for %i listeners stays under 3 %%', slow, (count) => {
  const rounds = count > 50_000 ? 3 : 12;
  const errors = Array.from(
    { length: rounds },
    (_, round) => countListeners(registersOf(names(count, round * 1e6))) / count - 1,
  );
  expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / rounds)).toBeLessThan(0.03);
});

test('a listener counts once, however often and in however many merged sketches', () => {
  const days = [names(300), names(300, 150), names(900, 200)].map((list) => toSketch(registersOf([...list, ...list])));
  const all = emptyRegisters();
  for (const day of days) addSketch(all, day);
  expect(all).toEqual(registersOf(names(1100)));
});

test.each([0, 1, 1000, 1023, 1500, 50_000])('a sketch of %i listeners is kept and read without a change', (count) => {
  const registers = registersOf(names(count));
  const sketch = toSketch(registers);
  expect(sketch?.length ?? 0).toBeLessThanOrEqual(Math.min(2 * count, 2048));
  const read = emptyRegisters();
  addSketch(read, sketch);
  expect(read).toEqual(registers);
  expect(countSketch(sketch)).toBe(countListeners(registers));
  for (const min of [1, 10, 1000]) expect(hasListeners(sketch, min)).toBe(countListeners(registers) >= min);
});

test('a mark holds 16 bits of the keyed hash and no more', () => {
  const marks = names(5000).map((name) => markOf(listener(name)));
  expect(Math.max(...marks)).toBeLessThan(2 ** 16);
  expect(marks.every((mark) => (mark & 15) > 0)).toBe(true);
  expect(new Set(marks.map((mark) => mark >>> 4)).size).toBeGreaterThan(2500);
});
