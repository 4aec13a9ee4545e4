import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { Viewer } from '#domain/identity/rules.ts';
import { connectMediaSession } from '#player/media-session.ts';
import { idleEngineSnapshot } from '#player/playback.ts';
import type { EngineSnapshot } from '#player/playback.ts';
import type { Notice } from '#player/notices.ts';
import type { PlayerSnapshot } from '#player/player-snapshot.ts';
import type { SleepSnapshot } from '#player/sleep-timer.ts';
import { fractionOf } from '#player/progress.ts';
import type { Track } from '#player/track.ts';
import icon512 from '#web/art/icon-512.png';
import { useScreenViewed } from '#web/insight/use-screen-viewed.ts';
import { useSubscribePrompt } from '#web/shell/subscribe-prompt.tsx';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { arrivalOf } from './arrival.ts';
import { noticeText } from './notice-text.ts';
import { isCurrent, isInProgress, progressOf, stateOf } from './playback.ts';
import type { PlaybackState } from './playback.ts';
import { openTabPlayer } from './tab-player.ts';
import type { TabPlayer } from './tab-player.ts';

const ListeningContext = createContext<{ tab: TabPlayer; viewer: Viewer } | undefined>(undefined);

type PlayerProviderProps = {
  viewer: Viewer;
  /** Stands in the player where nothing else does. */
  preview: Audio | null;
  siteName: string;
  discreet: boolean;
  children: ReactNode;
};

/** Holds the tab's one player and its one `<audio>`, which live on across every change of page. */
export function PlayerProvider({ viewer, preview, siteName, discreet, children }: PlayerProviderProps) {
  const [tab] = useState(() => openTabPlayer({ viewer, preview, discreet }));
  const { player, attach } = tab;
  const location = useLocation();
  const askToSignIn = useSignInPrompt();
  const askToSubscribe = useSubscribePrompt();
  const showToast = useToast();
  const onLocked = useEffectEvent((track: Track, again: () => void) => {
    if (viewer.kind === 'user' && viewer.isComplete) askToSubscribe({ name: track.title, act: again });
    else askToSignIn({ to: `hear “${track.title}”`, imageUrl: track.imageUrl, act: again });
  });

  const onNotice = useEffectEvent((notice: Notice) => showToast({ text: noticeText(notice) }));

  useEffect(() => player.onNotice((notice) => onNotice(notice)), [player]);
  useEffect(() => tab.setViewer(viewer), [tab, viewer]);
  useEffect(() => tab.setPreview(preview), [tab, preview]);
  useEffect(() => player.setDiscreet(discreet), [player, discreet]);
  useEffect(() => tab.setArrival(arrivalOf(location)), [tab, location]);
  useEffect(() => player.onLocked((track, again) => onLocked(track, again)), [player]);
  useEffect(
    () =>
      connectMediaSession(player, {
        artworkUrl: ({ imageUrl }) => (imageUrl === null ? icon512 : `${imageUrl}?width=512&height=512&format=jpeg`),
        neutral: { title: siteName, artworkUrl: icon512 },
      }),
    [player, siteName],
  );
  useEffect(() => {
    const onVisibility = () => (document.visibilityState === 'hidden' ? tab.leave() : tab.comeBack());
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('focus', tab.comeBack);
    window.addEventListener('pagehide', tab.leave);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('focus', tab.comeBack);
      window.removeEventListener('pagehide', tab.leave);
    };
  }, [tab]);
  // After the player's own farewell, so that what it reports on leaving is still sent.
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

function useListening() {
  const listening = use(ListeningContext);
  if (listening === undefined) throw new Error('The player needs a PlayerProvider around it');
  return listening;
}

export function useListener(): Viewer {
  return useListening().viewer;
}

/** The same functions for as long as the tab is open. */
export function usePlayerCommands(): TabPlayer['commands'] {
  return useListening().tab.commands;
}

/** One thing of the player's state; draws anew only when that has changed. @param select answers a value, not a new object */
export function usePlayerState<Value>(select: (snapshot: PlayerSnapshot) => Value): Value {
  const { player, firstSnapshot } = useListening().tab;
  return useSyncExternalStore(
    player.subscribe,
    () => select(player.getSnapshot()),
    () => select(firstSnapshot),
  );
}

