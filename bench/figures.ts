/** One line of the table that `npm run bench` prints. */
export type Figure = {
  name: string;
  value: string;
  limit: string;
  /** Undefined for figures without a limit, or when the program to compare with is not installed. */
  ok: boolean | undefined;
};

export function ratio(name: string, value: number, min: number): Figure {
  return { name, value: `${value.toFixed(2)}×`, limit: `≥ ${min}×`, ok: value >= min };
}

export function atMost(name: string, value: number, max: number, unit: string): Figure {
  const shown = value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return { name, value: `${shown} ${unit}`, limit: `≤ ${max} ${unit}`, ok: value <= max };
}

export function atLeast(name: string, value: number, min: number, unit: string): Figure {
  return { name, value: `${Math.round(value)} ${unit}`.trim(), limit: `≥ ${min} ${unit}`.trim(), ok: value >= min };
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

/** @param min percent */
export function share(name: string, count: number, total: number, min?: number): Figure {
  const percent = (count / total) * 100;
  const limit = min === undefined ? {} : { limit: `≥ ${min} %`, ok: percent >= min };
  return { name, value: `${percent.toFixed(1)} %`, limit: '', ok: undefined, ...limit };
}
