import type { Clock } from '../clock.ts';

/** Two checks and their requests fit into eight seconds, after which silence must be explained (product, "Playing"). */
export const STALLED_AFTER_MS = 3000;

/**
 * Some browsers silently retry a lost connection for a long time, others never, so long waits are checked. `onStall`
 * gets a function that tells whether the same wait continues.
 */
export function createStallWatch(clock: Clock, onStall: (isStillWaiting: () => boolean) => Promise<void>) {
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
    /** Called with the current state; while it is true, `onStall` runs every three seconds. */
    update(isWaiting: boolean): void {
      if (!isWaiting) end();
      else if (!cancel) begin();
    },
    end,
  };
}
