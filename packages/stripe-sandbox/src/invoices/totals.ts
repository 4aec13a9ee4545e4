import type { AppliedDiscount } from '../catalogue/discounts.ts';

export type Share = { discount: string; amount: number };

/**
 * Amount of each discount per line, in cents; discounts apply in order, percentages to the remainder.
 * @param lines cents of each line; undefined for lines that are not discountable
 */
export function shareDiscounts(lines: (number | undefined)[], applied: AppliedDiscount[]): Share[][] {
  const rest = lines.map((amount) => Math.max(0, amount ?? 0));
  const shares: Share[][] = lines.map(() => []);
  for (const { discount, coupon } of applied) {
    let left = coupon.amount_off ?? 0;
    for (const [index, amount] of rest.entries()) {
      const off =
        coupon.percent_off === null ? Math.min(left, amount) : Math.round((amount * coupon.percent_off) / 100);
      left -= coupon.percent_off === null ? off : 0;
      rest[index] = amount - off;
      if (lines[index] !== undefined) shares[index]?.push({ discount: discount.id, amount: off });
    }
  }
  return shares;
}

/** Total of each discount, in order. */
export function sumShares(shares: Share[][]): Share[] {
  const sums = new Map<string, number>();
  for (const { discount, amount } of shares.flat()) sums.set(discount, (sums.get(discount) ?? 0) + amount);
  return [...sums].map(([discount, amount]) => ({ discount, amount }));
}
