import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Dialog } from '@base-ui/react/dialog';
import Captions from 'lucide-react/icons/captions';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Info from 'lucide-react/icons/info';
import LinkIcon from 'lucide-react/icons/link';
import ListMusic from 'lucide-react/icons/list-music';
import TableOfContents from 'lucide-react/icons/table-of-contents';
import { type CSSProperties, useState } from 'react';
import { fractionOf } from '#player/reports/progress.ts';
import type { Track } from '#player/track.ts';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { audioFavorite, FavoriteButton } from '#web/catalogue/favorite-button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Waveform } from '#web/ui/images/waveform.tsx';
import { BookmarkButton } from './bookmark-button.tsx';
import { ChaptersPanel } from './chapters-panel.tsx';
import { useChapters } from '../listening/chapters/use-chapters.ts';
import { PlayerLine } from './player-line.tsx';
import { useDuration, useListName, usePlayerState, usePosition } from '../listening/player-provider.tsx';
import { foreign } from '../catalogue/foreign-language.tsx';
import { PlayerSettings } from './player-settings.tsx';
import { useQueueView } from './queue-view-state.tsx';
import { ElapsedTime, PositionSlider, RemainingTime } from '../listening/position-slider.tsx';
import { sourceOf } from '../listening/track-of.ts';
import { TranscriptPanel } from './transcript-panel.tsx';
import { Transport } from './transport.tsx';
import { AsleepRow } from '../listening/night/asleep-row.tsx';
import { LastSeconds } from './sleep/last-seconds.tsx';
import { SleepButton } from './sleep/sleep-button.tsx';
import { useCopyTrackLink } from './use-copy-track-link.ts';
import { useWaveform } from './use-waveform.ts';
import { MuteButton, VolumeSlider } from './volume.tsx';
import '#web/styles/expanded-player.css';

type ExpandedPlayerProps = { open: boolean; onClose: () => void };

/** In place of the cover. */
type Panel = 'transcript' | 'chapters' | undefined;

/** Full-screen player. Closes by its button, Escape, and every navigation. */
export function ExpandedPlayer({ open, onClose }: ExpandedPlayerProps) {
  const current = usePlayerState((snapshot) => snapshot.current);
  const [panel, setPanel] = useState<Panel>();
  const isOpen = open && current !== null;
  const chapters = useChapters(isOpen ? current.id : undefined);
  // The next audio may have none.
  const shown = panel === 'chapters' && chapters.length === 0 ? undefined : panel;
  return (
    <>
      <Dialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
        {/* Popovers opened from it render inside its portal, so they need a higher z-index. */}
        <Dialog.Portal className="[--z-popover:var(--z-modal)]">
          {current && (
            <Dialog.Popup
              className="expanded"
              data-expanded-player
              aria-label={t`Player`}
              // Stops the library from hiding arrow keys from the window, where Shift with an arrow seeks.
              onKeyDown={(event) => event.preventBaseUIHandler()}
              finalFocus={() => focusedOutside() ?? true}
              style={{ '--tone': current.color ?? '#5b4b8a' } as CSSProperties}
            >
              <Head panel={shown} hasChapters={chapters.length > 0} onShow={setPanel} />
              <div className="expanded__body flex flex-1 flex-col gap-6 md:grid md:grid-cols-[repeat(2,minmax(0,520px))] md:items-center md:justify-center md:gap-[clamp(32px,5vw,72px)]">
                {shown === 'transcript' && <TranscriptPanel track={current} />}
                {shown === 'chapters' && <ChaptersPanel track={current} chapters={chapters} />}
                {shown === undefined && (
                  <Cover
                    imageUrl={current.imageUrl}
                    width={520}
                    sizes="(max-width: 767px) min(100vw, 38vh), 520px"
                    className="expanded__cover mt-3 max-h-[38vh] w-[min(100%,38vh)] self-center md:m-0 md:max-h-none md:w-full"
                  />
                )}
                <Side current={current} />
              </div>
            </Dialog.Popup>
          )}
        </Dialog.Portal>
      </Dialog.Root>
      {/* Here, because this code is loaded wherever something plays. */}
      <LastSeconds />
    </>
  );
}

