import { browserClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { FailureCode, FetchLike } from './failure.ts';
import { createListeners, sameFields } from './listeners.ts';
import { bufferedFrom, HAVE_FUTURE_DATA, HAVE_METADATA, MEDIA_ABORTED, MEDIA_DECODE } from './media-element.ts';
import type { MediaElementLike } from './media-element.ts';
import { createMending } from './mending.ts';
import { idleEngineSnapshot } from './playback.ts';
import type { Engine, EngineSnapshot, PlaybackStatus } from './playback.ts';
import { browserNetwork } from './recovery.ts';
import type { Network } from './recovery.ts';
import { createVolumeProbe } from './volume-probe.ts';

/** A volume is known again from an element that may round it. */
const VOLUME_PRECISION = 0.001;

export type EngineOptions = {
  clock?: Clock;
  network?: Network;
  fetch?: FetchLike;
  /**
   * Renews what the file route wants to see (the session's cookie), when it refused a file. True when it is worth asking
   * again. Rejects, or takes more than ten seconds: as false.
   */
  refreshAccess?: () => Promise<boolean>;
};

/** Wraps one media element. The element is the truth: the store repeats what its events say. */
export function createEngine(options: EngineOptions = {}): Engine {
  const { clock = browserClock, network = browserNetwork, refreshAccess } = options;
  const fetchFile: FetchLike = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const changes = createListeners();
  const positionChanges = createListeners();
  const ends = createListeners();
  const probe = createVolumeProbe(clock);
  const mending = createMending({
    clock,
    network,
    fetch: fetchFile,
    refreshAccess,
    file: () => src,
    position: () => position,
    buffered: () => buffered,
    reload,
    fail,
    retry,
    onReconnecting: (reconnecting) => publish({ reconnecting }),
  });

  let media: MediaElementLike | null = null;
  let src: string | null = null;
  let wantsPlay = false;
  let hasSounded = false;
  let position = 0;
  let buffered = 0;
  let seekTarget: number | null = null;
  let fade = 1;
  // While the element is given another file, it speaks of neither.
  let isChanging = false;
  // The element has an error and plays no more until it gets its file again.
  let isBroken = false;
  // Grows with every load, so that an answer that comes late is known to be about another file.
  let generation = 0;
  // What is so already; `snapshot` is what was told last.
  const state: Writable<Omit<EngineSnapshot, 'status'>> = { ...idleEngineSnapshot };
  let snapshot = idleEngineSnapshot;

  function statusNow(): PlaybackStatus {
    if (state.failure) return 'failed';
    if (src === null) return 'idle';
    const beforeSound = hasSounded ? 'waiting' : 'loading';
    if (!media || isChanging || isBroken) return wantsPlay ? beforeSound : 'paused';
    if (media.ended) return 'ended';
    if (media.paused) return 'paused';
    return media.readyState >= HAVE_FUTURE_DATA ? 'playing' : beforeSound;
  }

  const audible = (volume: number) => volume * fade;

  function publish(changed: Partial<typeof state> = {}) {
    Object.assign(state, changed);
    const now = { ...state, status: statusNow() };
    const isNews = !sameFields(snapshot, now);
    if (isNews) snapshot = now;
    const isWaiting = now.status === 'waiting' || now.status === 'loading';
    mending.watch(isWaiting && media !== null && !isBroken);
    if (isNews) changes.emit();
  }

  function publishPosition(seconds: number) {
    const end = media ? bufferedFrom(media, seconds) : 0;
    if (seconds === position && end === buffered) return;
    position = seconds;
    buffered = end;
    positionChanges.emit();
  }

  /** Gives the element its file; `seekTarget` is sought as soon as the metadata is there. */
  function begin(element: MediaElementLike, file: string) {
    isChanging = true;
    // The standard has a new file start at the default rate.
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
      // Anything else is a pause or a load that came in between, or comes as an `error` event as well.
      if (!(error instanceof Error) || error.name !== 'NotAllowedError') return;
      wantsPlay = false;
      publish({ blocked: true });
    });
  }

  function reload() {
    seekTarget = position;
    isBroken = false;
    if (media && src !== null) begin(media, src);
  }

  function fail(failure: FailureCode) {
    wantsPlay = false;
    isBroken = false;
    publish({ failure, reconnecting: false });
  }

  function mended() {
    isBroken = false;
    mending.mended();
  }

  function onError(mediaErrorCode: number) {
    if (mediaErrorCode === MEDIA_DECODE) {
      mending.forget();
      return fail('decode');
    }
    isBroken = true;
    publish();
    void mending.diagnose(mediaErrorCode);
  }

  function listenTo(element: MediaElementLike): () => void {
    const handlers: Record<string, () => void> = {
      play() {
        wantsPlay = true;
        publish({ blocked: false });
      },
      playing() {
        hasSounded = true;
        publish({ blocked: false });
        mended();
      },
      pause() {
        // Before `ended` and after `error` comes a `pause`, which nobody pressed.
        if (element.ended || element.error) return;
        if (element.paused) wantsPlay = false;
        publish();
      },
      waiting: () => publish(),
      emptied: () => publish({ duration: null }),
      durationchange: () => publish({ duration: Number.isFinite(element.duration) ? element.duration : null }),
      loadedmetadata() {
        if (seekTarget !== null) element.currentTime = seekTarget;
        mended();
      },
      canplay: mended,
      ratechange: () => publish({ rate: element.playbackRate }),
      volumechange() {
        if (probe.isRunning()) return;
        const isOurs = Math.abs(element.volume - audible(state.volume)) < VOLUME_PRECISION;
        publish({ volume: isOurs ? state.volume : element.volume, muted: element.muted });
      },
      seeking: () => publish(),
      seeked() {
        // A newer seek is under way: this one is of no interest any more.
        if (element.seeking) return;
        seekTarget = null;
        publishPosition(element.currentTime);
        publish();
      },
      timeupdate() {
        if (seekTarget !== null || element.readyState < HAVE_METADATA) return;
        publishPosition(element.currentTime);
        mending.heard();
      },
      progress: () => publishPosition(position),
      ended() {
        wantsPlay = false;
        publishPosition(element.currentTime);
        // First, so that nobody is told of an end when another audio follows at once.
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

  /** Ends all that is under way for the file so far, and tells of the new one before the element gets it. */
  function changeFile(file: string | null, startAt: number, autoplay: boolean) {
    generation += 1;
    mending.forget();
    mending.endWatch();
    isChanging = true;
    isBroken = false;
    hasSounded = false;
    src = file;
    wantsPlay = autoplay;
    seekTarget = startAt > 0 ? startAt : null;
    publish({ failure: null, blocked: false, reconnecting: false, duration: null });
    publishPosition(startAt);
    if (media && file !== null) begin(media, file);
    isChanging = false;
    publishPosition(startAt);
    publish();
  }

  function retry() {
    if (state.failure) changeFile(src, position, true);
  }

  return {
    attach(element) {
      media = element;
      const stopListening = listenTo(element);
      probe.run(element, {
        volume: () => audible(state.volume),
        done: (canSetVolume) => publish({ canSetVolume, volume: canSetVolume ? state.volume : element.volume }),
      });
      element.muted = state.muted;
      seekTarget = position > 0 ? position : null;
      if (src !== null && !state.failure) begin(element, src);
      return () => {
        stopListening();
        probe.cancel();
        generation += 1;
        mending.forget();
        element.pause();
        media = null;
        wantsPlay = false;
        isBroken = false;
        publish({ reconnecting: false });
      };
    },
    load(source, { startAt = 0, autoplay = false } = {}) {
      changeFile(source, startAt, autoplay);
    },
    unload() {
      changeFile(null, 0, false);
      media?.pause();
      media?.removeAttribute('src');
      media?.load();
    },
    play() {
      if (src === null) return;
      if (state.failure) return retry();
      wantsPlay = true;
      if (media && !isBroken) start(media);
      publish({ blocked: false });
    },
    pause() {
      wantsPlay = false;
      media?.pause();
      publish();
    },
    seek(seconds) {
      if (src === null) return;
      const target = Math.min(Math.max(seconds, 0), state.duration ?? Number.POSITIVE_INFINITY);
      seekTarget = target;
      if (media && !isBroken && !state.failure && media.readyState >= HAVE_METADATA) media.currentTime = target;
      publishPosition(target);
    },
    retry,
    setVolume(volume) {
      const wanted = Math.min(Math.max(volume, 0), 1);
      if (media && !state.canSetVolume) return;
      // Before the element tells of it.
      state.volume = wanted;
      if (media && !probe.isRunning()) media.volume = audible(wanted);
      publish();
    },
    setFade(part) {
      if (part === fade) return;
      fade = part;
      if (media && state.canSetVolume && !probe.isRunning()) media.volume = audible(state.volume);
    },
    setMuted(muted) {
      if (media) media.muted = muted;
      publish({ muted });
    },
    setRate(rate) {
      const wanted = Math.min(Math.max(rate, 0.5), 2);
      if (media) {
        media.defaultPlaybackRate = wanted;
        media.playbackRate = wanted;
      }
      publish({ rate: wanted });
    },
    subscribe: changes.subscribe,
    getSnapshot: () => snapshot,
    subscribePosition: positionChanges.subscribe,
    getPosition: () => position,
    getBuffered: () => buffered,
    onEnded: ends.subscribe,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
