/** Least and most of what operators set. */
export const keepingBounds = {
  renewalDays: [7, 60],
  winBackDays: [30, 365],
  winBackPercent: [1, 100],
  winBackMonths: [1, 12],
  winBackValidDays: [7, 90],
} as const;
