import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isStarted } from '#player/playback.ts';
import { usePlayerCommands, usePlayerState } from '../listening/player-provider.tsx';

/** Plays the page's recording; times in seconds. */
export type RecordingControls = {
  position: number;
  isPlaying: boolean;
  play(from?: number): void;
  /** Stops at `to`. */
  playRange(from: number, to: number): void;
  pause(): void;
  seek(to: number): void;
  setRate(rate: number): void;
};

/**
 * Plays a recording in its own element, without counting a play. It and the listener's player pause each other.
 * @param duration seconds; known before the file is loaded
 */
export function useRecording(duration: number): {
  element: RefObject<HTMLAudioElement | null>;
  recording: RecordingControls;
  failed: boolean;
} {
  const element = useRef<HTMLAudioElement>(null);
  const end = useRef<number>(undefined);
  const [position, setPosition] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  const [failed, setFailed] = useState(false);
  const { pause: pausePlayer } = usePlayerCommands();
  const isPlayerOn = usePlayerState(({ status }) => isStarted(status));
  const onStart = useEffectEvent(() => {
    if (isPlayerOn) pausePlayer();
  });

  useEffect(() => {
    const audio = element.current;
    if (audio === null) return;
    const onTime = () => {
      setPosition(audio.currentTime);
      if (end.current === undefined || audio.currentTime < end.current) return;
      end.current = undefined;
      audio.pause();
    };
    const onPlay = () => {
      setIsPlaying(true);
      setFailed(false);
      onStart();
    };
    const onPause = () => setIsPlaying(false);
    const onError = () => {
      setIsPlaying(false);
      setFailed(true);
    };
    const events = { timeupdate: onTime, seeked: onTime, play: onPlay, pause: onPause, error: onError };
    for (const [name, listener] of Object.entries(events)) audio.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(events)) audio.removeEventListener(name, listener);
      audio.pause();
    };
  }, []);
  // The listener's player started: only one of the two may play.
  useEffect(() => {
    if (isPlayerOn) element.current?.pause();
  }, [isPlayerOn]);
  // `timeupdate` fires four times a second, which is too coarse for a playhead and the end of a line.
  useEffect(() => {
    if (!isPlaying) return;
    let frame = 0;
    const follow = () => {
      const audio = element.current;
      if (audio !== null) {
        setPosition(audio.currentTime);
        if (end.current !== undefined && audio.currentTime >= end.current) {
          end.current = undefined;
          audio.pause();
        }
      }
      frame = requestAnimationFrame(follow);
    };
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);

  function start(from: number | undefined, to: number | undefined): void {
    const audio = element.current;
    if (audio === null) return;
    end.current = to;
    if (from !== undefined) audio.currentTime = from;
    // A refusal is an `error` event, or a pause before the sound began.
    audio.play().catch(() => {});
  }

  return {
    element,
    failed,
    recording: {
      position,
      isPlaying,
      play: (from) => start(from, undefined),
      playRange: start,
      pause: () => element.current?.pause(),
      seek(to) {
        const at = Math.min(duration, Math.max(0, to));
        if (element.current !== null) element.current.currentTime = at;
        setPosition(at);
      },
      setRate(rate) {
        if (element.current === null) return;
        // Browsers return to the default when they load the file.
        element.current.defaultPlaybackRate = rate;
        element.current.playbackRate = rate;
      },
    },
  };
}
