import type { Clock } from './clock.ts';

const STALLED_AFTER_MS = 8000;

export type StallWatch = {
  /** Called with what is so now; as long as it is so, `onStall` runs again after each eight seconds. */
  update(isWaiting: boolean): void;
  end(): void;
};

/**
 * Browsers try a lost connection again for long without a word, and some never again: waiting that lasts is looked into.
 * `onStall` is told whether the waiting it was called for is still going on when its answer is there.
 */
export function createStallWatch(clock: Clock, onStall: (isStillSo: () => boolean) => Promise<void>): StallWatch {
  let cancel: (() => void) | null = null;
  function end() {
    cancel?.();
    cancel = null;
  }
  function begin() {
    const own = clock.after(STALLED_AFTER_MS, () => {
      void onStall(() => cancel === own).then(() => {
        if (cancel === own) begin();
      });
    });
    cancel = own;
  }
  return {
    update(isWaiting) {
      if (!isWaiting) end();
      else if (!cancel) begin();
    },
    end,
  };
}
