import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import type { Viewer } from '../kernel/viewer.ts';
import * as consents from './consents.ts';
import { addEventDays } from './event-days.ts';
import { type EventForwarder, purgeOldEvents } from './events.ts';
import type { AnalyticsEvent } from './forms.ts';
import { openIntake } from './intake.ts';

const eventsKeptDays = 90;

/** @param deps.forwarder third-party destination of events; default: none */
export function openAnalytics({ db, forwarder }: { db: Db; forwarder?: EventForwarder | undefined }) {
  const intake = openIntake({ db, forwarder });
  return {
    ...bind(db, { findConsent: consents.findConsent }),
    /** @returns false when the queue is full */
    recordEvents: (list: AnalyticsEvent[], viewer: Viewer) =>
      intake.record(list, viewer.kind === 'user' ? viewer.id : undefined),
    async setConsent(userId: string, consent: boolean): Promise<void> {
      await consents.setConsent(db, userId, consent);
      intake.purgeIdentity(userId);
    },
    /** Deletes old events, and prepares the tables of the next days. */
    async purgeOldEvents(signal?: AbortSignal) {
      await addEventDays(db);
      return purgeOldEvents(db, eventsKeptDays, signal);
    },
  };
}
