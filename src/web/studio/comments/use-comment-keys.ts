import type { RefObject } from 'react';
import { useListKeys } from '../../workshop/lists/row-keys.tsx';
import type { CommentActs } from './use-comment-acts.ts';

type Listed = { id: string; state: string; isHeld: boolean; isCreator: boolean };

/** Keyboard shortcuts of the list: J and K move through it, R replies to the focused comment, H hides or shows it. */
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
