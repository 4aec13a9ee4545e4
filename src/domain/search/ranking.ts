export type Best = { offer(rank: number, number: number): void; inOrder(): number[] };

/**
 * Keeps the documents with the lowest ranks; equal ones in the order of their keys, which is the same in every process.
 * @param most so many
 */
export function createBest(most: number, keyOf: (number: number) => string): Best {
  const ranks: number[] = [];
  const numbers: number[] = [];
  const isBefore = (rank: number, number: number, place: number): boolean => {
    const other = ranks[place] as number;
    return rank < other || (rank === other && keyOf(number) < keyOf(numbers[place] as number));
  };
  return {
    offer(rank, number) {
      if (most === 0 || (ranks.length === most && !isBefore(rank, number, most - 1))) return;
      let low = 0;
      let high = ranks.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (isBefore(rank, number, middle)) high = middle;
        else low = middle + 1;
      }
      ranks.splice(low, 0, rank);
      numbers.splice(low, 0, number);
      if (ranks.length <= most) return;
      ranks.pop();
      numbers.pop();
    },
    inOrder: () => numbers,
  };
}
