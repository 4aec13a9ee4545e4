import LoaderCircle from 'lucide-react/icons/loader-circle';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { RoundButton } from '#web/ui/round-button.tsx';
import { isGoing } from '../listening/playback.ts';
import { usePlayback, usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';
import { useLate } from '../listening/use-late.ts';

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
  const isBusy = useLate(status === 'loading');
  return (
    <RoundButton
      label={isGoing(status) ? 'Pause' : inProgress ? 'Resume' : 'Play'}
      icon={isBusy ? LoaderCircle : isGoing(status) ? Pause : Play}
      size={size}
      tone={tone}
      busy={isBusy}
      className={className}
      disabled={audioId === undefined}
      onClick={toggle}
    />
  );
}
