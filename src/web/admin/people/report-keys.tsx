import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useKeysSwitch, areKeysOn } from '#web/player/use-keys-switch.ts';
import { SwitchRow } from '#web/workshop/forms/switch-row.tsx';
import { useEffect, useEffectEvent } from 'react';
import type { DecisionVerb } from '#domain/community/rules.ts';
import { isTyping } from '#web/workshop/is-typing.ts';

const rows = (): [string, string[]][] => [
  [t`Next, previous`, ['↓', '↑']],
  [t`Keep, remove`, ['K', 'R']],
  [t`Warn, suspend`, ['W', 'S']],
  [t`Undo`, ['Z']],
];

/** The page's keyboard shortcuts, and their switch. */
export function ReportKeys() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <section className="pane keys" aria-labelledby="keys">
      <h3 id="keys" className="mb-2.5">
        <Trans>Shortcuts</Trans>
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

type ReportCommand = DecisionVerb | 'next' | 'previous' | 'undo';

const commands: Record<string, ReportCommand> = {
  arrowdown: 'next',
  arrowup: 'previous',
  k: 'keep',
  r: 'remove',
  w: 'warn',
  s: 'suspend',
  z: 'undo',
};

/**
 * Keyboard shortcuts of the reports page, inactive in fields and menus; the listener's switch for single-key shortcuts
 * turns them off (WCAG 2.1.4).
 * @param act returns false for a key that it does not handle
 */
export function useReportKeys(act: (command: ReportCommand) => boolean): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!areKeysOn() || event.defaultPrevented || event.repeat || isTyping(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const command = commands[event.key.toLowerCase()];
    if (command !== undefined && act(command)) event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