/** Volume, speed, connection; as `usePlayerState`. */
export function useEngineState<Value>(select: (snapshot: EngineSnapshot) => Value): Value {
  const { player } = useListening().tab;
  return useSyncExternalStore(
    player.subscribeEngine,
    () => select(player.getEngineSnapshot()),
    () => select(idleEngineSnapshot),
  );
}

/** How one audio stands. Does not draw anew while the sound goes on. */
export function usePlayback(audioId: string): { isCurrent: boolean; status: PlaybackState; inProgress: boolean } {
  const { player, placeOf } = useListening().tab;
  return {
    isCurrent: usePlayerState((snapshot) => isCurrent(snapshot, audioId)),
    status: usePlayerState((snapshot) => stateOf(snapshot, audioId)),
    inProgress: useWhilePlaying(() => isInProgress(player, audioId, placeOf(audioId)), false),
  };
}

/** Heard part of an audio, 0 to 1. @param known the second that the page itself knows, for the first picture */
export function useProgress(audio: { id: string; numberDuration: number }, known = 0): number {
  const { player, placeOf } = useListening().tab;
  return useWhilePlaying(() => progressOf(player, audio, placeOf(audio.id)), fractionOf(known, audio.numberDuration));
}

/** Tells the player the seconds that a page came with, by audio id, ahead of the history that it loads by itself. */
export function useSeedPlaces(places: Record<string, number>): void {
  const { seedPlaces } = useListening().tab;
  useLayoutEffect(() => seedPlaces(places), [seedPlaces, places]);
}

/** As the catalogue has it, where this page has met it already. */
export function useKnownAudio(audioId: string): Audio | undefined {
  return useListening().tab.knownAudio(audioId);
}

/** Sends what was listened to, for when the session is about to end. */
export function useSayGoodbye(): TabPlayer['sayGoodbye'] {
  return useListening().tab.sayGoodbye;
}

/** Takes places out of the player, as out of the listener's history; all of them without an id. */
export function useForgetPlaces(): (audioId?: string) => void {
  return useListening().tab.forgetPlaces;
}

const noSleep: SleepSnapshot = { setting: null, remainingSeconds: null, remainingAudios: null };

/** The sleep timer; as `usePlayerState`. */
export function useSleepTimer<Value>(select: (sleep: SleepSnapshot) => Value): Value {
  const { sleepTimer } = useListening().tab.player;
  return useSyncExternalStore(
    sleepTimer.subscribe,
    () => select(sleepTimer.getSnapshot()),
    () => select(noSleep),
  );
}

/** Seconds; draws anew four times a second. For few and small parts. */
export function usePosition(): number {
  const { player } = useListening().tab;
  return useWhilePlaying(player.getPosition, 0);
}

/** For what is done at a press: the seconds at that moment. */
export function useReadPosition(): () => number {
  return useListening().tab.player.getPosition;
}

/** Seconds. */
export function useDuration(): number {
  const { player, firstSnapshot } = useListening().tab;
  return useWhilePlaying(player.getDuration, firstSnapshot.current?.numberDuration ?? 0);
}

/** One thing that follows from the position, such as the line that is read; draws anew only when that has changed. */
export function useAtPosition<Value>(select: (seconds: number) => Value, atFirst: Value): Value {
  const { player } = useListening().tab;
  return useWhilePlaying(() => select(player.getPosition()), atFirst);
}

/** What the list that plays is called, where it has a name. */
export function useListName(): string | undefined {
  const { getListName } = useListening().tab;
  return usePlayerState(getListName);
}

function useWhilePlaying<Value>(read: () => Value, atFirst: Value): Value {
  const { player } = useListening().tab;
  const [subscribe] = useState(() => (changed: () => void) => {
    const stop = [player.subscribe(changed), player.subscribeEngine(changed), player.subscribePosition(changed)];
    return () => stop.forEach((end) => end());
  });
  return useSyncExternalStore(subscribe, read, () => atFirst);
}
