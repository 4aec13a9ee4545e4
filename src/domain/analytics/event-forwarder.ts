import type { TakenEvent } from './events.ts';

/** Forwards events to a third-party analytics service. Nothing waits for it; failed events are lost. */
export type EventForwarder = {
  forward(events: TakenEvent[]): void;
  /** Consenting users only. */
  identify(user: { id: string; email: string | null }): void;
};
