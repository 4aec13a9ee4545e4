import type { Clock } from './clock.ts';

/** A clock that tests move by hand. */
export function createFakeClock(): Clock & { advance(milliseconds: number): void } {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const [due] = timers.filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at);
        if (!due) break;
        timers = timers.filter((other) => other !== due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = until;
    },
  };
}

/** Lets promises that are settled already run on; no time passes. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await undefined;
}
