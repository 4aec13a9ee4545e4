import { t } from '@lingui/core/macro';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { useRef, useState } from 'react';
import { formatTime } from '#formats/durations.ts';
import { Waveform } from '../ui/images/waveform.tsx';
import { RoundButton } from '../ui/round-button.tsx';
import { useClientValue } from '../ui/use-client-value.ts';

type ConsentPlayerProps = { src: string; seconds: number; waveform: string | null };

/** Plays a recording that is perhaps not published. Without scripts, the browser's own controls do. */
export function ConsentPlayer({ src, seconds, waveform }: ConsentPlayerProps) {
  const hasScript = useClientValue(() => true, false);
  const audio = useRef<HTMLAudioElement>(null);
  const [position, setPosition] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);

  function toggle(): void {
    if (isPlaying) audio.current?.pause();
    else void audio.current?.play().catch(() => undefined);
  }

  return (
    <div className={hasScript ? 'consent__player' : 'mt-4'}>
      {hasScript && (
        <>
          <RoundButton
            label={isPlaying ? t`Pause` : t`Play`}
            icon={isPlaying ? Pause : Play}
            size={40}
            tone="accent"
            onClick={toggle}
          />
          <span>{formatTime(position)}</span>
          <Waveform bars={waveform} count={90} height={40} progress={seconds > 0 ? position / seconds : 0} />
          <span>{formatTime(seconds)}</span>
        </>
      )}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording before its publication has no transcript yet */}
      <audio
        ref={audio}
        className={hasScript ? 'hidden' : 'w-full'}
        controls={!hasScript}
        preload="none"
        src={src}
        onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
      />
    </div>
  );
}
