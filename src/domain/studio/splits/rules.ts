export const splitStates = ['asked', 'agreed', 'declined'] as const;
export type SplitState = (typeof splitStates)[number];

/** Creators with a share in one audio. */
export const maxShares = 20;

/** Percent above 100, or below where negative. */
export function excessOf(shares: readonly { share: number }[]): number {
  return shares.reduce((sum, { share }) => sum + share, 0) - 100;
}
