/** A list of whole numbers that grows, four bytes each. */
export type Numbers = { length: number; items: Uint32Array };

const nothing = new Uint32Array(0);

export function emptyNumbers(): Numbers {
  return { length: 0, items: nothing };
}

export function pushNumber(numbers: Numbers, value: number): void {
  if (numbers.length === numbers.items.length)
    numbers.items = enlarged(numbers.items, Math.max(4, Math.ceil(numbers.length * 1.5)));
  numbers.items[numbers.length] = value;
  numbers.length += 1;
}

/** Removes every marked number. */
export function sweepNumbers(numbers: Numbers, isMarked: Uint8Array): void {
  let kept = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const value = numbers.items[at] as number;
    if (isMarked[value] === 1) continue;
    numbers.items[kept] = value;
    kept += 1;
  }
  numbers.length = kept;
}

/** A longer copy, filled up with zeros. */
export function enlarged<List extends Uint8Array | Uint32Array | Float32Array | Float64Array>(
  list: List,
  length: number,
): List {
  const larger = new (list.constructor as new (length: number) => List)(length);
  larger.set(list as never);
  return larger;
}
