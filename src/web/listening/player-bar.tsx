import ChevronUp from 'lucide-react/icons/chevron-up';
import Info from 'lucide-react/icons/info';
import LinkIcon from 'lucide-react/icons/link';
import ListMusic from 'lucide-react/icons/list-music';
import { useLocation } from 'react-router';
import type { Track } from '#player/track.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useClosedByKey } from '#web/ui/use-closed-by-key.ts';
import { useLoaded } from '#web/ui/use-loaded.ts';
import { Announcer } from './announcer.tsx';
import { PlayPauseButton } from './play-pause-button.tsx';
import { PlayerLine } from './player-line.tsx';
import { useEngineState, usePlayerState, useReadPosition } from './player-provider.tsx';
import { formatSpeed, PlayerSettings } from './player-settings.tsx';
import { queueButtonId, useQueueView } from './queue-view-state.tsx';
import { ElapsedTime, PositionSlider, ProgressEdge, RemainingTime } from './position-slider.tsx';
import { sourceOf } from './track-of.ts';
import { Transport } from './transport.tsx';
import { SleepButton } from './sleep-timer-controls.tsx';
import { useCopyTrackLink } from './use-copy-track-link.ts';
import { MuteButton, VolumeSlider } from './volume.tsx';

const loadExpanded = () => import('./expanded-player.tsx');

/** At the bottom of every page, always in the same order (spec §2, "Bottom player bar"). */
export function PlayerBar() {
  const current = usePlayerState((snapshot) => snapshot.current);
  const { key } = useLocation();
  const [isExpanded, setIsExpanded] = useClosedByKey(key);
  // Fetched as soon as something sounds, so that it is there when it is asked for.
  const hasStarted = usePlayerState(({ status }) => status !== 'idle');
  const expanded = useLoaded(loadExpanded, hasStarted || isExpanded);
  const expand = () => setIsExpanded(true);
  return (
    <section
      className="player lg:max-[1235px]:grid-cols-[minmax(0,1fr)_minmax(0,400px)_minmax(0,1fr)]"
      aria-label="Player"
    >
      <noscript>The player needs JavaScript. Free audios can be heard on their own pages without it.</noscript>
      <ProgressEdge />
      <div className="pl__l">
        <button
          type="button"
          className="rounded-cover"
          aria-label="Open full screen"
          disabled={current === null}
          onClick={expand}
        >
          <Cover imageUrl={current?.imageUrl} size={64} />
        </button>
        <div className="min-w-0">
          <Title />
          <PlayerLine place="bar" />
        </div>
        {current && (
          <FavoriteButton
            contentTypeId="audio"
            name={current.title}
            subjectId={current.id}
            source={sourceOf(current)}
            imageUrl={current.imageUrl}
          />
        )}
      </div>
      <div className="pl__c">
        <Transport place="bar" />
        <div className="pl__s num">
          <ElapsedTime />
          <PositionSlider />
          <RemainingTime first="whole" />
        </div>
      </div>
      <div className="pl__r">
        <SpeedButton />
        <span>
          <MuteButton />
        </span>
        <VolumeSlider className="vol max-[1235px]:hidden" />
        {current && <SleepButton side="top" className="ib--40" />}
        {current && <PlayerLinks current={current} />}
        <QueueButton />
      </div>
      <div className="pl__m">
        <PlayPauseButton />
        <IconButton label="Expand player" icon={ChevronUp} iconSize={24} disabled={current === null} onClick={expand} />
      </div>
      <Announcer />
      {expanded && <expanded.ExpandedPlayer open={isExpanded} onClose={() => setIsExpanded(false)} />}
    </section>
  );
}

/** The preview has no page to lead to (spec §2). */
function Title() {
  const current = usePlayerState((snapshot) => snapshot.current);
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  if (current === null) return <p className="pl__t trunc">Nothing is playing</p>;
  if (isPreview) return <p className="pl__t trunc">{current.title}</p>;
  return (
    <AudioLink className="pl__t trunc" audio={current} source={sourceOf(current)}>
      {current.title}
    </AudioLink>
  );
}

/** Stands where the bar has room to spare. */
function SpeedButton() {
  const rate = useEngineState((engine) => engine.rate);
  return (
    <PlayerSettings
      side="top"
      trigger={
        <button
          type="button"
          className="ib ib--40 num text-13 max-[1343px]:hidden"
          aria-label={`Speed and settings, ${formatSpeed(rate)}`}
        >
          {formatSpeed(rate)}
        </button>
      }
    />
  );
}

function PlayerLinks({ current }: { current: Track }) {
  const copy = useCopyTrackLink();
  const readPosition = useReadPosition();
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  const details = { label: 'See Audio Details', title: 'See Audio Details', icon: Info };
  return (
    <>
      <IconButton label="Copy" title="Copy" icon={LinkIcon} onClick={() => copy(current, readPosition())} />
      {isPreview ? (
        <IconButton {...details} disabled />
      ) : (
        <IconButton {...details} render={<AudioLink audio={current} source={sourceOf(current)} />} />
      )}
    </>
  );
}

function QueueButton() {
  const { isOpen, open, close } = useQueueView();
  return (
    <IconButton
      id={queueButtonId}
      label="Go to Queue"
      title="Go to Queue"
      icon={ListMusic}
      state={isOpen ? 'on' : 'off'}
      aria-pressed={isOpen}
      onClick={isOpen ? close : open}
    />
  );
}
