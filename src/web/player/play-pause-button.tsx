import LoaderCircle from 'lucide-react/icons/loader-circle';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { RoundButton } from '#web/ui/round-button.tsx';
import { isActive } from '../listening/playback.ts';
import { usePlayback, usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';
import { useDelayed } from '../listening/use-delayed.ts';

/** Plays or pauses the current audio, with the same label as the play button of its row (spec §2). */
export function PlayPauseButton({
  size,
  tone,
  className,
}: {
  size?: 48 | 76;
  tone?: 'inverse' | 'accent';
  className?: string;
}) {
  const { toggle } = usePlayerCommands();
  const audioId = usePlayerState(({ current }) => current?.id);
  const { status, inProgress } = usePlayback(audioId ?? '');
  const isBusy = useDelayed(status === 'loading');
  return (
    <RoundButton
      label={isActive(status) ? 'Pause' : inProgress ? 'Resume' : 'Play'}
      icon={isBusy ? LoaderCircle : isActive(status) ? Pause : Play}
      size={size}
      tone={tone}
      busy={isBusy}
      className={className}
      disabled={audioId === undefined}
      onClick={toggle}
    />
  );
}
