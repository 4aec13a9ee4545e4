/** @module-tag slow */
import { afterAll, beforeAll, expect } from 'vitest';
import type { EnginePage } from '../support/browser/engine-page.ts';
import { inEveryEngine } from '../support/browser/engine-walks.ts';
import { startHostPage } from '../support/servers/host-page.ts';

type Listed = { slug: string; plays: number };

let host: Awaited<ReturnType<typeof startHostPage>>;
/** One for each walk: a listener's second play of an audio does not count while it lasts. */
let turn = 0;

beforeAll(async () => {
  // Walks have the site at this address.
  host = await startHostPage('http://127.0.0.1');
});
afterAll(() => host.close());

inEveryEngine(({ walk, network }) => {
  async function playIn(page: EnginePage, attribute: string): Promise<void> {
    const site = network().url.replace(/\/$/, '');
    const list = async () => {
      const { items } = (await (await fetch(`${site}/v1/api/audios?free=true&limit=40&sort=title`)).json()) as {
        items: Listed[];
      };
      return items;
    };
    const audio = (await list())[turn++] ?? expect.fail();
    const src = `${site}/embed/audio/${audio.slug}`;
    // Only the middle of the button shows, so that a press meets it.
    host.show(
      `<div style="width:20px;height:20px;overflow:hidden"><iframe ${attribute} src="${src}" width="640" height="180" title="${audio.slug}" style="border:0;margin:-106px 0 0 -192px"></iframe></div>`,
    );
    await page.goTo('/about');
    await page.read(`(location.href = ${JSON.stringify(host.url)}) && null`);
    const isLoaded = `location.origin + '/' === ${JSON.stringify(host.url)} && document.readyState === 'complete'`;
    await expect.poll(() => page.read(isLoaded)).toBe(true);
    await page.press('main div');
    // It counts once sound is heard.
    await expect
      .poll(async () => (await list()).find(({ slug }) => slug === audio.slug)?.plays, { timeout: 20_000 })
      .toBeGreaterThan(audio.plays);
  }

  walk('plays in a frame of another site', (page) => playIn(page, ''));

  walk('plays in a frame that is loaded once it is in sight', (page) => playIn(page, 'loading="lazy"'));

  walk('plays in the sandbox that WordPress gives to frames of unknown sites', (page) =>
    playIn(page, 'sandbox="allow-scripts"'),
  );
});
