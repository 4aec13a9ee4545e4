import { t } from '@lingui/core/macro';
import type { DecisionVerb } from '#domain/community/rules.ts';
import { Shortcuts, ShortcutsSwitch, useShortcuts } from '#web/workshop/shortcuts.tsx';

export function ReportKeys() {
  return (
    <Shortcuts
      title={t`Shortcuts`}
      rows={[
        [t`Next, previous`, ['↓', '↑']],
        [t`Keep, remove`, ['K', 'R']],
        [t`Warn, suspend`, ['W', 'S']],
        [t`Undo`, ['Z']],
      ]}
    >
      <ShortcutsSwitch />
    </Shortcuts>
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

/** @param act returns false for a key that it does not handle */
export function useReportKeys(act: (command: ReportCommand) => boolean): void {
  useShortcuts(commands, act);
}
