import type { OrderForm } from './forms.ts';

/** Whether a hand-made order is not for the items of now, or was made of another order than that of now. */
export function isOtherOrder(now: { id: string }[], { ids, before }: OrderForm): boolean {
  const known = now.map(({ id }) => id);
  const isSame = known.length === ids.length && known.every((id) => ids.includes(id));
  return !isSame || (before !== undefined && before.join() !== known.join());
}
