import { useState } from 'react';

/** A list that is edited before it is saved; reset when the saved list changes. */
export function useDraftList<Item extends { id: string }>(saved: Item[]) {
  const key = saved.map(({ id }) => id).join();
  const [draft, setDraft] = useState<{ key: string; items: Item[] }>();
  const isDraft = draft !== undefined && draft.key === key;
  const items = isDraft ? draft.items : saved;
  const changed = isDraft && items.map(({ id }) => id).join() !== key;
  return {
    items,
    changed,
    set: (next: Item[]) => setDraft({ key, items: next }),
    reset: () => setDraft(undefined),
  };
}
