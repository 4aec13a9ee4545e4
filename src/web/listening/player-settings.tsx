import type { ReactElement } from 'react';
import { useLocation } from 'react-router';
import { Chip } from '#web/ui/chip.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { useEngineState, usePlayerCommands, useSleepTimer } from './player-provider.tsx';
import { SwitchItem } from './switch-item.tsx';
import { useKeysSwitch } from './use-keys-switch.ts';

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/** Speed, stopping, and keys. @param props.trigger a button, which opens it */
export function PlayerSettings({ trigger, side }: { trigger: ReactElement; side: 'top' | 'bottom' }) {
  const { key } = useLocation();
  return (
    <Popover label="Player settings" trigger={trigger} side={side} closeKey={key}>
      <Speed />
      <StopSwitch />
      <KeysSwitch />
    </Popover>
  );
}

export function formatSpeed(rate: number): string {
  return `${rate}×`;
}

function Speed() {
  const { setRate } = usePlayerCommands();
  const rate = useEngineState((engine) => engine.rate);
  return (
    <fieldset className="border-0">
      <legend className="menu__lab">Speed</legend>
      <div className="grid grid-cols-4 gap-2 px-2 pb-2">
        {speeds.map((speed) => (
          <Chip
            key={speed}
            size="sm"
            className="num justify-center"
            aria-pressed={speed === rate}
            onClick={() => setRate(speed)}
          >
            {formatSpeed(speed)}
          </Chip>
        ))}
      </div>
    </fieldset>
  );
}

/** The sleep timer's "end of this audio", by the name one looks for it under. */
function StopSwitch() {
  const { setSleepTimer } = usePlayerCommands();
  const stops = useSleepTimer(({ setting }) => setting?.kind === 'end-of-audio');
  return (
    <SwitchItem isOn={stops} onChange={(on) => setSleepTimer(on ? { kind: 'end-of-audio' } : undefined)}>
      Stop after this one
    </SwitchItem>
  );
}

function KeysSwitch() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <SwitchItem isOn={isOn} onChange={setOn} className="pointer-coarse:hidden">
      Keyboard shortcuts
    </SwitchItem>
  );
}
