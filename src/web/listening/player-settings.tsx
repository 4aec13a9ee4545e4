import type { ReactElement } from 'react';
import { useLocation } from 'react-router';
import { Chip } from '#web/ui/chip.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { useEngineState, usePlayerCommands } from './player-provider.tsx';
import { useKeysSwitch } from './use-player-keys.ts';

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/** Speed and keys. @param props.trigger a button, which opens it */
export function PlayerSettings({ trigger, side }: { trigger: ReactElement; side: 'top' | 'bottom' }) {
  const { key } = useLocation();
  return (
    <Popover label="Player settings" trigger={trigger} side={side} closeKey={key}>
      <Speed />
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

function KeysSwitch() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className="menu__i w-full pointer-coarse:hidden"
      onClick={() => setOn(!isOn)}
    >
      <span className="grow text-left">Keyboard shortcuts</span>
      <span className="sw" />
    </button>
  );
}
