import { t } from '@lingui/core/macro';
import type { LucideIcon } from 'lucide-react';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import RotateCw from 'lucide-react/icons/rotate-cw';
import SkipBack from 'lucide-react/icons/skip-back';
import SkipForward from 'lucide-react/icons/skip-forward';
import { SEEK_STEP_SECONDS } from '#player/reports/progress.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { RoundButton } from '#web/ui/round-button.tsx';
import { isActive } from '../listening/playback.ts';
import { usePlayback, usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';
import { useDelayed } from '../listening/use-delayed.ts';

/** Previous, back, play, forward, next, in this order everywhere. */
export function Transport({ place, className }: { place: 'bar' | 'expanded'; className: string }) {
  const { previous, next } = usePlayerCommands();
  const canPrevious = usePlayerState((snapshot) => snapshot.canPrevious);
  const canNext = usePlayerState((snapshot) => snapshot.canNext);
  const isBar = place === 'bar';
  const seconds = SEEK_STEP_SECONDS;
  return (
    <div className={className}>
      <IconButton label={t`Previous`} icon={SkipBack} filled disabled={!canPrevious} onClick={previous} />
      <SeekButton label={t`Back ${seconds} seconds`} icon={RotateCcw} by={-SEEK_STEP_SECONDS} />
      <PlayPauseButton size={isBar ? 48 : 76} tone={isBar ? 'inverse' : 'accent'} className="mx-2" />
      <SeekButton label={t`Forward ${seconds} seconds`} icon={RotateCw} by={SEEK_STEP_SECONDS} />
      <IconButton label={t`Next`} icon={SkipForward} filled disabled={!canNext} onClick={next} />
    </div>
  );
}

function SeekButton({ label, icon, by }: { label: string; icon: LucideIcon; by: number }) {
  const { seekBy } = usePlayerCommands();
  const isEmpty = usePlayerState(({ current }) => current === null);
  return (
    <IconButton
      label={label}
      icon={icon}
      iconSize={24}
      size={40}
      className="skip-seconds"
      disabled={isEmpty}
      onClick={() => seekBy(by)}
    >
      <b aria-hidden="true">{SEEK_STEP_SECONDS}</b>
    </IconButton>
  );
}

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
      label={isActive(status) ? t`Pause` : inProgress ? t`Resume` : t`Play`}
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
