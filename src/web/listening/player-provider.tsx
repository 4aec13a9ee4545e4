import { t } from '@lingui/core/macro';
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useLocation, useRevalidator } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Preferences } from '#domain/identity/preference-rules.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { QueueHead } from '#domain/library/saved-queue.ts';
import { type EngineSnapshot, idleEngineSnapshot } from '#player/playback.ts';
import { callEach } from '#player/listeners.ts';
import type { Notice } from '#player/notices.ts';
import type { PlayerSnapshot } from '#player/player-snapshot.ts';
import { type SleepSnapshot, sleepOff } from '#player/sleep/sleep-state.ts';
import { fractionOf } from '#player/reports/progress.ts';
import type { Track } from '#player/track.ts';
import icon512 from '#web/art/icon-512.png';
import { useScreenViewed } from '#web/analytics/use-screen-viewed.ts';
import { useSignInPrompt, useSubscribePrompt } from '#web/identity/prompts.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { afterFirstPress } from '#web/ui/first-press.ts';
import { arrivalOf } from './arrival.ts';
import { downloadedSound } from './downloaded-sound.ts';
import { type PlaybackState, isCurrent, isInProgress, progressOf, stateOf } from './playback.ts';
import { type TabPlayer, openTabPlayer } from './tab-player.ts';
import { imageAddress } from '../ui/images/image-address.ts';

const ListeningContext = createContext<{ tab: TabPlayer; viewer: Viewer } | undefined>(undefined);

type PlayerProviderProps = {
  viewer: Viewer;
  /** Shown in the player when there is nothing else. */
  preview: AudioItem | null;
  /** Shown until the listener’s saved queue has loaded. */
  queueHead: QueueHead | null;
  siteName: string;
  /** Key of the operator's icon. */
  neutralArtwork?: string | undefined;
  preferences: Pick<Preferences, 'isDiscreet'>;
  children: ReactNode;
};

/** Holds the tab’s one player and its one `<audio>`, which survive every navigation. */
export function PlayerProvider(props: PlayerProviderProps) {
  const { viewer, preview, queueHead, siteName, neutralArtwork, preferences, children } = props;
  const discreet = preferences.isDiscreet;
  const [tab] = useState(() => openTabPlayer({ viewer, preview, queueHead, discreet }));
  const { player, lazy, attach } = tab;
  const { key, pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const askToSignIn = useSignInPrompt();
  const askToSubscribe = useSubscribePrompt();
  const showToast = useToast();
  const onLocked = useEffectEvent((track: Track, again: () => void) => {
    if (viewer.ageMissing)
      askToSubscribe({
        modal: 'age',
        name: track.title,
        act() {
          // The page's own data comes later.
          tab.setViewer({ ...viewer, ageMissing: undefined });
          again();
        },
      });
    else if (viewer.kind === 'user' && viewer.isComplete) askToSubscribe({ name: track.title, act: again });
    else {
      const { title, imageUrl } = track;
      askToSignIn({ title: t`“${title}” is for subscribers`, lockedTitle: title, imageUrl, act: again });
    }
  });

  const onNotice = useEffectEvent((notice: Notice) =>
    lazy.use(({ showNotice }) => showNotice(notice, { player, showToast, revalidate })),
  );

  useEffect(() => player.onNotice((notice) => onNotice(notice)), [player]);
  useEffect(() => tab.setViewer(viewer), [tab, viewer]);
  useEffect(() => tab.setPreview(preview), [tab, preview]);
  useEffect(() => player.setDiscreet(discreet), [player, discreet]);
  useEffect(() => tab.setArrival(arrivalOf({ pathname, search })), [tab, key, pathname, search]);
  useEffect(() => player.onLocked((track, again) => onLocked(track, again)), [player]);
  const isAskedFirst = viewer.ageMissing === 'first';
  useEffect(() => {
    if (isAskedFirst) askToSubscribe({ modal: 'age' });
  }, [isAskedFirst, askToSubscribe]);
  const hasStarted = useHasStarted(tab);
  useEffect(() => {
    if (!hasStarted) return;
    let disconnect: (() => void) | undefined;
    let isCurrent = true;
    lazy.use(({ connectMediaSession }) => {
      if (!isCurrent) return;
      disconnect = connectMediaSession(player, {
        artworkUrl: ({ imageUrl }) =>
          imageUrl === null
            ? icon512
            : imageAddress(downloadedSound.coverOf?.(imageUrl) ?? imageUrl, 'jpeg', 512, { height: 512 }),
        neutral: { title: siteName, artworkUrl: neutralArtwork ? `/${neutralArtwork}` : icon512 },
      });
    });
    return () => {
      isCurrent = false;
      disconnect?.();
    };
  }, [player, lazy, siteName, neutralArtwork, hasStarted]);
  // From the first press on, the player's code is loaded, so a lost connection does not matter.
  useEffect(() => afterFirstPress(() => lazy.use(() => {})), [lazy]);
  useEffect(() => {
    const onVisibility = () => (document.visibilityState === 'hidden' ? tab.pageHidden() : tab.pageShown());
    const stop = new AbortController();
    document.addEventListener('visibilitychange', onVisibility, stop);
    window.addEventListener('focus', tab.pageShown, stop);
    window.addEventListener('pagehide', () => tab.pageHidden(true), stop);
    return () => stop.abort();
  }, [tab]);
  // Registered after the player’s own leave handler, so that its last reports are still sent.
  useScreenViewed();

  const listening = useMemo(() => ({ tab, viewer }), [tab, viewer]);
  return (
    <ListeningContext value={listening}>
      {children}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the page of an audio has its transcript */}
      <audio ref={attach} preload="metadata" />
    </ListeningContext>
  );
}

