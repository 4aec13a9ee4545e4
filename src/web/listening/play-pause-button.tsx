import LoaderCircle from 'lucide-react/icons/loader-circle';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { RoundButton } from '#web/ui/round-button.tsx';
import { isGoing, stateOf } from './playback.ts';
import { usePlayerCommands, usePlayerState } from './player-provider.tsx';
import { useLate } from './use-late.ts';

/** Of what the player holds. */
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
  const isEmpty = usePlayerState(({ current }) => current === null);
  const state = usePlayerState((snapshot) => stateOf(snapshot, snapshot.current?.id ?? ''));
  const isBusy = useLate(state === 'loading');
  return (
    <RoundButton
      label={isGoing(state) ? 'Pause' : 'Play'}
      icon={isBusy ? LoaderCircle : isGoing(state) ? Pause : Play}
      size={size}
      tone={tone}
      busy={isBusy}
      className={className}
      disabled={isEmpty}
      onClick={toggle}
    />
  );
}
