/** Plays the page's recording; times in seconds. */
export type RecordingControls = {
  position: number;
  isPlaying: boolean;
  play(from?: number): void;
  /** Stops at `to`. */
  playRange(from: number, to: number): void;
  pause(): void;
  seek(to: number): void;
};
