/**
 * The player of a frame on another site, inline in its page (http/embed/frame-page.ts) and without React. It keeps
 * nothing on the device, and loads nothing before Play. Built by build.ts.
 */
import { formatTime } from '#formats/durations.ts';
import { heightsOf, strokes } from '#web/ui/images/waveform-path.ts';
import { countPlay } from './count-play.ts';
import './embed.css';
import type { EmbedData, EmbedPart } from './embed-data.ts';

const bars = 80;
const barsHeight = 40;
/** Seconds of an arrow key. */
const step = 5;

/** @param name of the element's `data-embed` */
function find<Found extends Element>(name: string): Found {
  const found = document.querySelector<Found>(`[data-embed="${name}"]`);
  if (found === null) throw new Error(`The page has no ${name}`);
  return found;
}

function openPlayer({ parts, texts }: EmbedData): void {
  const button = find<HTMLButtonElement>('play');
  const slider = find<HTMLInputElement>('position');
  const wave = find<HTMLElement>('wave');
  const time = find('time');
  const note = find('note');
  const heading = find('title');
  const choices = [...document.querySelectorAll<HTMLButtonElement>('[data-part]')];
  const sound = new Audio();
  sound.preload = 'none';
  let current = 0;
  /** Part whose sound the element has. */
  let loaded: number | undefined;
  /** Counts once each time that a part is loaded. */
  let isCounted = false;
  /** Seconds; chosen before the sound is loaded. */
  let startAt = 0;

  const part = () => parts[current] as EmbedPart;
  const duration = () => (loaded === current && Number.isFinite(sound.duration) ? sound.duration : part().seconds);

  function showPlace(seconds: number): void {
    const whole = duration();
    const [position, length] = [formatTime(seconds), formatTime(whole)];
    time.textContent = `${position} / ${length}`;
    slider.max = String(Math.max(1, Math.floor(whole)));
    slider.value = String(Math.floor(seconds));
    slider.setAttribute('aria-valuetext', texts.place.replace('{position}', position).replace('{duration}', length));
    wave.style.setProperty('--played', `${whole > 0 ? Math.min(100, (100 * seconds) / whole) : 0}%`);
  }

  function showState(): void {
    const isPlaying = !sound.paused;
    button.dataset['state'] = isPlaying ? 'playing' : 'paused';
    button.setAttribute('aria-label', isPlaying ? texts.pause : texts.play);
  }

  function choose(index: number): void {
    current = index;
    startAt = 0;
    note.textContent = '';
    const { title, bars: measured } = part();
    if (choices.length > 0) heading.textContent = title;
    const path = strokes(measured === null ? undefined : heightsOf(measured, bars), 0, bars, barsHeight);
    for (const line of wave.querySelectorAll('path')) line.setAttribute('d', path);
    for (const [place, choice] of choices.entries())
      choice.setAttribute('aria-current', place === index ? 'true' : 'false');
    showPlace(0);
  }

  function load(): void {
    loaded = current;
    isCounted = false;
    sound.src = part().src;
    // Before the file is known, this is where it begins.
    if (startAt > 0) sound.currentTime = startAt;
    if ('mediaSession' in navigator)
      navigator.mediaSession.metadata = new MediaMetadata({ title: part().title, artist: part().author });
  }

  async function play(): Promise<void> {
    note.textContent = '';
    if (loaded !== current || sound.error !== null) load();
    try {
      await sound.play();
    } catch (error) {
      // A pause, or another part, came first.
      if (!(error instanceof DOMException && error.name === 'AbortError')) fail();
    }
  }

  function fail(): void {
    startAt = Math.floor(sound.currentTime) || startAt;
    sound.pause();
    note.textContent = texts.failed;
    showState();
  }

  function seek(seconds: number): void {
    const to = Math.min(Math.max(0, seconds), duration());
    if (loaded === current) sound.currentTime = to;
    else startAt = to;
    showPlace(to);
  }

  button.addEventListener('click', () => {
    if (sound.paused) void play();
    else sound.pause();
  });
  slider.addEventListener('input', () => seek(Number(slider.value)));
  slider.addEventListener('keydown', (event) => {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    seek(Number(slider.value) + direction * step);
  });
  choices.forEach((choice, index) =>
    choice.addEventListener('click', () => {
      if (index === current && !sound.paused) return sound.pause();
      if (index !== current) choose(index);
      void play();
    }),
  );
  for (const name of ['play', 'pause', 'emptied']) sound.addEventListener(name, showState);
  sound.addEventListener('playing', () => {
    if (isCounted) return;
    isCounted = true;
    const { id } = part();
    if (id !== null) void countPlay(id);
  });
  for (const name of ['timeupdate', 'durationchange', 'seeked'])
    sound.addEventListener(name, () => {
      if (loaded === current && sound.readyState > 0) showPlace(sound.currentTime);
    });
  sound.addEventListener('ended', () => {
    const isLast = current === parts.length - 1;
    choose(isLast ? 0 : current + 1);
    // Playing the last one again is a new play.
    loaded = undefined;
    showState();
    if (!isLast) void play();
  });
  sound.addEventListener('error', fail);

  choose(0);
  showState();
  find<HTMLElement>('controls').hidden = false;
}

const data = document.querySelector('[data-embed="data"]')?.textContent;
if (data) openPlayer(JSON.parse(data) as EmbedData);
