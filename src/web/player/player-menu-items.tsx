import { t } from '@lingui/core/macro';
import Bookmark from 'lucide-react/icons/bookmark';
import Info from 'lucide-react/icons/info';
import LinkIcon from 'lucide-react/icons/link';
import { AudioLink } from '#web/catalogue/content-link.tsx';
import { FavoriteItem } from '#web/catalogue/audio-menu-items.tsx';
import { HideItems } from '#web/catalogue/hiding/hide-items.tsx';
import { MenuChoice, MenuItem, MenuLink, MenuSeparator, MenuSwitch } from '#web/ui/layers/menu-items.tsx';
import { useMinWidth } from '#web/ui/use-media-query.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import {
  useEngineState,
  useListener,
  usePlayerCommands,
  usePlayerState,
  useSleepTimer,
} from '../listening/player-provider.tsx';
import { useKeepMoment } from './bookmark-button.tsx';
import { formatSpeed } from './format-speed.ts';
import { sourceOf } from '../listening/track-of.ts';
import { useCopyTrackLink } from './use-copy-track-link.ts';
import { useKeysSwitch } from './use-keys-switch.ts';

/** Controls that do not fit the bar or the expanded player at this width; same breakpoints as in their styles. */
export function PlayerMenuItems({ place }: { place: 'bar' | 'expanded' }) {
  const isWide = useMinWidth(1236);
  const isDesktop = useMinWidth(1024);
  const isTablet = useMinWidth(768);
  const hasLinks = useMinWidth(820);
  const isBar = place === 'bar';
  return (
    <>
      <SpeedChoice />
      {!(isBar ? isWide : isTablet) && <VolumeChoice />}
      {!(isBar ? isDesktop : isTablet) && <MuteSwitch />}
      <MenuSeparator />
      {isBar && <TrackItems hasHeart={isDesktop} hasLinks={hasLinks} />}
      <BookmarkItem />
      <UnwantedItems />
      <StopSwitch />
      <KeysSwitch />
    </>
  );
}

const speeds = () =>
  [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2].map((speed) => ({ value: String(speed), label: formatSpeed(speed) }));

function SpeedChoice() {
  const { setRate } = usePlayerCommands();
  const rate = useEngineState((engine) => engine.rate);
  return (
    <MenuChoice
      label={t`Speed`}
      variant="grid"
      value={String(rate)}
      options={speeds()}
      onChange={(chosen) => setRate(Number(chosen))}
    />
  );
}

const volumes = () => [25, 50, 75, 100].map((percent) => ({ value: String(percent), label: t`${percent}%` }));

/** Renders nothing where only the device’s keys set the volume (iOS). */
function VolumeChoice() {
  const { setVolume } = usePlayerCommands();
  const canSet = useEngineState(({ canSetVolume }) => canSetVolume);
  const volume = useEngineState((engine) => engine.volume);
  if (!canSet) return null;
  return (
    <MenuChoice
      label={t`Volume`}
      variant="grid"
      value={String(Math.round(volume * 100))}
      options={volumes()}
      onChange={(chosen) => setVolume(Number(chosen) / 100)}
    />
  );
}

function MuteSwitch() {
  const { toggleMute } = usePlayerCommands();
  const isMuted = useEngineState(({ muted }) => muted);
  return (
    <MenuSwitch checked={isMuted} onChange={toggleMute}>
      {t`Mute`}
    </MenuSwitch>
  );
}

function TrackItems({ hasHeart, hasLinks }: { hasHeart: boolean; hasLinks: boolean }) {
  const current = usePlayerState((snapshot) => snapshot.current);
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  const copy = useCopyTrackLink();
  if (current === null) return null;
  const source = sourceOf(current);
  return (
    <>
      {!hasHeart && <FavoriteItem audio={current} source={source} />}
      {!hasLinks && (
        <>
          <MenuItem icon={LinkIcon} onSelect={() => copy(current)}>
            {t`Copy`}
          </MenuItem>
          {!isPreview && (
            <MenuLink icon={Info} render={<AudioLink audio={current} source={source} />}>
              {t`See Audio Details`}
            </MenuLink>
          )}
        </>
      )}
    </>
  );
}

/** Keeps the place at once; a note can be written in the Library. */
function BookmarkItem() {
  const { getPosition } = usePlayerCommands();
  const current = usePlayerState((snapshot) => snapshot.current);
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  const isUser = useListener().kind === 'user';
  const keep = useKeepMoment();
  const showToast = useToast();
  if (current === null || isPreview || !isUser) return null;
  return (
    <MenuItem
      icon={Bookmark}
      onSelect={() =>
        void keep(current.id, getPosition(), '').then((failure) => failure && showToast({ text: failure }))
      }
    >
      {t`Bookmark this moment`}
    </MenuItem>
  );
}

/** Neither stops what plays nor takes it out of the queue. */
function UnwantedItems() {
  const current = usePlayerState((snapshot) => snapshot.current);
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  if (current === null || isPreview) return null;
  return (
    <>
      <HideItems audio={current} staysInList />
      <MenuSeparator />
    </>
  );
}

/** The sleep timer’s “end of this audio”, as a switch of its own where listeners look for it. */
function StopSwitch() {
  const { setSleepTimer } = usePlayerCommands();
  const stops = useSleepTimer(({ setting }) => setting?.kind === 'end-of-audio');
  return (
    <MenuSwitch checked={stops} onChange={(on) => setSleepTimer(on ? { kind: 'end-of-audio' } : undefined)}>
      {t`Stop after this one`}
    </MenuSwitch>
  );
}

function KeysSwitch() {
  const [isOn, setOn] = useKeysSwitch();
  return (
    <MenuSwitch checked={isOn} onChange={setOn} className="pointer-coarse:hidden">
      {t`Keyboard shortcuts`}
    </MenuSwitch>
  );
}
