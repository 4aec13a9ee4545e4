import type { RefObject } from 'react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { areKeysOn } from '../../player/use-keys-switch.ts';
import { isTyping } from '../is-typing.ts';

type ListKeys = {
  /** Selector of the rows within the element. */
  rows: string;
  /** Selector of the focusable part of a row; default: the row. */
  focus?: string;
  /** Whether the key is text for a field; default: `isTyping`. */
  isTypingIn?: (event: KeyboardEvent) => boolean;
  /** Any other key, for the focused row. @returns whether it was handled */
  press(key: string, row: HTMLElement, index: number): boolean;
};

/**
 * Single-key shortcuts of a list: J and K move through its rows, others act on the focused row.
 * @returns handlers for the element around it
 */
export function useListKeys<Element extends HTMLElement>({
  rows: selector,
  focus,
  isTypingIn = isTyping,
  press,
}: ListKeys): RefObject<Element | null> {
  const around = useRef<Element>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    if (!areKeysOn() || isTypingIn(event)) return;
    const rows = [...(around.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const key = event.key.toLowerCase();
    if (key === 'j' || key === 'k') {
      const row = rows[key === 'j' ? at + 1 : Math.max(0, at - 1)];
      if (row === undefined) return;
      event.preventDefault();
      (focus === undefined ? row : row.querySelector<HTMLElement>(focus))?.focus();
      row.scrollIntoView({ block: 'nearest' });
      return;
    }
    const row = rows[at];
    if (row !== undefined && press(key, row, at)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return around;
}
