import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SleepSetting } from '#player/sleep/sleep-state.ts';
import { Chip } from '#web/ui/chip.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { usePlayerCommands, usePlayerState, useSleepTimer } from '../listening/player-provider.tsx';
import { describeSleep, isSameSleep, sleepChoices } from './sleep-choices.ts';
import { SwitchItem } from './switch-item.tsx';

export function SleepTimerControls() {
  return (
    <>
      <SleepTimer />
      <hr className="menu__line" />
      <KeepPlayingSwitch />
    </>
  );
}

function SleepTimer() {
  const { setSleepTimer } = usePlayerCommands();
  const setting = useSleepTimer((sleep) => sleep.setting);
  return (
    <>
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
      {setting !== null && (
        <div className="flex items-center justify-between gap-2 py-1 pe-2 ps-3">
          <Countdown />
          <button type="button" className="link text-13" onClick={() => setSleepTimer(undefined)}>
            <Trans>Cancel timer</Trans>
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
        'tabular-nums justify-center px-1 whitespace-nowrap',
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

/** A component of its own, so that only this text re-renders each second. */
function Countdown() {
  const text = useSleepTimer(describeSleep);
  return <p className="tabular-nums text-13 text-soft">{text}</p>;
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
