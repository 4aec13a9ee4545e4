import type { Clock } from './clock.ts';
import type { MediaElementLike } from './media-element.ts';

export type VolumeProbe = {
  /** Finds out whether the page may set the volume, then sets `volume()` where it may. */
  run(media: MediaElementLike, options: { volume: () => number; done: (canSetVolume: boolean) => void }): void;
  isRunning(): boolean;
  cancel(): void;
};

/** iOS keeps the volume to its keys; since iOS 15 a written value can be read back until the task ends. */
export function createVolumeProbe(clock: Clock): VolumeProbe {
  let cancelRun: (() => void) | null = null;
  function cancel() {
    cancelRun?.();
    cancelRun = null;
  }
  return {
    run(media, { volume, done }) {
      cancel();
      const before = media.volume;
      cancelRun = clock.after(0, () => {
        const canSetVolume = media.volume !== before;
        if (canSetVolume) media.volume = volume();
        cancelRun = null;
        done(canSetVolume);
      });
      media.volume = before > 0.5 ? before - 0.25 : before + 0.25;
    },
    isRunning: () => cancelRun !== null,
    cancel,
  };
}
