import type { RefObject } from 'react';
import { useKeysSwitch } from '../../player/use-keys-switch.ts';
import { isTyping } from '../is-typing.ts';
import { useListKeys } from './use-list-keys.ts';

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
          <kbd className="kbd">J</kbd> <kbd className="kbd">K</kbd> rows, <kbd className="kbd">X</kbd> select
        </span>
      )}
      <button type="button" className="font-semibold text-accent-text" onClick={() => setOn(!isOn)}>
        {isOn ? 'Turn single-key shortcuts off' : 'Turn single-key shortcuts on'}
      </button>
    </p>
  );
}
