import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useEffectEvent, useId } from 'react';
import { areKeysOn, useKeysSwitch } from '#web/player/use-keys-switch.ts';
import { SwitchRow } from './forms/switch-row.tsx';
import { isTyping } from './is-typing.ts';

type ShortcutsProps = {
  title: string;
  /** Acts, and their keys. */
  rows: [does: string, keys: string[]][];
  /** After the list. */
  children?: ReactNode;
};

/** Lists the keyboard shortcuts of a page. */
export function Shortcuts({ title, rows, children }: ShortcutsProps) {
  const id = useId();
  return (
    <section className="pane keys" aria-labelledby={id}>
      <h3 id={id} className="mb-2.5">
        {title}
      </h3>
      <dl className="facts grid-cols-[minmax(0,1fr)_auto]">
        {rows.map(([does, keys]) => [
          <dt key={does}>{does}</dt>,
          <dd key={keys.join('')}>
            {keys.map((key) => (
              <kbd key={key} className="kbd">
                {key}
              </kbd>
            ))}
          </dd>,
        ])}
      </dl>
      {children}
    </section>
  );
}

/** Turns single-key shortcuts off (WCAG 2.1.4). */
export function ShortcutsSwitch() {
  const [isOn, setOn] = useKeysSwitch();
  return <SwitchRow label={t`Single-key shortcuts`} isOn={isOn} onChange={setOn} />;
}

/**
 * Single-key shortcuts of a page, inactive in fields and menus, and where their switch is off.
 * @param commands by key in small letters, with `shift ` before it
 * @param act returns false for a command that it does not handle
 */
export function useShortcuts<Command>(commands: Record<string, Command>, act: (command: Command) => boolean | void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!areKeysOn() || event.defaultPrevented || event.repeat || isTyping(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const command = commands[`${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`];
    // Space presses what has the focus.
    const isControl =
      event.target instanceof Element && event.target.closest('button, a, select, [role="slider"]') !== null;
    if (command === undefined || (event.key === ' ' && isControl)) return;
    if (act(command) !== false) event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
