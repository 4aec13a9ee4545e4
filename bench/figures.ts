/** One line of the table that `npm run bench` prints. */
export type Figure = {
  name: string;
  value: string;
  limit: string;
  /** Undefined for figures without a limit, or when the program to compare with is not installed. */
  ok: boolean | undefined;
};

export function ratio(name: string, value: number, least: number): Figure {
  return { name, value: `${value.toFixed(2)}×`, limit: `≥ ${least}×`, ok: value >= least };
}

export function atMost(name: string, value: number, most: number, unit: string): Figure {
  const shown = value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return { name, value: `${shown} ${unit}`, limit: `≤ ${most} ${unit}`, ok: value <= most };
}

export function atLeast(name: string, value: number, least: number, unit: string): Figure {
  return { name, value: `${Math.round(value)} ${unit}`.trim(), limit: `≥ ${least} ${unit}`.trim(), ok: value >= least };
}

export function skipped(name: string, why: string): Figure {
  return { name, value: `skipped: ${why}`, limit: '', ok: undefined };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** @param least percent */
export function share(name: string, count: number, total: number, least?: number): Figure {
  const percent = (count / total) * 100;
  const limit = least === undefined ? {} : { limit: `≥ ${least} %`, ok: percent >= least };
  return { name, value: `${percent.toFixed(1)} %`, limit: '', ok: undefined, ...limit };
}
