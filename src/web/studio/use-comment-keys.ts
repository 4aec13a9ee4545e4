import type { RefObject } from 'react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { isTyping } from '../workshop/is-typing.ts';
import type { CommentActs } from './use-comment-acts.ts';

type Listed = { id: string; state: string; isHeld: boolean; isCreator: boolean };

/** Keys of the list: J and K walk it, R answers the comment with the focus, H hides it or shows it again. */
export function useCommentKeys(acts: CommentActs, items: readonly Listed[]): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || isTyping(event)) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-thread]') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const key = event.key.toLowerCase();
    if (key === 'j' || key === 'k') {
      const row = rows[key === 'j' ? at + 1 : Math.max(0, at - 1)];
      if (row === undefined) return;
      event.preventDefault();
      row.focus();
      row.scrollIntoView({ block: 'nearest' });
    }
    const item = items[at];
    if (item === undefined) return;
    if (key === 'r') {
      event.preventDefault();
      rows[at]?.querySelector<HTMLElement>('[data-reply]')?.click();
    }
    if (key === 'h' && !item.isHeld && !item.isCreator) {
      event.preventDefault();
      void acts.setHidden(item.id, item.state !== 'hidden');
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return list;
}
