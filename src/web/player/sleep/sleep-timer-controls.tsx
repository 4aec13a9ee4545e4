import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import type { SleepSetting, SleepSnapshot } from '#player/sleep/sleep-state.ts';
import { formatTime } from '#formats/durations.ts';
import { localClock } from '#formats/local/local-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { askForShakes, nightWatch, useNight } from '#web/listening/night/open-night.ts';
import { useEngineState, usePlayerCommands, usePlayerState, useSleepTimer } from '#web/listening/player-provider.tsx';
import { SwitchItem } from '../switch-item.tsx';
import { ProlongSettings } from './prolong-settings.tsx';
import { describeSleep, isSameSleep, sleepChoices } from './sleep-choices.ts';
import '#web/styles/sleep.css';

export function SleepTimerControls() {
  return (
    <div className="sleep-panel">
      <SleepTimer />
      <ProlongSettings />
      <hr className="menu__line" />
      <KeepPlayingSwitch />
    </div>
  );
}

function SleepTimer() {
  const setting = useSleepTimer((sleep) => sleep.setting);
  return (
    <>
      {setting !== null && <Running />}
      {sleepChoices().map(({ legend, choices }) => (
        <fieldset key={legend} className="border-0">
          <legend className="menu__label">{legend}</legend>
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
    </>
  );
}

function Running() {
  const { setSleepTimer } = usePlayerCommands();
  const time = useSleepTimer(({ remainingSeconds }) => remainingSeconds);
  const fades = useEngineState(({ canSetVolume }) => canSetVolume);
  const text = useSleepTimer((sleep) => describeSleep(sleep, clockAfter(sleep), fades));
  return (
    <>
      <div className="sleep-left">
        {time !== null && <b className="sleep-left__time">{formatTime(time)}</b>}
        <p className="sleep-left__text">{text}</p>
        <IconButton label={t`Turn the timer off`} icon={X} onClick={() => setSleepTimer(undefined)} />
      </div>
      <div className="px-2 pb-2">
        <Button variant="primary" width="full" onClick={() => nightWatch()?.prolong()}>
          <Icon of={Plus} size={18} />
          <Trans>10 more minutes</Trans>
        </Button>
      </div>
    </>
  );
}

/** `23:52`, when the timer ends if nothing is paused. */
function clockAfter({ remainingSeconds }: SleepSnapshot): string {
  return localClock(Date.now() + (remainingSeconds ?? 0) * 1000);
}

type SleepChipProps = { label: string; name: string; setting: SleepSetting; isChosen: boolean };

function SleepChip({ label, name, setting, isChosen }: SleepChipProps) {
  const { setSleepTimer } = usePlayerCommands();
  const shakes = useNight(({ settings }) => settings.prolongsByShake);
  return (
    <Chip
      size="sm"
      className={classNames(
        'tabular-nums justify-center px-1 whitespace-nowrap',
        setting.kind === 'end-of-audio' && 'col-span-3',
      )}
      aria-pressed={isChosen}
      aria-label={name}
      onClick={() => {
        // A device that asks allows the sensor for one visit only.
        if (shakes) void askForShakes();
        setSleepTimer(isChosen ? undefined : setting);
      }}
    >
      {label}
    </Chip>
  );
}

function KeepPlayingSwitch() {
  const { setKeepPlaying } = usePlayerCommands();
  const keepsPlaying = usePlayerState((snapshot) => snapshot.keepsPlaying);
  return (
    <SwitchItem isOn={keepsPlaying} onChange={setKeepPlaying} hint={t`At the end of the list, plays similar audios`}>
      {t`Keep playing`}
    </SwitchItem>
  );
}
