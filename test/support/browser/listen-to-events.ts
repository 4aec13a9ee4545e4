import type { Page } from 'playwright-core';
import type { AnalyticsEvent } from '#domain/analytics/forms.ts';

export type CollectedEvent = Pick<AnalyticsEvent, 'name' | 'source' | 'subjectId' | 'properties'>;

/** Collects the analytics events of a page, from its first request on. */
export function listenToEvents(page: Page) {
  let heard: CollectedEvent[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !new URL(request.url()).pathname.endsWith('/api/events')) return;
    const body = request.postDataJSON() as { events: CollectedEvent[] };
    heard.push(...body.events);
  });
  return {
    /** Events since the last call; makes the page send them as if it were left. */
    async since(): Promise<CollectedEvent[]> {
      await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
      // Requests are seen in order, so this one comes after the events.
      await page.evaluate(() => fetch('/healthz').then(() => undefined));
      const events = heard;
      heard = [];
      return events;
    },
  };
}

/** `audio_click homepage`; only the name without a source. */
export function inWords({ name, source, properties }: CollectedEvent): string {
  return [name, source, name === 'screen_viewed' ? properties?.['screen'] : undefined].filter(Boolean).join(' ');
}
