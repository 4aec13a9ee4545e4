import type { Db } from '../db.ts';
import { DomainError } from '../errors.ts';
import { gather } from '../gather.ts';
import type { EventForwarder } from '../gateways.ts';
import { findConsenting } from './consents.ts';
import { recordEvents, takeEvents } from './events.ts';
import type { TakenEvent } from './events.ts';
import type { InsightEvent } from './forms.ts';

/** Batches that may wait for the database; what comes beyond is dropped, for figures are worth no outage. */
const longestLine = 400;
/** Whom the forwarder was told about; beyond that it is told again. */
const mostIdentified = 10_000;

/** Without a service of the operator's, events stay here. */
const nobodyElse: EventForwarder = { forward() {}, identify() {} };

type Batch = { events: InsightEvent[]; userId: string | undefined };

/** Takes events in, many batches in one statement, and hands them on. */
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
    if (identified.size >= mostIdentified) identified.clear();
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

  const recordBatch = gather({ run: take, most: 100, line });

  return {
    /** @returns whether they were kept; not when more come than the site can write */
    async record(events: InsightEvent[], userId: string | undefined): Promise<boolean> {
      try {
        await recordBatch({ events, userId });
        return true;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'request/too-many') return false;
        throw error;
      }
    },
    /** Their consent was given, or taken back: the forwarder is told once more where it is given again. */
    forgetIdentity: (userId: string) => void identified.delete(userId),
  };
}
