import { Analytics } from '@segment/analytics-node';
import type { EventForwarder } from '#domain/gateways.ts';

type Options = {
  writeKey: string;
  /** Origin of a service that speaks Segment's API; Segment's own when left out. */
  host?: string | undefined;
  /** So many may be on their way; the next are dropped. */
  most?: number;
  /** So many were dropped, or could not be handed over. */
  onLost: (count: number) => void;
};

/** Segment's rule: an event has a user or somebody unknown. All unknown ones are the same, so nothing tells them apart. */
const nobody = { anonymousId: 'nobody' };

/** Hands events to Segment, or to whoever speaks its API, in batches and beside everything else. */
export function openSegmentEvents({ writeKey, host, most = 5000, onLost }: Options): EventForwarder & {
  close(): Promise<void>;
} {
  const analytics = new Analytics({
    writeKey,
    ...(host !== undefined && { host }),
    flushAt: 100,
    flushInterval: 2000,
    maxRetries: 3,
    maxTotalBackoffDuration: 60,
    maxRateLimitDuration: 60,
    httpRequestTimeout: 5000,
  });
  let onTheirWay = 0;
  // Every lost event comes to its own callback too; without a listener an error would end the process.
  analytics.on('error', () => undefined);

  function send(hand: (done: (error?: unknown) => void) => void): void {
    if (onTheirWay >= most) return onLost(1);
    onTheirWay += 1;
    hand((error) => {
      onTheirWay -= 1;
      if (error !== undefined && error !== null) onLost(1);
    });
  }

  return {
    forward(events) {
      for (const { id, name, source, subjectId, properties, at, userId } of events) {
        send((done) =>
          analytics.track(
            {
              messageId: id,
              event: name,
              timestamp: at,
              properties: {
                ...properties,
                ...(source !== undefined && { source }),
                ...(subjectId !== undefined && { subjectId }),
              },
              ...(userId === undefined ? nobody : { userId }),
            },
            done,
          ),
        );
      }
    },
    identify({ id, email }) {
      send((done) => analytics.identify({ userId: id, traits: email === null ? {} : { email } }, done));
    },
    /** What is on its way has a second to arrive. */
    close: () => analytics.closeAndFlush({ timeout: 900 }),
  };
}
