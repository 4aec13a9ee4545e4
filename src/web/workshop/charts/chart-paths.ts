import { scaleLinear } from '@visx/scale';
import { area, line } from '@visx/shape';

/** Geometry of charts in a box of 1,000 by 100, stretched to fit; labels are HTML above it. */

export type Values = readonly (number | null)[];

/** From a value to its height, 100 at the bottom. */
export type Height = (value: number) => number;

/** @param top fraction of the box kept free above the largest value */
export function heightsOf(lists: Values[], { isFromZero, top = 8 }: { isFromZero: boolean; top?: number }) {
  const known = lists.flat().map((value) => value ?? 0);
  const min = isFromZero ? 0 : Math.min(...known);
  const max = Math.max(...known);
  return scaleLinear({ domain: [min, max > min ? max : min + 1], range: [isFromZero ? 100 : 92, top] });
}

/** `heightsOf` from zero up to a round number, with axis marks. */
export function axisOf(lists: Values[]): { height: Height; marks: number[] } {
  const scale = heightsOf(lists, { isFromZero: true });
  scale.nice(4);
  return { height: scale, marks: scale.ticks(4).filter((mark) => Number.isInteger(mark)) };
}

/** Null, a value that is not shown, is at the baseline. */
export function linePath(values: Values, height: Height): string {
  return line<number | null>({ x: acrossOf(values), y: (value) => round(height(value ?? 0)) })([...values]) ?? '';
}

export function areaPath(values: Values, height: Height): string {
  return (
    area<number | null>({ x: acrossOf(values), y0: 100, y1: (value) => round(height(value ?? 0)) })([...values]) ?? ''
  );
}

/** Horizontal over the width of each value. */
export function stepPath(values: readonly number[], height: Height): string {
  const wide = 1000 / values.length;
  return values
    .map((value, index) => {
      const y = round(height(value));
      return `${index === 0 ? 'M' : 'L'}${round(index * wide)},${y}L${round((index + 1) * wide)},${y}`;
    })
    .join('');
}

/** Horizontal place of a value, from 0 (first) to 1 (last). */
export function placeOf(index: number, count: number): number {
  return count < 2 ? 0.5 : index / (count - 1);
}

function acrossOf(values: Values): (value: number | null, index: number) => number {
  return (_value, index) => round(placeOf(index, values.length) * 1000);
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}

/** For a label's `top`. @param height 100 at the bottom */
export function heightInPlot(height: number): string {
  return `calc(${(height / 100).toFixed(4)} * var(--ph))`;
}
