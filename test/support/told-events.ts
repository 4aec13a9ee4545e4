import type { Page } from 'playwright-core';
import type { InsightEvent } from '#domain/insight/forms.ts';

export type Told = Pick<InsightEvent, 'name' | 'source' | 'subjectId' | 'properties'>;

/** Listens to what a page tells of what was pressed. From its first request on. */
export function listenToEvents(page: Page) {
  let heard: Told[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !new URL(request.url()).pathname.endsWith('/api/events')) return;
    const body = request.postDataJSON() as { events: Told[] };
    heard.push(...body.events);
  });
  return {
    /** What was told since it was last asked; the page hands it over as when it is left. */
    async since(): Promise<Told[]> {
      await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
      // A request is seen in the order of what the page did: this one comes after the events.
      await page.evaluate(() => fetch('/healthz').then(() => undefined));
      const events = heard;
      heard = [];
      return events;
    },
  };
}

/** `audio_click homepage`; the name alone where there is no source. */
export function inWords({ name, source, properties }: Told): string {
  return [name, source, name === 'screen_viewed' ? properties?.['screen'] : undefined].filter(Boolean).join(' ');
}
