export type Best = { offer(number: number): void; inOrder(): number[] };

/** Keeps the first `max` of the offered numbers, in order. */
export function createBest(max: number, isBefore: (one: number, other: number) => boolean): Best {
  const numbers: number[] = [];
  return {
    offer(number) {
      if (max === 0 || (numbers.length === max && !isBefore(number, numbers[max - 1] as number))) return;
      let low = 0;
      let high = numbers.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (isBefore(number, numbers[middle] as number)) high = middle;
        else low = middle + 1;
      }
      numbers.splice(low, 0, number);
      if (numbers.length > max) numbers.pop();
    },
    inOrder: () => numbers,
  };
}
