import { t } from '@lingui/core/macro';
import { Shortcuts, ShortcutsSwitch, useShortcuts } from '#web/workshop/shortcuts.tsx';

type ReviewCommand = 'play' | 'back' | 'forward' | 'word' | 'approve' | 'return';

const commands: Record<string, ReviewCommand> = {
  ' ': 'play',
  'shift arrowleft': 'back',
  'shift arrowright': 'forward',
  w: 'word',
  a: 'approve',
  r: 'return',
};

export function ReviewKeys() {
  return (
    <Shortcuts
      title={t`Keys`}
      rows={[
        [t`Play, pause`, [t`Space`]],
        [t`15 seconds`, [t`Shift`, '←', '→']],
        [t`Next watched word`, ['W']],
        [t`Approve, return`, ['A', 'R']],
      ]}
    >
      <ShortcutsSwitch />
    </Shortcuts>
  );
}

export function useReviewKeys(act: (command: ReviewCommand) => void): void {
  useShortcuts(commands, act);
}
