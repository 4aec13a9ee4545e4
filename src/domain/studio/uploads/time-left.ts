import { type UploadStep, uploadSteps } from '../rules.ts';

/** Relative costs of the steps, from `npm run bench -- sound`. Reading is part of the loudness pass. */
const costs: Record<UploadStep, number> = { reading: 0, loudness: 1, encoding: 3, waveform: 1 };

/** Too early in a file, the measured speed is unreliable. */
const minMeasuredMs = 1500;

/**
 * Time left for processing one file, estimated from its speed so far on this machine.
 * @param now milliseconds
 * @returns a function from progress reports to seconds left; undefined while too little is measured
 */
export function createTimeLeft(now: () => number): (step: UploadStep, percent: number) => number | undefined {
  const startedAt = now();
  let current: { step: UploadStep; startedAt: number } = { step: 'reading', startedAt };
  return (step, percent) => {
    const at = now();
    if (step !== current.step) current = { step, startedAt: at };
    const index = uploadSteps.indexOf(step);
    const costOf = (steps: readonly UploadStep[]) => steps.reduce((sum, one) => sum + costs[one], 0);
    const done = costOf(uploadSteps.slice(0, index)) + (costs[step] * percent) / 100;
    if (done === 0 || at - startedAt < minMeasuredMs) return undefined;
    const pace = (at - startedAt) / done;
    // A step that has run for a while is extrapolated from its own speed.
    const ownPace = percent >= 10 ? (at - current.startedAt) / percent : (pace * costs[step]) / 100;
    const left = ownPace * (100 - percent) + pace * costOf(uploadSteps.slice(index + 1));
    return Math.ceil(left / 1000);
  };
}
