import { callEach } from './listeners.ts';
import type { Player } from './player.ts';
import { SEEK_STEP_SECONDS } from './reports/progress.ts';
import type { Track } from './track.ts';

export type MediaSessionLike = Pick<MediaSession, 'metadata' | 'playbackState' | 'setActionHandler'> &
  Partial<Pick<MediaSession, 'setPositionState'>>;

export type MediaSessionOptions = {
  /** URL of an audio's image, 512 by 512 pixels (spec §9). */
  artworkUrl: (track: Track) => string;
  /** Shown in discreet mode. */
  neutral: { title: string; artworkUrl: string };
  session?: MediaSessionLike | undefined;
  createMetadata?: (init: MediaMetadataInit) => MediaMetadata;
};

const ARTWORK_SIZE = '512x512';
/** The system extrapolates the position between updates. */
const REPORT_EVERY_SECONDS = 1;

/**
 * Shows the current audio on the lock screen, whose keys run the same commands as the buttons. The returned function
 * disconnects. Does nothing in browsers without a media session.
 */
export function connectMediaSession(player: Player, options: MediaSessionOptions): () => void {
  const available = 'session' in options ? options.session : browserSession();
  if (!available) return () => {};
  const session: MediaSessionLike = available;
  const { createMetadata = (init) => new MediaMetadata(init), artworkUrl, neutral } = options;
  let lastDescription: string | null = null;
  let lastHandlers: string | null = null;
  let lastPosition: { position: number; duration: number; rate: number; status: string } | null = null;

  function describe() {
    const { current, status, isDiscreet } = player.getSnapshot();
    const track = status === 'idle' ? null : current;
    const description = track && (isDiscreet ? 'discreet' : `${track.id} ${track.title}`);
    if (description === lastDescription) return;
    lastDescription = description;
    session.metadata = track && createMetadata(isDiscreet ? neutralInit() : initOf(track));
  }

  function initOf(track: Track): MediaMetadataInit {
    return {
      title: track.title,
      artist: track.voice.name,
      artwork: [{ src: artworkUrl(track), sizes: ARTWORK_SIZE }],
    };
  }

  function neutralInit(): MediaMetadataInit {
    return { title: neutral.title, artwork: [{ src: neutral.artworkUrl, sizes: ARTWORK_SIZE }] };
  }

  function reportState() {
    const { status } = player.getSnapshot();
    const isPlaying = status === 'playing' || status === 'waiting' || status === 'loading';
    session.playbackState = status === 'idle' ? 'none' : isPlaying ? 'playing' : 'paused';
  }

  function reportPosition() {
    const { status } = player.getSnapshot();
    const { rate } = player.getEngineSnapshot();
    const duration = player.getDuration();
    const position = Math.min(player.getPosition(), duration);
    if (status === 'idle' || !(duration > 0)) return;
    const isSame = lastPosition?.status === status && lastPosition.duration === duration && lastPosition.rate === rate;
    if (lastPosition && isSame && Math.abs(position - lastPosition.position) < REPORT_EVERY_SECONDS) return;
    lastPosition = { position, duration, rate, status };
    session.setPositionState?.({ duration, position, playbackRate: rate });
  }

  function handle() {
    const { status, canNext, canPrevious } = player.getSnapshot();
    // iOS shows seek keys instead of previous and next. A volume that the page cannot set identifies iOS.
    const hasSeekKeys = player.getEngineSnapshot().canSetVolume;
    // Handlers set before playback starts may be lost, so each start sets them again.
    const handlers = `${canNext} ${canPrevious} ${hasSeekKeys} ${status === 'playing'}`;
    if (handlers === lastHandlers) return;
    lastHandlers = handlers;
    setHandler('play', () => player.play());
    setHandler('pause', () => player.pause());
    setHandler('stop', () => player.pause());
    setHandler('previoustrack', canPrevious ? () => player.previous() : null);
    setHandler('nexttrack', canNext ? () => player.next() : null);
    setHandler('seekto', ({ seekTime }) => {
      const duration = player.getDuration();
      if (seekTime !== undefined && duration > 0) player.seekTo(seekTime / duration);
    });
    setHandler(
      'seekbackward',
      hasSeekKeys ? ({ seekOffset }) => player.seekBy(-(seekOffset ?? SEEK_STEP_SECONDS)) : null,
    );
    setHandler('seekforward', hasSeekKeys ? ({ seekOffset }) => player.seekBy(seekOffset ?? SEEK_STEP_SECONDS) : null);
  }

  function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
    try {
      session.setActionHandler(action, handler);
    } catch {
      // This browser does not know the action.
    }
  }

  function update() {
    describe();
    reportState();
    handle();
    reportPosition();
  }

  const stop = [player.subscribe(update), player.subscribeEngine(update), player.subscribePosition(reportPosition)];
  update();
  return () => {
    callEach(stop);
    for (const action of actions) setHandler(action, null);
    session.metadata = null;
    session.playbackState = 'none';
  };
}

const actions: MediaSessionAction[] = [
  'play',
  'pause',
  'stop',
  'previoustrack',
  'nexttrack',
  'seekto',
  'seekbackward',
  'seekforward',
];

function browserSession(): MediaSessionLike | undefined {
  return typeof navigator !== 'undefined' && 'mediaSession' in navigator ? navigator.mediaSession : undefined;
}
