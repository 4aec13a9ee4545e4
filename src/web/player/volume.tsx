import { t } from '@lingui/core/macro';
import Volume2 from 'lucide-react/icons/volume-2';
import VolumeX from 'lucide-react/icons/volume-x';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Slider } from '#web/ui/fields/slider.tsx';
import { useEngineState, usePlayerCommands } from '../listening/player-provider.tsx';

export function MuteButton() {
  const { toggleMute } = usePlayerCommands();
  const isSilent = useEngineState(({ muted, volume }) => muted || volume === 0);
  return (
    <IconButton
      label={isSilent ? t`Unmute` : t`Mute`}
      icon={isSilent ? VolumeX : Volume2}
      size={40}
      onClick={toggleMute}
    />
  );
}

/** Renders nothing where only the device’s keys set the volume (iOS). */
export function VolumeSlider({ variant, className }: { variant?: 'line' | 'quiet'; className?: string }) {
  const { setVolume } = usePlayerCommands();
  const canSet = useEngineState(({ canSetVolume }) => canSetVolume);
  const volume = useEngineState((engine) => (engine.muted ? 0 : engine.volume));
  if (!canSet) return null;
  return (
    <Slider
      label={t`Volume`}
      value={volume}
      max={1}
      step={0.05}
      largeStep={0.2}
      valueText={(value) => `${Math.round(value * 100)}%`}
      onScrub={setVolume}
      onScrubEnd={setVolume}
      variant={variant}
      className={className}
    />
  );
}
