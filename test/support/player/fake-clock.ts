import type { Clock } from '#player/clock.ts';

/** A clock that tests advance manually. */
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

/** Runs the callbacks of settled promises without advancing the time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await undefined;
}
