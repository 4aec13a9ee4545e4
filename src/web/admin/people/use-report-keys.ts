import { useEffect, useEffectEvent } from 'react';
import type { DecisionVerb } from '#domain/community/rules.ts';
import { areKeysOn } from '../../player/use-keys-switch.ts';
import { isTyping } from '../../workshop/is-typing.ts';

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
