import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronUp from 'lucide-react/icons/chevron-up';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Info from 'lucide-react/icons/info';
import LinkIcon from 'lucide-react/icons/link';
import ListMusic from 'lucide-react/icons/list-music';
import { useState } from 'react';
import type { PlaybackStatus } from '#player/playback.ts';
import type { Track } from '#player/track.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { audioFavorite, FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { useLoaded } from '#web/ui/use-loaded.ts';
import { PlayerLine } from './player-line.tsx';
import { useEngineState, usePlayerState } from '../listening/player-provider.tsx';
import { useDelayed } from '../listening/use-delayed.ts';
import { formatSpeed } from './format-speed.ts';
import { PlayerSettings } from './player-settings.tsx';
import { expandButtonId, queueButtonId, useQueueView } from './queue-view-state.tsx';
import { ElapsedTime, PositionSlider, ProgressEdge, RemainingTime } from '../listening/position-slider.tsx';
import { sourceOf } from '../listening/track-of.ts';
import { PlayPauseButton, Transport } from './transport.tsx';
import { SleepButton } from './sleep/sleep-button.tsx';
import { useCopyTrackLink } from './use-copy-track-link.ts';
import { MuteButton, VolumeSlider } from './volume.tsx';

const loadExpanded = () => import('./expanded-player.tsx');

/** Bottom of every page; the order of the controls never changes (spec §2, “Bottom player bar”). */
export function PlayerBar() {
  const current = usePlayerState((snapshot) => snapshot.current);
  const { isExpanded, expand, collapse } = useQueueView();
  // Preloaded once sound plays: earlier, it would delay the sound.
  const isPlaying = usePlayerState(({ status }) => status === 'playing');
  const isNear = useDelayed(isPlaying);
  const expanded = useLoaded(loadExpanded, isExpanded ? 'now' : isNear);
  return (
    <section
      className="player print:hidden lg:max-[77.1875rem]:grid-cols-[minmax(0,1fr)_minmax(0,380px)_minmax(0,1fr)]"
      aria-label={t`Player`}
      data-player
    >
      <noscript>
        <Trans>The player needs JavaScript. Free audios can be heard on their own pages without it.</Trans>
      </noscript>
      <ProgressEdge />
      <div className="player__start">
        <button
          type="button"
          className="rounded-cover"
          aria-label={t`Open full screen`}
          disabled={current === null}
          onClick={expand}
        >
          <Cover imageUrl={current?.imageUrl} size={64} />
        </button>
        <div className="min-w-0">
          <Title />
          <PlayerLine place="bar" />
        </div>
        {current && <FavoriteButton {...audioFavorite(current, sourceOf(current))} />}
      </div>
      <div className="player__center">
        <Transport place="bar" className="flex items-center justify-center gap-1.5 md:max-lg:gap-0" />
        <div className="player__position tabular-nums">
          <ElapsedTime />
          <PositionSlider />
          <RemainingTime first="whole" />
        </div>
      </div>
      <div className="player__end">
        <span>
          <MuteButton />
        </span>
        <VolumeSlider variant="quiet" className="me-2 w-23 max-[77.1875rem]:hidden" />
        {current && <SleepButton side="top" className="icon-button--40" />}
        {current && <PlayerLinks current={current} />}
        <MoreButton />
        <QueueButton />
      </div>
      <div className="flex items-center gap-0.5 md:hidden">
        <PlayPauseButton />
        <IconButton
          id={expandButtonId}
          label={t`Expand player`}
          icon={ChevronUp}
          iconSize={24}
          disabled={current === null}
          onClick={expand}
        />
      </div>
      <Announcer />
      {expanded && <expanded.ExpandedPlayer open={isExpanded} onClose={collapse} />}
    </section>
  );
}

const title = 'player__title truncate md:max-lg:line-clamp-2 md:max-lg:whitespace-normal';

/** The preview has no page to link to (spec §2). */
function Title() {
  const current = usePlayerState((snapshot) => snapshot.current);
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  if (current === null)
    return (
      <p className={title}>
        <Trans>Nothing is playing</Trans>
      </p>
    );
  if (isPreview) return <p className={title}>{current.title}</p>;
  return (
    <AudioLink className={title} audio={current} source={sourceOf(current)}>
      {current.title}
    </AudioLink>
  );
}

/**
 * Shows the speed when the bar is wide enough for all controls; otherwise its menu also holds those that do not fit.
 */
function MoreButton() {
  const rate = useEngineState((engine) => engine.rate);
  return (
    <PlayerSettings
      place="bar"
      trigger={
        <button type="button" className="icon-button icon-button--40 tabular-nums text-13">
          <span className="max-[83.9375rem]:hidden">
            <span className="sr-only">
              <Trans>Speed and settings,</Trans>{' '}
            </span>
            {formatSpeed(rate)}
          </span>
          <span className="grid min-[84rem]:hidden">
            <Icon of={Ellipsis} />
            <span className="sr-only">
              <Trans>More</Trans>
            </span>
          </span>
        </button>
      }
    />
  );
}

/** Below 820 px, the menu has these links. */
const roomy = 'max-[51.1875rem]:hidden';

function PlayerLinks({ current }: { current: Track }) {
  const copy = useCopyTrackLink();
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  const details = { label: t`See Audio Details`, title: t`See Audio Details`, icon: Info, className: roomy };
  return (
    <>
      <IconButton label={t`Copy`} title={t`Copy`} icon={LinkIcon} className={roomy} onClick={() => copy(current)} />
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
      label={t`Go to Queue`}
      title={t`Go to Queue`}
      icon={ListMusic}
      aria-pressed={isOpen}
      onClick={isOpen ? close : open}
    />
  );
}

/** The player's one polite live region: which audio, whether it plays, and the connection. Never the time. */
function Announcer() {
  const status = usePlayerState((snapshot) => snapshot.status);
  const current = usePlayerState((snapshot) => snapshot.current);
  const isReconnecting = useEngineState((engine) => engine.reconnecting);
  const [announced, setAnnounced] = useState('');

  const going = status === 'idle' ? '' : announced;
  const playing = (current && stateText(status, current)) ?? going;
  // Without the audio’s name: announced once per interruption, even when several audios are tried.
  const announcement = isReconnecting ? t`Connection lost, trying again` : playing;
  // Short states in between (loading) are not announced.
  if (announcement !== announced) setAnnounced(announcement);
  return (
    <p className="sr-only" aria-live="polite">
      {announcement}
    </p>
  );
}

function stateText(status: PlaybackStatus, { title, voice: { name } }: Track): string | undefined {
  if (status === 'playing') return t`Now playing: ${title}, ${name}`;
  return status === 'paused' ? t`Paused: ${title}, ${name}` : undefined;
}
