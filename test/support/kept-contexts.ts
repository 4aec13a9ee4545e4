import type { Browser, BrowserContext, BrowserContextOptions, CDPSession } from 'playwright-core';

/** Types of storage to clear in a context, apart from cookies and the HTTP cache. */
const storageTypes = 'local_storage,indexeddb,service_workers,cache_storage,file_systems';

/**
 * Browser contexts that are used by one test after the other, with nothing left of the former test but the HTTP cache. A
 * new context fetches and compiles every script anew, a third of what a page takes.
 */
export function keepContexts() {
  /** Each context with its settings, and the origins whose storage is to be emptied. */
  const known = new Map<BrowserContext, { key: string; origins: Set<string> }>();
  const free = new Set<BrowserContext>();

  return {
    /** @param settings without a storage state and headers of its own: both differ from test to test */
    async take(browser: Browser, settings: BrowserContextOptions): Promise<BrowserContext> {
      const key = JSON.stringify(settings);
      for (const context of free) {
        if (known.get(context)?.key !== key) continue;
        free.delete(context);
        return context;
      }
      const context = await browser.newContext(settings);
      const origins = new Set<string>();
      context.on('page', (page) => page.on('framenavigated', (frame) => addOrigin(origins, frame.url())));
      known.set(context, { key, origins });
      return context;
    },
    /** By a session of a page that has been nowhere: pages of the former test could still write. */
    async emptyStorage(context: BrowserContext, session: CDPSession): Promise<void> {
      const origins = known.get(context)?.origins ?? new Set<string>();
      for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
      origins.clear();
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
    async closeAll(): Promise<void> {
      await Promise.all([...known.keys()].map((context) => context.close()));
      known.clear();
      free.clear();
    },
  };
}

function addOrigin(origins: Set<string>, url: string): void {
  if (url.startsWith('http')) origins.add(new URL(url).origin);
}
