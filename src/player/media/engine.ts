import { type Clock, browserClock } from '../clock.ts';
import type { FailureCode } from '../recovery/failure.ts';
import { createListeners, sameFields } from '../listeners.ts';
import {
  bufferedFrom,
  canSeekTo,
  HAVE_FUTURE_DATA,
  HAVE_METADATA,
  MEDIA_ABORTED,
  MEDIA_DECODE,
  type MediaElementLike,
} from './media-element.ts';
import { type Lazy, createOnce } from '../lazy.ts';
import type { createRecovery, RecoveryOptions } from '../recovery/recovery.ts';
import { type EngineSnapshot, type PlaybackStatus, idleEngineSnapshot } from '../playback.ts';
import { type Network, browserNetwork } from '../network.ts';
import { createVolumeProbe } from './volume-probe.ts';

/** Tolerance for elements that round the volume. */
const VOLUME_PRECISION = 0.001;

export type EngineOptions = RecoveryOptions & {
  /** Loaded when the first file loads. */
  parts: Lazy<{ createRecovery: typeof createRecovery }>;
  clock?: Clock;
  network?: Network;
};

export type Engine = ReturnType<typeof createEngine>;

/** Wraps one media element. The element is the source of truth: the store repeats its events. */
export function createEngine(options: EngineOptions) {
  const { parts, clock = browserClock, network = browserNetwork, ...recoveryOptions } = options;
  const changes = createListeners();
  const positionChanges = createListeners();
  const ends = createListeners();
  const probe = createVolumeProbe(clock);
  /** Created when a file first loads. */
  const recovery = createOnce(parts, ({ createRecovery: create }) =>
    create({
      ...recoveryOptions,
      clock,
      network,
      setUrl: (file) => (src = file),
      file: () => src,
      position: () => position,
      reload,
      fail,
      wantsPlay: () => wantsPlay,
      retry,
      onReconnecting: (reconnecting) => publish({ reconnecting }),
    }),
  );
  let media: MediaElementLike | null = null;
  let src: string | null = null;
  let wantsPlay = false;
  let hasPlayed = false;
  let position = 0;
  let buffered = 0;
  let seekTarget: number | null = null;
  // The element does not know yet whether it can seek to `seekTarget`.
  let isSeekPending = false;
  let fade = 1;
  // Set while the element switches files; its events are ignored meanwhile.
  let isChanging = false;
  // The element has an error and cannot play until its file is set again.
  let isBroken = false;
  // Increments with every load, so that late answers for an earlier file are ignored.
  let generation = 0;
  // Current state; `snapshot` holds the last published one.
  const state: Writable<Omit<EngineSnapshot, 'status'>> = { ...idleEngineSnapshot };
  let snapshot = idleEngineSnapshot;

  function statusNow(): PlaybackStatus {
    if (state.failure) return 'failed';
    if (src === null) return 'idle';
    const pendingStatus = hasPlayed ? 'waiting' : 'loading';
    if (!media || isChanging || isBroken) return wantsPlay ? pendingStatus : 'paused';
    if (media.ended) return 'ended';
    if (media.paused) return 'paused';
    return media.readyState >= HAVE_FUTURE_DATA ? 'playing' : pendingStatus;
  }

  const audible = (volume: number) => volume * fade;

  function publish(changed: Partial<typeof state> = {}) {
    Object.assign(state, changed);
    const now = { ...state, status: statusNow() };
    const hasChanged = !sameFields(snapshot, now);
    if (hasChanged) snapshot = now;
    recovery.ready()?.watch(now.status, media !== null && !isBroken);
    if (hasChanged) changes.emit();
  }

  function publishPosition(seconds: number) {
    const end = media ? bufferedFrom(media, seconds) : 0;
    if (seconds === position && end === buffered) return;
    position = seconds;
    buffered = end;
    positionChanges.emit();
  }

  /** Sets the element's file; seeks to `seekTarget` as soon as the metadata is loaded. */
  function loadElement(element: MediaElementLike, file: string) {
    isChanging = true;
    // The HTML standard resets the rate to the default rate on load.
    element.defaultPlaybackRate = state.rate;
    element.src = file;
    if (wantsPlay) start(element);
    isChanging = false;
    publish();
  }

  function start(element: MediaElementLike) {
    const started = generation;
    element.play().catch((error: unknown) => {
      if (started !== generation || element !== media) return;
      // Any other rejection comes from a pause or load in between, or also fires an `error` event.
      if (!(error instanceof Error) || error.name !== 'NotAllowedError') return;
      wantsPlay = false;
      publish({ blocked: true });
    });
  }

  function reload() {
    seekTarget = position;
    isBroken = false;
    if (media && src !== null) loadElement(media, src);
  }

  function fail(failure: FailureCode) {
    wantsPlay = false;
    isBroken = false;
    publish({ failure, reconnecting: false });
  }

  /** Without byte ranges the element would seek to the wrong place, so it stays silent until the whole file is loaded. */
  function seekElement(element: MediaElementLike, seconds: number) {
    // A whole file (`blob:`) needs no byte ranges.
    const canSeek = canSeekTo(element, seconds) || src?.startsWith('blob:');
    // Safari may learn its seekable range only with the first sound.
    isSeekPending = !canSeek && element.readyState < HAVE_FUTURE_DATA;
    if (isSeekPending) return;
    if (canSeek) {
      element.currentTime = seconds;
      return;
    }
    isBroken = true;
    publish();
    recovery.use(({ loadWhole }) => loadWhole(element));
  }

  function recovered() {
    isBroken = false;
    recovery.ready()?.playbackResumed();
  }

  function onError(mediaErrorCode: number) {
    if (mediaErrorCode === MEDIA_DECODE) {
      recovery.ready()?.clear();
      return fail('decode');
    }
    isBroken = true;
    // Until the diagnosis is loaded, assume a lost connection.
    publish(parts.ready() ? {} : { reconnecting: true });
    const failed = generation;
    recovery.use(({ diagnose }) => {
      if (isBroken && failed === generation) void diagnose(mediaErrorCode);
    });
  }

  function listenTo(element: MediaElementLike): () => void {
    const handlers: Record<string, () => void> = {
      play() {
        wantsPlay = true;
        publish({ blocked: false });
      },
      playing() {
        hasPlayed = true;
        publish({ blocked: false });
        recovered();
      },
      pause() {
        // Browsers also fire `pause` before `ended` and after `error`, without a user action.
        if (element.ended || element.error) return;
        if (element.paused) wantsPlay = false;
        publish();
      },
      waiting: () => publish(),
      emptied: () => publish({ duration: null }),
      durationchange: () => publish({ duration: Number.isFinite(element.duration) ? element.duration : null }),
      loadedmetadata() {
        recovered();
        if (seekTarget !== null) seekElement(element, seekTarget);
      },
      canplay() {
        recovered();
        if (isSeekPending && seekTarget !== null) seekElement(element, seekTarget);
      },
      ratechange: () => publish({ rate: element.playbackRate }),
      volumechange() {
        if (probe.isRunning()) return;
        const isOurs = Math.abs(element.volume - audible(state.volume)) < VOLUME_PRECISION;
        publish({ volume: isOurs ? state.volume : element.volume, muted: element.muted });
      },
      seeking: () => publish(),
      seeked() {
        // A newer seek is running, so this event is outdated.
        if (element.seeking) return;
        seekTarget = null;
        publishPosition(element.currentTime);
        publish();
      },
      timeupdate() {
        if (seekTarget !== null || element.readyState < HAVE_METADATA) return;
        publishPosition(element.currentTime);
        recovery.ready()?.progressed();
      },
      progress() {
        recovery.ready()?.dataReceived();
        publishPosition(position);
      },
      ended() {
        wantsPlay = false;
        publishPosition(element.currentTime);
        // Emit first, so that the ended state is never published when another audio follows at once.
        ends.emit();
        publish();
      },
      error() {
        const code = element.error?.code ?? MEDIA_ABORTED;
        if (src !== null && code !== MEDIA_ABORTED) onError(code);
      },
    };
    for (const [type, handler] of Object.entries(handlers)) element.addEventListener(type, handler);
    return () => {
      for (const [type, handler] of Object.entries(handlers)) element.removeEventListener(type, handler);
    };
  }

  /** Stops all work for the previous file, and publishes the new state before the element gets the new file. */
  function changeFile(file: string | null, startAt: number, autoplay: boolean) {
    generation += 1;
    recovery.ready()?.clear();
    recovery.ready()?.endWatch();
    isChanging = true;
    isBroken = false;
    hasPlayed = false;
    src = file;
    wantsPlay = autoplay;
    seekTarget = startAt > 0 ? startAt : null;
    if (file === null) recovery.ready()?.stop();
    publish({ failure: null, blocked: false, reconnecting: recovery.ready()?.isLost() ?? false, duration: null });
    publishPosition(startAt);
    if (media && file !== null) loadElement(media, file);
    isChanging = false;
    publishPosition(startAt);
    publish();
    // Published again, so that a stall that began before the code was loaded is watched too.
    if (file !== null && !recovery.ready()) recovery.use(() => publish());
  }

  function retry() {
    if (state.failure) changeFile(src, position, true);
  }

  return {
    /** The returned function detaches the element. Fits `<audio ref={engine.attach}>` in React 19. */
    attach(element: MediaElementLike): () => void {
      media = element;
      const stopListening = listenTo(element);
      probe.run(element, {
        volume: () => audible(state.volume),
        done: (canSetVolume) => publish({ canSetVolume, volume: canSetVolume ? state.volume : element.volume }),
      });
      element.muted = state.muted;
      seekTarget = position > 0 ? position : null;
      if (src !== null && !state.failure) loadElement(element, src);
      return () => {
        stopListening();
        probe.cancel();
        generation += 1;
        recovery.ready()?.clear();
        recovery.ready()?.stop();
        element.pause();
        media = null;
        wantsPlay = false;
        isBroken = false;
        publish({ reconnecting: false });
      };
    },
    /** `startAt` in seconds. */
    load(source: string, { startAt = 0, autoplay = false }: { startAt?: number; autoplay?: boolean } = {}) {
      changeFile(source, startAt, autoplay);
    },
    unload() {
      changeFile(null, 0, false);
      media?.pause();
      media?.removeAttribute('src');
      media?.load();
    },
    /** Tries a failed file again at the same second. */
    play() {
      if (src === null) return;
      if (state.failure) return retry();
      wantsPlay = true;
      if (media && !isBroken) start(media);
      publish({ blocked: false });
    },
    pause() {
      wantsPlay = false;
      recovery.ready()?.stopAutoRetry();
      media?.pause();
      publish();
    },
    seek(seconds: number) {
      if (src === null) return;
      const target = Math.min(Math.max(seconds, 0), state.duration ?? Number.POSITIVE_INFINITY);
      seekTarget = target;
      if (media && !isBroken && !state.failure && media.readyState >= HAVE_METADATA) seekElement(media, target);
      publishPosition(target);
    },
    setVolume(volume: number) {
      const clamped = Math.min(Math.max(volume, 0), 1);
      if (media && !state.canSetVolume) return;
      // Set before the element fires `volumechange`.
      state.volume = clamped;
      if (media && !probe.isRunning()) media.volume = audible(clamped);
      publish();
    },
    /** Audible fraction of the volume, 0 to 1; the published volume does not change. No effect where it cannot be set. */
    setFade(part: number) {
      if (part === fade) return;
      fade = part;
      if (media && state.canSetVolume && !probe.isRunning()) media.volume = audible(state.volume);
    },
    setMuted(muted: boolean) {
      if (media) media.muted = muted;
      publish({ muted });
    },
    /** 0.5 to 2. */
    setRate(rate: number) {
      const clamped = Math.min(Math.max(rate, 0.5), 2);
      if (media) {
        media.defaultPlaybackRate = clamped;
        media.playbackRate = clamped;
      }
      publish({ rate: clamped });
    },
    subscribe: changes.subscribe,
    getSnapshot: () => snapshot,
    subscribePosition: positionChanges.subscribe,
    /** Seconds; the target while a seek is running. */
    getPosition: () => position,
    /** End of the buffered range around the position, in seconds. */
    getBuffered: () => buffered,
    /** Within the element's own event, so that the next audio needs no timer and no new click; published after it. */
    onEnded: ends.subscribe,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
