import {
  HAVE_FUTURE_DATA,
  HAVE_METADATA,
  MEDIA_NOT_SUPPORTED,
  type MediaElementLike,
} from '#player/media/media-element.ts';

const HAVE_NOTHING = 0;
const HAVE_CURRENT_DATA = 2;
const HAVE_ENOUGH_DATA = 4;

/**
 * Fake `<audio>` element for tests without a browser. It follows the HTML standard's rules for media elements; the test
 * simulates network and time with the methods under "Simulated events".
 */
export class FakeMedia extends EventTarget implements MediaElementLike {
  duration = Number.NaN;
  paused = true;
  ended = false;
  seeking = false;
  readyState = HAVE_NOTHING;
  error: { readonly code: number } | null = null;
  defaultPlaybackRate = 1;
  /** Tests set it to have the next `play()` rejected, as browsers do without a click. */
  refusesPlay = false;
  /** iOS: writing the volume has no effect, or is undone when the task ends. */
  volumeLock: 'none' | 'at once' | 'after the task' = 'none';
  /** Every file that was set, in order. */
  readonly files: string[] = [];
  /** Every seek target in seconds, in order. */
  readonly seeks: number[] = [];

  #source = '';
  #time = 0;
  #volume = 1;
  #muted = false;
  #rate = 1;
  #bufferedEnd = 0;
  #pending: PromiseWithResolvers<void>[] = [];

  get src() {
    return this.#source;
  }
  set src(file: string) {
    this.#source = file;
    this.files.push(file);
    this.load();
  }

  get currentTime() {
    return this.#time;
  }
  set currentTime(seconds: number) {
    this.seeks.push(seconds);
    this.#time = seconds;
    this.ended = false;
    this.seeking = true;
    this.#emit('seeking');
  }

  get volume() {
    return this.#volume;
  }
  set volume(volume: number) {
    if (this.volumeLock === 'at once') return;
    this.#volume = volume;
    this.#emit('volumechange');
  }

  get muted() {
    return this.#muted;
  }
  set muted(muted: boolean) {
    this.#muted = muted;
    this.#emit('volumechange');
  }

  get playbackRate() {
    return this.#rate;
  }
  set playbackRate(rate: number) {
    this.#rate = rate;
    this.#emit('ratechange');
  }

  /** Undefined: the whole file, as with byte ranges. */
  seekableEnd: number | undefined;
  get seekable() {
    return { length: 1, start: () => 0, end: () => this.seekableEnd ?? this.duration };
  }

  get buffered() {
    const end = this.#bufferedEnd;
    return { length: end > 0 ? 1 : 0, start: () => 0, end: () => end };
  }

  async play(): Promise<void> {
    if (this.refusesPlay) throw new DOMException('play() needs a click', 'NotAllowedError');
    if (this.ended) this.currentTime = 0;
    const started = Promise.withResolvers<void>();
    this.#pending.push(started);
    if (this.paused) {
      this.paused = false;
      this.#emit('play');
      if (this.readyState < HAVE_FUTURE_DATA) this.#emit('waiting');
    }
    if (this.readyState >= HAVE_FUTURE_DATA) this.#startSounding();
    return started.promise;
  }

  pause() {
    if (this.paused) return;
    this.paused = true;
    this.#interruptPlay();
    this.#emit('pause');
  }

  load() {
    this.paused = true;
    this.ended = false;
    this.seeking = false;
    this.readyState = HAVE_NOTHING;
    this.error = null;
    this.duration = Number.NaN;
    this.#time = 0;
    this.#bufferedEnd = 0;
    this.#rate = this.defaultPlaybackRate;
    this.#interruptPlay();
    this.#emit('emptied');
  }

  removeAttribute(name: string) {
    if (name === 'src') this.#source = '';
  }

  // Simulated events.

  receiveMetadata(duration: number) {
    this.duration = duration;
    this.readyState = HAVE_METADATA;
    this.#emit('durationchange');
    this.#emit('loadedmetadata');
  }

  /** Enough data to play; a running seek completes. */
  receiveData(bufferedEnd = this.duration) {
    this.readyState = HAVE_ENOUGH_DATA;
    this.#bufferedEnd = bufferedEnd;
    this.#emit('progress');
    if (this.seeking) this.finishSeek();
    this.#emit('canplay');
    if (!this.paused) this.#startSounding();
  }

  /** Some data, but not enough to play. */
  receiveSome(bufferedEnd: number) {
    this.#bufferedEnd = bufferedEnd;
    this.#emit('progress');
  }

  receiveFile(duration: number) {
    this.receiveMetadata(duration);
    this.receiveData();
  }

  finishSeek() {
    this.seeking = false;
    this.#emit('timeupdate');
    this.#emit('seeked');
  }

  /** Playback advances by this many seconds of audio. */
  advance(seconds: number) {
    this.#time += seconds;
    this.#emit('timeupdate');
  }

  /** A late `timeupdate` with an older position. */
  emitStalePosition(seconds: number) {
    const time = this.#time;
    this.#time = seconds;
    this.#emit('timeupdate');
    this.#time = time;
  }

  /** A late `seeked` of a seek that a newer one replaced. */
  emitStaleSeeked() {
    this.#emit('seeked');
  }

  stall() {
    this.readyState = HAVE_CURRENT_DATA;
    this.#emit('waiting');
  }

  /** Simulates a phone call or unplugged headphones. */
  interrupt() {
    this.pause();
  }

  reachEnd() {
    this.#time = this.duration;
    this.ended = true;
    this.#emit('timeupdate');
    this.paused = true;
    this.#emit('pause');
    this.#emit('ended');
  }

  /** MEDIA_ERR_SRC_NOT_SUPPORTED (4) also pauses the element, after the error. */
  fail(code: number) {
    const pauses = code === MEDIA_NOT_SUPPORTED && !this.paused;
    this.error = { code };
    if (pauses) this.paused = true;
    this.#emit('error');
    if (!pauses) return;
    for (const started of this.#pending.splice(0)) started.reject(new DOMException('no source', 'NotSupportedError'));
    this.#emit('pause');
  }

  endTask() {
    if (this.volumeLock === 'after the task') this.#volume = 1;
  }

  #startSounding() {
    for (const started of this.#pending.splice(0)) started.resolve();
    this.#emit('playing');
  }

  #interruptPlay() {
    for (const started of this.#pending.splice(0)) started.reject(new DOMException('interrupted', 'AbortError'));
  }

  #emit(type: string) {
    this.dispatchEvent(new Event(type));
  }
}
