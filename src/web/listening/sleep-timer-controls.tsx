import Moon from 'lucide-react/icons/moon';
import { useLocation } from 'react-router';
import type { SleepSetting, SleepSnapshot } from '#player/sleep-timer.ts';
import { formatTime } from '#web/format.ts';
import { Chip } from '#web/ui/chip.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { usePlayerCommands, usePlayerState, useSleepTimer } from './player-provider.tsx';
import { describeSleep, isSameSleep, sleepChoices } from './sleep-choices.ts';
import { SwitchItem } from './switch-item.tsx';

/** Opens the sleep timer; once it runs, shows what is left of it. */
export function SleepButton({ side, className }: { side: 'top' | 'bottom'; className?: string }) {
  const { key } = useLocation();
  const left = useSleepTimer(shortLeft);
  const isOn = useSleepTimer(({ setting }) => setting !== null);
  return (
    <Popover
      label="Sleep timer"
      side={side}
      closeKey={key}
      trigger={
        <button
          type="button"
          className={classNames('ib num text-13', isOn && 'is-on', className)}
          aria-label={isOn ? `Sleep timer, ${left} left` : 'Sleep timer'}
          title="Sleep timer"
        >
          {isOn && left !== '' ? left : <Icon of={Moon} />}
        </button>
      }
    >
      <SleepTimer />
      <hr className="menu__line" />
      <KeepPlayingSwitch />
    </Popover>
  );
}

function SleepTimer() {
  const { setSleepTimer } = usePlayerCommands();
  const setting = useSleepTimer((sleep) => sleep.setting);
  return (
    <>
      {sleepChoices.map(({ legend, choices }) => (
        <fieldset key={legend} className="border-0">
          <legend className="menu__lab">{legend}</legend>
          <div className="grid grid-cols-3 gap-2 px-2 pb-2">
            {choices.map((choice) => (
              <SleepChip
                key={choice.label}
                {...choice}
                isChosen={setting !== null && isSameSleep(setting, choice.setting)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {setting !== null && (
        <div className="flex items-center justify-between gap-2 py-1 pr-2 pl-3">
          <Countdown />
          <button type="button" className="link text-13" onClick={() => setSleepTimer(undefined)}>
            Cancel timer
          </button>
        </div>
      )}
    </>
  );
}

type SleepChipProps = { label: string; name: string; setting: SleepSetting; isChosen: boolean };

function SleepChip({ label, name, setting, isChosen }: SleepChipProps) {
  const { setSleepTimer } = usePlayerCommands();
  return (
    <Chip
      size="sm"
      className={classNames(
        'num justify-center px-1 whitespace-nowrap',
        setting.kind === 'end-of-audio' && 'col-span-3',
      )}
      aria-pressed={isChosen}
      aria-label={name}
      onClick={() => setSleepTimer(isChosen ? undefined : setting)}
    >
      {label}
    </Chip>
  );
}

/** Apart from the rest, which need not be drawn anew each second. */
function Countdown() {
  const text = useSleepTimer(describeSleep);
  return <p className="num text-13 text-soft">{text}</p>;
}

function KeepPlayingSwitch() {
  const { setKeepPlaying } = usePlayerCommands();
  const keepsPlaying = usePlayerState((snapshot) => snapshot.keepsPlaying);
  return (
    <SwitchItem
      isOn={keepsPlaying}
      onChange={setKeepPlaying}
      hint="At the end of the list, goes on with audios like the last one"
    >
      Keep playing
    </SwitchItem>
  );
}

function shortLeft({ remainingSeconds, remainingAudios }: SleepSnapshot): string {
  if (remainingSeconds !== null) return formatTime(remainingSeconds);
  return remainingAudios === null ? '' : `${remainingAudios}×`;
}
