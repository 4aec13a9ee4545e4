import type { Browser, BrowserContext, BrowserContextOptions, CDPSession } from 'playwright-core';

/** Data of an origin that a test may have left, apart from cookies. */
const leftData = 'local_storage,indexeddb,file_systems';
/** The service worker with the scripts that it stores, and downloaded audios. */
const installed = 'service_workers,cache_storage';

type Known = { key: string; baseURL: string | undefined; isFirstVisit: boolean; origins: Set<string> };

/**
 * Browser contexts that are used by one test after the other, in all files of a worker. Nothing is left of the former test
 * but the HTTP cache and the installed service worker: a new context fetches and compiles every script anew, a third of
 * what a page takes, and installing the worker takes as much as the whole page.
 */
export function keepContexts() {
  /** Each context with its settings, and the origins whose storage is to be emptied. */
  const known = new Map<BrowserContext, Known>();
  const free = new Set<BrowserContext>();

  return {
    /**
     * @param settings without a storage state and headers of its own: both differ from test to test
     * @param isFirstVisit whether no service worker may be installed yet
     */
    async take(browser: Browser, settings: BrowserContextOptions, isFirstVisit: boolean): Promise<BrowserContext> {
      const key = JSON.stringify({ ...settings, isFirstVisit });
      for (const context of free) {
        if (known.get(context)?.key !== key) continue;
        free.delete(context);
        return context;
      }
      const context = await browser.newContext(settings);
      const origins = new Set<string>();
      context.on('page', (page) => page.on('framenavigated', (frame) => addOrigin(origins, frame.url())));
      known.set(context, { key, baseURL: settings.baseURL, isFirstVisit, origins });
      return context;
    },
    /** By a session of a page that has been nowhere: pages of the former test could still write. */
    async emptyStorage(context: BrowserContext, session: CDPSession): Promise<void> {
      const { origins = new Set<string>(), isFirstVisit = true } = known.get(context) ?? {};
      if (origins.size === 0) return;
      // Workers remember what they read from the storage.
      await session.send('ServiceWorker.enable');
      await session.send('ServiceWorker.stopAllWorkers');
      await session.send('ServiceWorker.disable');
      const storageTypes = isFirstVisit ? `${leftData},${installed}` : leftData;
      for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
    },
    async giveBack(context: BrowserContext): Promise<void> {
      try {
        await context.unrouteAll({ behavior: 'ignoreErrors' });
        await context.setOffline(false);
        await Promise.all(context.pages().map((page) => page.close()));
        await context.clearCookies();
        free.add(context);
      } catch {
        // A page that crashed, or the browser with it.
        known.delete(context);
        await context.close();
      }
    },
    /** @param siteUrl of the site that all files use; each other one ends with its file */
    async closeOfOtherSites(siteUrl: string): Promise<void> {
      const ended = [...known].filter(([, { baseURL }]) => baseURL !== siteUrl).map(([context]) => context);
      for (const context of ended) {
        known.delete(context);
        free.delete(context);
      }
      await Promise.all(ended.map((context) => context.close()));
    },
  };
}

function addOrigin(origins: Set<string>, url: string): void {
  if (url.startsWith('http')) origins.add(new URL(url).origin);
}
