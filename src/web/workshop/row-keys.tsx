import type { RefObject } from 'react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { areKeysOn, useKeysSwitch } from '../player/use-keys-switch.ts';
import { isTyping } from './is-typing.ts';

/** Keys of a table: J and K walk its rows, X selects the row with the focus. @returns for the element around the table */
export function useRowKeys<Element extends HTMLElement>(): RefObject<Element | null> {
  const around = useRef<Element>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    if (!areKeysOn() || isTypingElsewhere(event)) return;
    const rows = [...(around.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const key = event.key.toLowerCase();
    if (key === 'j' || key === 'k') {
      const row = rows[key === 'j' ? at + 1 : Math.max(0, at - 1)];
      if (row === undefined) return;
      event.preventDefault();
      row.querySelector<HTMLElement>('a, button')?.focus();
      row.scrollIntoView({ block: 'nearest' });
    }
    const box = rows[at]?.querySelector<HTMLElement>('input[type=checkbox]');
    if (key === 'x' && box !== null && box !== undefined) {
      event.preventDefault();
      box.click();
    }
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return around;
}

/** Letters do nothing in a check box of the table, so the keys work there too. */
function isTypingElsewhere(event: KeyboardEvent): boolean {
  return isTyping(event) && !(event.target instanceof Element && event.target.matches('tbody input[type=checkbox]'));
}

/** Says which keys there are, and turns them off (WCAG 2.1.4). */
export function RowKeysHint() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <p className="t13 mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted max-lg:hidden noscript:hidden">
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
