import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import { areKeysOn, useKeysSwitch } from '#web/player/use-keys-switch.ts';
import { isTyping } from '#web/workshop/is-typing.ts';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';

type ReviewCommand = 'play' | 'back' | 'forward' | 'word' | 'approve' | 'return';

const commands: Record<string, ReviewCommand> = {
  ' ': 'play',
  'shift arrowleft': 'back',
  'shift arrowright': 'forward',
  w: 'word',
  a: 'approve',
  r: 'return',
};

const rows = (): [string, string[]][] => [
  [t`Play, pause`, [t`Space`]],
  [t`15 seconds`, [t`Shift`, '←', '→']],
  [t`Next watched word`, ['W']],
  [t`Approve, return`, ['A', 'R']],
];

/** The page's keyboard shortcuts, and their switch. */
export function ReviewKeys() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <section className="pane keys" aria-labelledby="keys">
      <h3 id="keys" className="mb-2.5">
        <Trans>Keys</Trans>
      </h3>
      <dl className="facts grid-cols-[minmax(0,1fr)_auto]">
        {rows().map(([label, keys]) => [
          <dt key={label}>{label}</dt>,
          <dd key={keys.join('')}>
            {keys.map((key) => (
              <kbd key={key} className="kbd">
                {key}
              </kbd>
            ))}
          </dd>,
        ])}
      </dl>
      <SwitchRow label={t`Single-key shortcuts`} isOn={isOn} onChange={setOn} />
    </section>
  );
}

/** Inactive in fields and menus, and where the switch for single-key shortcuts is off (WCAG 2.1.4). */
export function useReviewKeys(act: (command: ReviewCommand) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!areKeysOn() || event.defaultPrevented || event.repeat || isTyping(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const command = commands[`${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`];
    // Space presses what has the focus.
    const isControl =
      event.target instanceof Element && event.target.closest('button, a, select, [role="slider"]') !== null;
    if (command === undefined || (event.key === ' ' && isControl)) return;
    event.preventDefault();
    act(command);
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
