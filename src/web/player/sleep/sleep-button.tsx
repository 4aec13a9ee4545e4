import { t } from '@lingui/core/macro';
import Moon from 'lucide-react/icons/moon';
import { useLocation } from 'react-router';
import type { SleepSnapshot } from '#player/sleep/sleep-state.ts';
import { formatTime } from '#formats/durations.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { Popover } from '#web/ui/layers/popover.tsx';
import { useSleepTimer } from '#web/listening/player-provider.tsx';

const loadControls = () => import('./sleep-timer-controls.tsx');

/** Opens the sleep timer; while it runs, shows the time left. */
export function SleepButton({ side, className }: { side: 'top' | 'bottom'; className?: string }) {
  const { key } = useLocation();
  const left = useSleepTimer(shortLeft);
  const isOn = useSleepTimer(({ setting }) => setting !== null);
  return (
    <Popover
      label={t`Sleep timer`}
      side={side}
      closeKey={key}
      load={loadControls}
      trigger={
        <button
          type="button"
          className={classNames('icon-button text-13 tabular-nums', isOn && 'text-accent-text', className)}
          aria-label={isOn ? t`Sleep timer, ${left} left` : t`Sleep timer`}
          title={t`Sleep timer`}
        >
          {isOn && left !== '' ? left : <Icon of={Moon} />}
        </button>
      }
    >
      {(controls) => <controls.SleepTimerControls />}
    </Popover>
  );
}

function shortLeft({ remainingSeconds, remainingAudios }: SleepSnapshot): string {
  if (remainingSeconds !== null) return formatTime(remainingSeconds);
  return remainingAudios === null ? '' : `${remainingAudios}×`;
}
