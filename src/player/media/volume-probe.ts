import type { Clock } from '../clock.ts';
import type { MediaElementLike } from './media-element.ts';

type ProbeOptions = { volume: () => number; done: (canSetVolume: boolean) => void };

/** iOS reserves the volume for its keys; since iOS 15 a written value reads back until the task ends. */
export function createVolumeProbe(clock: Clock) {
  let cancelRun: (() => void) | null = null;
  function cancel() {
    cancelRun?.();
    cancelRun = null;
  }
  return {
    /** Tests whether the page can set the volume, then sets `volume()` if so. */
    run(media: MediaElementLike, { volume, done }: ProbeOptions): void {
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
