import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useKeysSwitch, areKeysOn } from '#web/player/use-keys-switch.ts';
import { isTyping } from '../is-typing.ts';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/**
 * Keyboard shortcuts of a table: J and K move through its rows, X selects the focused row.
 * @returns handlers for the element around the table
 */
export function useRowKeys<Element extends HTMLElement>(): RefObject<Element | null> {
  return useListKeys<Element>({
    rows: 'tbody tr',
    focus: 'a, button',
    isTypingIn: isTypingElsewhere,
    press(key, row) {
      const box = key === 'x' ? row.querySelector<HTMLElement>('input[type=checkbox]') : null;
      box?.click();
      return box !== null;
    },
  });
}

/** Letters do nothing in the table's check boxes, so the shortcuts work there too. */
function isTypingElsewhere(event: KeyboardEvent): boolean {
  return isTyping(event) && !(event.target instanceof Element && event.target.matches('tbody input[type=checkbox]'));
}

/** Lists the shortcuts, and turns them off (WCAG 2.1.4). */
export function RowKeysHint() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <p className="text-13 mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted max-lg:hidden noscript:hidden">
      {isOn && (
        <span>
          <Trans>
            <kbd className="kbd">J</kbd> <kbd className="kbd">K</kbd> rows, <kbd className="kbd">X</kbd> select
          </Trans>
        </span>
      )}
      <button type="button" className="font-semibold text-accent-text" onClick={() => setOn(!isOn)}>
        {isOn ? t`Turn single-key shortcuts off` : t`Turn single-key shortcuts on`}
      </button>
    </p>
  );
}

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