/** The outside element that already received the focus when the queue, search or another page opened from here. */
function focusedOutside(): HTMLElement | undefined {
  const focused = document.activeElement;
  const isOutside = focused !== document.body && focused?.closest('[data-expanded-player]') === null;
  return isOutside && focused instanceof HTMLElement ? focused : undefined;
}

type HeadProps = { panel: Panel; hasChapters: boolean; onShow: (panel: Panel) => void };

function Head({ panel, hasChapters, onShow }: HeadProps) {
  const listName = useListName();
  const toggle = (one: Panel) => ({
    'aria-pressed': panel === one,
    onClick: () => onShow(panel === one ? undefined : one),
  });
  return (
    <div className="-mx-2.5 grid grid-cols-[1fr_minmax(0,max-content)_1fr] items-center gap-2">
      <Dialog.Close render={<IconButton label={t`Collapse player`} icon={ChevronDown} iconSize={24} />} />
      <p className="truncate text-13 text-soft">
        {listName === undefined ? (
          t`Now playing`
        ) : (
          <Trans>
            Playing from <b className="font-semibold">{listName}</b>
          </Trans>
        )}
      </p>
      <div className="flex justify-self-end">
        {hasChapters && (
          <IconButton label={t`Chapters`} title={t`Chapters`} icon={TableOfContents} {...toggle('chapters')} />
        )}
        <IconButton label={t`Transcript`} title={t`Transcript`} icon={Captions} {...toggle('transcript')} />
        <SleepButton side="bottom" />
        <PlayerSettings place="expanded" trigger={<IconButton label={t`More`} icon={Ellipsis} iconSize={24} />} />
      </div>
    </div>
  );
}

function Side({ current }: { current: Track }) {
  const copy = useCopyTrackLink();
  const queue = useQueueView();
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  return (
    <div className="expanded__side relative z-1 flex flex-1 flex-col md:block">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 text-[1.75rem] leading-[1.14] md:text-[2.75rem]" lang={foreign(current.language)}>
            {current.title}
          </h2>
          <PlayerLine place="expanded" />
        </div>
        {!isPreview && <BookmarkButton current={current} />}
        <FavoriteButton {...audioFavorite(current, sourceOf(current))} />
      </div>
      <div className="expanded__wave mt-5">
        <CoverWaveform audioId={current.id} />
      </div>
      <AsleepRow />
      <PositionSlider className="mt-1" />
      <div dir="ltr" className="mt-0.5 flex items-center justify-between text-13 text-soft tabular-nums">
        <ElapsedTime />
        <RemainingTime first="left" />
      </div>
      <Transport
        place="expanded"
        className="expanded__transport -mx-2 my-auto flex items-center justify-between md:mx-0 md:my-8 md:justify-center md:gap-3 [&_.icon-button]:size-12"
      />
      <div className="flex justify-between gap-2 text-13 text-soft *:flex *:min-h-13 *:flex-1 *:flex-col *:items-center *:justify-center *:gap-1.5 *:rounded-[12px] lg:*:flex-row">
        {/* For a visitor this opens the sign-in prompt above the player, which stays open. */}
        <button type="button" onClick={queue.open}>
          <Icon of={ListMusic} />
          <Trans>Go to Queue</Trans>
        </button>
        <button type="button" onClick={() => copy(current)}>
          <Icon of={LinkIcon} />
          <Trans>Copy</Trans>
        </button>
        {isPreview ? (
          <button type="button" disabled>
            <Icon of={Info} />
            <Trans>See Audio Details</Trans>
          </button>
        ) : (
          <AudioLink audio={current} source={sourceOf(current)}>
            <Icon of={Info} />
            <Trans>See Audio Details</Trans>
          </AudioLink>
        )}
      </div>
      <div
        dir="ltr"
        className="expanded__volume absolute inset-x-0 top-full mt-6 hidden items-center justify-center gap-2 md:flex"
      >
        <MuteButton />
        <VolumeSlider className="w-40" />
      </div>
    </div>
  );
}

function CoverWaveform({ audioId }: { audioId: string }) {
  const bars = useWaveform(audioId);
  const fraction = fractionOf(usePosition(), useDuration());
  return <Waveform bars={bars} count={64} progress={fraction} />;
}
