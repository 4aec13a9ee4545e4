import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import { batch } from '../kernel/batch.ts';
import { findConsenting } from './consents.ts';
import { type EventForwarder, type TakenEvent, recordEvents, takeEvents } from './events.ts';
import type { AnalyticsEvent } from './forms.ts';

/** Batches that may wait for the database; further ones are dropped, because analytics must not cause an outage. */
const longestLine = 400;
/** Capacity of the memory of users already identified to the forwarder; evicted users are identified again. */
const maxIdentified = 10_000;

/** Default without a third-party service: events stay here. */
const nobodyElse: EventForwarder = { forward() {}, identify() {} };

type Batch = { events: AnalyticsEvent[]; userId: string | undefined };

/** Collects events, writes many batches per statement, and forwards them. */
export function openIntake({
  db,
  forwarder = nobodyElse,
  line = longestLine,
}: {
  db: Db;
  forwarder?: EventForwarder | undefined;
  line?: number;
}) {
  const identified = new Set<string>();

  function identify(user: { id: string; email: string | null }): void {
    if (identified.has(user.id)) return;
    if (identified.size >= maxIdentified) identified.clear();
    identified.add(user.id);
    forwarder.identify(user);
  }

  async function take(batches: Batch[]): Promise<number[]> {
    const asking = new Set(batches.flatMap(({ userId }) => userId ?? []));
    const consenting = await findConsenting(db, [...asking]);
    const at = new Date();
    const taken: TakenEvent[] = batches.flatMap(({ events, userId }) =>
      takeEvents(events, userId !== undefined && consenting.has(userId) ? userId : undefined, at),
    );
    await recordEvents(db, taken);
    for (const user of consenting.values()) identify(user);
    forwarder.forward(taken);
    return batches.map(({ events }) => events.length);
  }

  const recordBatch = batch({ run: take, max: 100, line });

  return {
    /** @returns false when the queue is full */
    async record(events: AnalyticsEvent[], userId: string | undefined): Promise<boolean> {
      try {
        await recordBatch({ events, userId });
        return true;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'request/too-many') return false;
        throw error;
      }
    },
    /** Call when consent is given or withdrawn: the forwarder identifies the user again. */
    purgeIdentity: (userId: string) => void identified.delete(userId),
  };
}
