import { Dialog } from '@base-ui/react/dialog';
import Captions from 'lucide-react/icons/captions';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Info from 'lucide-react/icons/info';
import LinkIcon from 'lucide-react/icons/link';
import ListMusic from 'lucide-react/icons/list-music';
import { useState } from 'react';
import type { CSSProperties } from 'react';
import { fractionOf } from '#player/progress.ts';
import type { Track } from '#player/track.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { WhisperLine } from '#web/ui/whisper-line.tsx';
import { PlayerLine } from './player-line.tsx';
import {
  useDuration,
  useListener,
  useListName,
  usePlayerState,
  usePosition,
  useReadPosition,
} from './player-provider.tsx';
import { PlayerSettings } from './player-settings.tsx';
import { queueHeadingId, useQueueView } from './queue-view-state.tsx';
import { ElapsedTime, PositionSlider, RemainingTime } from './position-slider.tsx';
import { sourceOf } from './track-of.ts';
import { TranscriptPanel } from './transcript-panel.tsx';
import { Transport } from './transport.tsx';
import { SleepButton } from './sleep-timer-controls.tsx';
import { useCopyTrackLink } from './use-copy-track-link.ts';
import { MuteButton, VolumeSlider } from './volume.tsx';

type ExpandedPlayerProps = { open: boolean; onClose: () => void };

/** The player over the whole screen. Closes by its button, Escape, and every change of page. */
export function ExpandedPlayer({ open, onClose }: ExpandedPlayerProps) {
  const current = usePlayerState((snapshot) => snapshot.current);
  const [isReading, setIsReading] = useState(false);
  return (
    <Dialog.Root open={open && current !== null} onOpenChange={(next) => !next && onClose()}>
      {/* What opens from it, within its portal, lies above it. */}
      <Dialog.Portal className="[--z-popover:var(--z-modal)]">
        {current && (
          <Dialog.Popup
            className="xp"
            aria-label="Player"
            // The queue, where it was opened from here, has the focus already.
            finalFocus={() => document.getElementById(queueHeadingId) ?? true}
            style={{ '--tone': current.color ?? '#5b4b8a' } as CSSProperties}
          >
            <Head isReading={isReading} onRead={setIsReading} />
            <div className="xp__body">
              {isReading ? (
                <TranscriptPanel track={current} />
              ) : (
                <Cover
                  imageUrl={current.imageUrl}
                  width={520}
                  sizes="(max-width: 767px) min(100vw, 38vh), 520px"
                  className="xp__cov"
                />
              )}
              <Side current={current} onClose={onClose} />
            </div>
          </Dialog.Popup>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Head({ isReading, onRead }: { isReading: boolean; onRead: (isReading: boolean) => void }) {
  const listName = useListName();
  return (
    <div className="xp__h">
      <Dialog.Close render={<IconButton label="Collapse player" icon={ChevronDown} iconSize={24} />} />
      <p className="trunc text-13 text-soft">
        {listName === undefined ? (
          'Now playing'
        ) : (
          <>
            Playing from <b className="font-semibold">{listName}</b>
          </>
        )}
      </p>
      <div className="flex">
        <IconButton
          label="Transcript"
          title="Transcript"
          icon={Captions}
          state={isReading ? 'on' : 'off'}
          aria-pressed={isReading}
          onClick={() => onRead(!isReading)}
        />
        <SleepButton side="bottom" />
        <PlayerSettings side="bottom" trigger={<IconButton label="More" icon={Ellipsis} iconSize={24} />} />
      </div>
    </div>
  );
}

function Side({ current, onClose }: { current: Track; onClose: () => void }) {
  const copy = useCopyTrackLink();
  const queue = useQueueView();
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  const isUser = useListener().kind === 'user';
  const readPosition = useReadPosition();
  return (
    <div className="xp__side">
      <div className="flex items-start gap-3">
        <div className="grow">
          <h2 className="c2">{current.title}</h2>
          <PlayerLine place="expanded" />
        </div>
        <FavoriteButton
          contentTypeId="audio"
          name={current.title}
          subjectId={current.id}
          source={sourceOf(current)}
          imageUrl={current.imageUrl}
        />
      </div>
      <div className="mt-5">
        <Whisper slug={current.slug} />
      </div>
      <PositionSlider className="mt-1" />
      <div className="num mt-0.5 flex items-center justify-between text-13 text-soft">
        <ElapsedTime />
        <RemainingTime first="left" />
      </div>
      <Transport place="expanded" />
      <div className="xp__a">
        <button
          type="button"
          onClick={() => {
            // For a visitor the prompt opens above; the player stays where it is.
            if (isUser) onClose();
            queue.open();
          }}
        >
          <Icon of={ListMusic} />
          Go to Queue
        </button>
        <button type="button" onClick={() => copy(current, readPosition())}>
          <Icon of={LinkIcon} />
          Copy
        </button>
        {isPreview ? (
          <button type="button" disabled>
            <Icon of={Info} />
            See Audio Details
          </button>
        ) : (
          <AudioLink audio={current} source={sourceOf(current)}>
            <Icon of={Info} />
            See Audio Details
          </AudioLink>
        )}
      </div>
      <div className="absolute inset-x-0 top-full mt-6 hidden items-center justify-center gap-2 md:flex">
        <MuteButton />
        <VolumeSlider className="w-40" />
      </div>
    </div>
  );
}

function Whisper({ slug }: { slug: string }) {
  const fraction = fractionOf(usePosition(), useDuration());
  return <WhisperLine slug={slug} bars={64} progress={fraction} />;
}
