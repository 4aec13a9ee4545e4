/** `group`: between thousands, in numbers of at least `from`. */
export type NumberSigns = { group: string; from: number; minus: string };

/** A whole number with the signs of a language. */
export function grouped(value: number, { group, from, minus }: NumberSigns): string {
  const text = value.toFixed(0).replace('-', minus);
  return Math.abs(value) < from ? text : text.replaceAll(/\B(?=(\d{3})+$)/g, group);
}
