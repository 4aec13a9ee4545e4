import type { Period } from '#domain/membership/rules.ts';

/**
 * Steps after a log-in or sign-up, in this order (product.md, “After log-in / sign-up”). Each module adds its own by
 * name.
 */
export const stepNames = ['close-modals', 'username', 'paid-link', 'payment', 'welcome', 'waiting-act'] as const;
export type StepName = (typeof stepNames)[number];

/** Data about the log-in, read before closing the modals resets it. */
export type Entry = {
  /** `sign-up` for the first log-in with any method. */
  kind: 'log-in' | 'sign-up';
  /** Has no username yet. */
  isNewAccount: boolean;
  /** Period chosen before the log-in, if any. */
  period: Period | undefined;
  isTroughPaidlink: boolean;
  /** Pressed action that waits for the log-in: play, favorite, comment. */
  act: (() => void) | undefined;
};

/** `stop` skips all later steps. */
type Outcome = void | 'stop';
export type Step = (entry: Entry) => Outcome | Promise<Outcome>;

export function createAfterLogIn() {
  const steps = new Map<StepName, Step>();
  let latest = 0;

  return {
    /** @returns removes the step */
    add(name: StepName, step: Step): () => void {
      steps.set(name, step);
      return () => {
        if (steps.get(name) === step) steps.delete(name);
      };
    },
    /** Runs the steps one after the other; a later entry, or `cancel`, ends the previous run. */
    async run(entry: Entry): Promise<void> {
      latest += 1;
      const own = latest;
      for (const name of stepNames) {
        const outcome = await steps.get(name)?.(entry);
        if (outcome === 'stop' || own !== latest) return;
      }
    },
    cancel(): void {
      latest += 1;
    },
  };
}
