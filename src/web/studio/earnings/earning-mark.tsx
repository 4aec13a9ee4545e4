import { t } from '@lingui/core/macro';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Lock from 'lucide-react/icons/lock';
import type { EarningState } from '#domain/earnings/rules.ts';
import { StateMark } from '#web/workshop/state-mark.tsx';

/** State of a month. */
export function EarningMark({ state }: { state: EarningState }) {
  switch (state) {
    case 'open':
      return <StateMark icon={Clock} tone="accent" text={t({ message: 'Open', context: 'month' })} />;
    case 'locked':
      return <StateMark icon={Lock} text={t({ message: 'Locked', context: 'month' })} />;
    default:
      return <StateMark icon={Check} tone="ok" text={t({ message: 'Paid', context: 'month' })} />;
  }
}
