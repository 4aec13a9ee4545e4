import type { Period } from '#domain/membership/rules.ts';

/** What follows a log-in or sign-up, in this order (product.md, "After log-in / sign-up"). Each part adds its own by name. */
export const stepNames = ['close-modals', 'username', 'paid-link', 'payment', 'welcome', 'waiting-act'] as const;
export type StepName = (typeof stepNames)[number];

/** How somebody came in; gathered before closing the modals resets it. */
export type Entry = {
  /** The first time, whatever the way. */
  kind: 'log-in' | 'sign-up';
  /** Has no username yet. */
  isNewAccount: boolean;
  /** Chosen before; undefined where none was. */
  period: Period | undefined;
  isTroughPaidlink: boolean;
  /** What was pressed and had to wait: play, favorite, comment. */
  act: (() => void) | undefined;
};

/** `stop` leaves out all that follows. */
type Outcome = void | 'stop';
export type Step = (entry: Entry) => Outcome | Promise<Outcome>;

export function createAfterLogIn() {
  const steps = new Map<StepName, Step>();
  let latest = 0;

  return {
    /** @returns takes it away again */
    add(name: StepName, step: Step): () => void {
      steps.set(name, step);
      return () => {
        if (steps.get(name) === step) steps.delete(name);
      };
    },
    /** One after the other; a later entry, or `cancel`, ends the one before. */
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
