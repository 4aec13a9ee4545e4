import type { RefObject } from 'react';
import { useListKeys } from '../workshop/use-list-keys.ts';
import type { CommentActs } from './use-comment-acts.ts';

type Listed = { id: string; state: string; isHeld: boolean; isCreator: boolean };

/** Keys of the list: J and K walk it, R answers the comment with the focus, H hides it or shows it again. */
export function useCommentKeys(acts: CommentActs, items: readonly Listed[]): RefObject<HTMLDivElement | null> {
  return useListKeys<HTMLDivElement>({
    rows: '[data-thread]',
    press(key, row, index) {
      const item = items[index];
      if (item === undefined) return false;
      if (key === 'r') {
        row.querySelector<HTMLElement>('[data-reply]')?.click();
        return true;
      }
      if (key !== 'h' || item.isHeld || item.isCreator) return false;
      void acts.setHidden(item.id, item.state !== 'hidden');
      return true;
    },
  });
}