/** True once an audio is loaded; before, the lock screen has nothing to show. */
function useHasStarted({ player, changes }: TabPlayer): boolean {
  const hasStarted = () => player.getSnapshot().status !== 'idle';
  return useSyncExternalStore(changes.subscribe, hasStarted, () => false);
}

function useListening() {
  const listening = use(ListeningContext);
  if (listening === undefined) throw new Error('The player needs a PlayerProvider around it');
  return listening;
}

export function useListener(): Viewer {
  return useListening().viewer;
}

/** The player’s commands, and what event handlers read of it. They stay the same for the life of the tab. */
export function usePlayerCommands(): TabPlayer['commands'] {
  return useListening().tab.commands;
}

/** Subscribes to one value of the player’s state. @param select returns a primitive or a stable object */
export function usePlayerState<Value>(select: (snapshot: PlayerSnapshot) => Value): Value {
  const { player, changes, firstSnapshot } = useListening().tab;
  return useSyncExternalStore(
    changes.subscribe,
    () => select(player.getSnapshot()),
    () => select(firstSnapshot),
  );
}

/** Volume, speed and connection; works like `usePlayerState`. */
export function useEngineState<Value>(select: (snapshot: EngineSnapshot) => Value): Value {
  const { player, changes } = useListening().tab;
  return useSyncExternalStore(
    changes.subscribeEngine,
    () => select(player.getEngineSnapshot()),
    () => select(idleEngineSnapshot),
  );
}

/** Playback state of one audio. Does not re-render on position changes. */
export function usePlayback(audioId: string): { isCurrent: boolean; status: PlaybackState; inProgress: boolean } {
  const { player, positionOf } = useListening().tab;
  return {
    isCurrent: usePlayerState((snapshot) => isCurrent(snapshot, audioId)),
    status: usePlayerState((snapshot) => stateOf(snapshot, audioId)),
    inProgress: useWhilePlaying(() => isInProgress(player, audioId, positionOf(audioId)), false),
  };
}

/** Whether the audio was heard to the end and is not playing again. */
export function useIsHeard(audioId: string): boolean {
  const { player, positionOf, isHeard } = useListening().tab;
  return useWhilePlaying(() => isHeard(audioId) && !isInProgress(player, audioId, positionOf(audioId)), false);
}

/** Heard part of an audio, 0 to 1. @param known saved second from the page’s data, for the first render */
export function useProgress(audio: { id: string; numberDuration: number }, known = 0): number {
  const { player, positionOf } = useListening().tab;
  return useWhilePlaying(
    () => progressOf(player, audio, positionOf(audio.id)),
    fractionOf(known, audio.numberDuration),
  );
}

/** Gives the player the positions in a page’s data, by audio id, before it has loaded the history itself. */
export function useSeedResumePositions(positions: Record<string, number>): void {
  const { seedResumePositions } = useListening().tab;
  useLayoutEffect(() => seedResumePositions(positions), [seedResumePositions, positions]);
}

/** The sleep timer; works like `usePlayerState`. */
export function useSleepTimer<Value>(select: (sleep: SleepSnapshot) => Value): Value {
  const { sleepTimer } = useListening().tab.player;
  return useSyncExternalStore(
    sleepTimer.subscribe,
    () => select(sleepTimer.getSnapshot()),
    () => select(sleepOff),
  );
}

/** Position in seconds. Re-renders four times a second: only for small components. */
export function usePosition(): number {
  const { player, firstPosition } = useListening().tab;
  return useWhilePlaying(player.getPosition, firstPosition);
}

export function useDuration(): number {
  const { player, firstSnapshot } = useListening().tab;
  return useWhilePlaying(player.getDuration, firstSnapshot.current?.numberDuration ?? 0);
}

/**
 * Subscribes to a value derived from the position, such as the current line; re-renders only when that value changes.
 */
export function useAtPosition<Value>(select: (seconds: number) => Value, atFirst: Value): Value {
  const { player } = useListening().tab;
  return useWhilePlaying(() => select(player.getPosition()), atFirst);
}

export function useListName(): string | undefined {
  const { getListName } = useListening().tab;
  return usePlayerState(getListName);
}

function useWhilePlaying<Value>(read: () => Value, atFirst: Value): Value {
  const { changes } = useListening().tab;
  const [subscribe] = useState(() => (changed: () => void) => {
    const stop = [changes.subscribe(changed), changes.subscribeEngine(changed), changes.subscribePosition(changed)];
    return () => callEach(stop);
  });
  return useSyncExternalStore(subscribe, read, () => atFirst);
}
