/** A list of whole numbers that grows, four bytes each. */
export type Numbers = { length: number; items: Uint32Array };

const nothing = new Uint32Array(0);

export function emptyNumbers(): Numbers {
  return { length: 0, items: nothing };
}

export function pushNumber(numbers: Numbers, value: number): void {
  if (numbers.length === numbers.items.length) {
    const larger = new Uint32Array(Math.max(4, Math.ceil(numbers.length * 1.5)));
    larger.set(numbers.items);
    numbers.items = larger;
  }
  numbers.items[numbers.length] = value;
  numbers.length += 1;
}

/** Takes out every number that is marked, once its lowest bits are taken off. */
export function sweepNumbers(numbers: Numbers, isMarked: Uint8Array, lowestBits: number): void {
  let kept = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const value = numbers.items[at] as number;
    if (isMarked[value >>> lowestBits] === 1) continue;
    numbers.items[kept] = value;
    kept += 1;
  }
  numbers.length = kept;
}
