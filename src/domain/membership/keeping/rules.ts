/** Least and most of what operators set. */
export const keepingBounds = {
  renewalDays: [7, 60],
  winBackDays: [30, 365],
  winBackPercent: [1, 100],
  winBackMonths: [1, 12],
  winBackValidDays: [7, 90],
  stayPercent: [0, 100],
  stayMonths: [1, 12],
} as const;

export const pauseMonths = [1, 2, 3] as const;
export type PauseMonths = (typeof pauseMonths)[number];
