import { Analytics } from '@segment/analytics-node';
import type { EventForwarder } from '#domain/analytics/events.ts';
import { callLimits } from '../call-limits.ts';

type Options = {
  writeKey: string;
  /** Origin of a service with Segment's API; Segment itself when absent. */
  host?: string | undefined;
  /** Maximum pending events; further ones are dropped. */
  max?: number;
  /** Called with the number of dropped or failed events. */
  onLost: (count: number) => void;
};

/** Segment requires a user or an anonymous id; all anonymous events share one, so that they cannot be linked. */
const nobody = { anonymousId: 'nobody' };

/** Sends events to Segment, or a compatible service, in batches and in the background. */
export function openSegmentEvents({ writeKey, host, max = 5000, onLost }: Options): EventForwarder & {
  close(): Promise<void>;
} {
  const analytics = new Analytics({
    writeKey,
    ...(host !== undefined && { host }),
    flushAt: 100,
    flushInterval: 2000,
    maxRetries: callLimits.segment.attempts - 1,
    maxTotalBackoffDuration: 60,
    maxRateLimitDuration: 60,
    httpRequestTimeout: callLimits.segment.answerMs,
  });
  let onTheirWay = 0;
  // Lost events are reported by their own callback; without a listener an error would end the process.
  analytics.on('error', () => undefined);

  function send(hand: (done: (error?: unknown) => void) => void): void {
    if (onTheirWay >= max) return onLost(1);
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
    /** Waits up to a second for pending events. */
    close: () => analytics.closeAndFlush({ timeout: 900 }),
  };
}
