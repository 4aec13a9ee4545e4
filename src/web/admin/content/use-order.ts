import { t } from '@lingui/core/macro';
import type { Answer } from '../../api.ts';
import { moved } from '#web/workshop/forms/hand-order.tsx';
import { useEdited } from '#web/workshop/forms/use-edited.ts';

/** The order of all items of a type, which is saved together. Items that others add meanwhile are at the end. */
export function useOrder<Item extends { id: string }>(
  type: 'category' | 'facet' | 'playlist',
  saved: Item[],
  nameOf: (item: Item) => string,
  put: (order: { ids: string[]; before: string[] }) => Promise<Answer<unknown>>,
) {
  const before = saved.map(({ id }) => id);
  const itemsIn = (order: string[]) => [
    ...order.flatMap((id) => saved.find((item) => item.id === id) ?? []),
    ...saved.filter(({ id }) => !order.includes(id)),
  ];
  const edited = useEdited({
    key: `order of ${type}`,
    subject: { type, id: 'all' },
    saved: { order: before },
    send: ({ order }) => put({ ids: itemsIn(order).map(({ id }) => id), before }),
    done: t`Order saved`,
  });
  const items = itemsIn(edited.values.order);
  return {
    items,
    edited,
    move: (from: number, to: number) => edited.change({ order: moved(items, from, to).map(({ id }) => id) }),
    /** By id. */
    names: Object.fromEntries(saved.map((item) => [item.id, nameOf(item)])),
  };
}
