import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

/** Data of an origin that a test may have left, apart from cookies. */
const leftData = 'local_storage,indexeddb,file_systems';
/** The service worker with the scripts that it stores, and downloaded audios. */
const installed = 'service_workers,cache_storage';

const maxWorkerStartMs = 5000;

/** `isMarked`: a test changed it permanently, so no other test may use it. */
export type Tab = {
  page: Page;
  session: CDPSession;
  reducedMotion: BrowserContextOptions['reducedMotion'];
  isUsed: boolean;
  isMarked: boolean;
};

type Known = Pick<BrowserContextOptions, 'baseURL' | 'reducedMotion'> & {
  key: string;
  isFirstVisit: boolean;
  origins: Set<string>;
  tab?: Tab;
  /** The newest page’s. */
  session?: CDPSession | undefined;
};

const pageEvents = ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response', 'dialog'];

/**
 * Browser contexts reused by one test after the other, in all files of a worker. Only the HTTP cache and the installed
 * service worker stay: a new context loads and compiles every script again, a third of a page's time, and installing
 * the worker takes as long as the whole page.
 */
export function keepContexts() {
  /** Each context with its settings, and the origins whose storage must be cleared. */
  const known = new Map<BrowserContext, Known>();
  const free = new Set<BrowserContext>();

  return {
    /**
     * @param settings without storage state and headers, which differ from test to test
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
      const { baseURL, reducedMotion } = settings;
      const one: Known = { key, baseURL, reducedMotion, isFirstVisit, origins };
      markOnSession(context, one);
      startWorkersFirst(context, one);
      known.set(context, one);
      return context;
    },
    /** Reuses the previous test's tab: a new one starts a process, which compiles every script again. */
    async openTab(context: BrowserContext): Promise<Tab> {
      const one = known.get(context);
      if (one?.tab) return one.tab;
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      if (one !== undefined) {
        one.session = session;
        page.once('close', () => {
          if (one.session === session) one.session = undefined;
        });
      }
      const tab: Tab = { page, session, reducedMotion: one?.reducedMotion, isUsed: false, isMarked: false };
      markOnScript(tab);
      stopWorkersOnRoute(tab);
      if (one !== undefined && !one.isFirstVisit) one.tab = tab;
      return tab;
    },
    /** From an empty tab, because pages of the previous test could still write. */
    async emptyStorage(context: BrowserContext, session: CDPSession): Promise<void> {
      const { origins = new Set<string>(), isFirstVisit = true } = known.get(context) ?? {};
      if (origins.size === 0) return;
      // Workers cache what they read from the storage.
      await stopWorkers(session);
      const storageTypes = isFirstVisit ? `${leftData},${installed}` : leftData;
      for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
    },
    async giveBack(context: BrowserContext): Promise<void> {
      try {
        await context.unrouteAll({ behavior: 'ignoreErrors' });
        await context.setOffline(false);
        const one = known.get(context);
        if (one?.tab?.isMarked || one?.tab?.page.isClosed()) one.tab = undefined;
        const kept = one?.tab;
        await Promise.all(context.pages().map((page) => (page === kept?.page ? leavePage(kept) : page.close())));
        await context.clearCookies();
        free.add(context);
      } catch {
        // A page that crashed, or the browser with it.
        known.delete(context);
        await context.close();
      }
    },
    /**
     * @param siteUrl of the shared site
     * @param ownUrl of the file's own site; the next file's has the same address and other contents
     */
    async endFile(siteUrl: string, ownUrl: string | undefined): Promise<void> {
      for (const [context, { baseURL, tab }] of known) {
        if (baseURL === siteUrl) continue;
        if (baseURL === ownUrl && tab && free.has(context)) {
          await tab.session.send('Network.clearBrowserCache');
          continue;
        }
        known.delete(context);
        free.delete(context);
        await context.close();
      }
    },
  };
}

/** An init script cannot be removed. */
function markOnScript(tab: Tab): void {
  const addInitScript = tab.page.addInitScript.bind(tab.page);
  tab.page.addInitScript = (...args) => {
    tab.isMarked = true;
    return addInitScript(...args);
  };
}

/**
 * Chromium does not intercept the calls of a page that its worker took over after it was loaded, which is a matter of
 * time. It does once the worker is stopped; the next request that needs the worker starts it.
 */
function stopWorkersOnRoute({ page, session }: Tab): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    await stopWorkers(session);
    return route(...args);
  };
}

async function stopWorkers(session: CDPSession): Promise<void> {
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.send('ServiceWorker.disable');
}

/**
 * Playwright tells the pages, then each worker, and waits for its answer. A stopped worker gives it once it runs again, and
 * one that another has replaced never runs again: they are started, and not waited for longer than it takes to start.
 */
function startWorkersFirst(context: BrowserContext, one: Known): void {
  const setOffline = context.setOffline.bind(context);
  const setExtraHTTPHeaders = context.setExtraHTTPHeaders.bind(context);
  const whileTheyRun = async (act: () => Promise<void>) => {
    await startWorkers(one);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxWorkerStartMs)));
    await Promise.race([act(), late]).finally(() => clearTimeout(timer));
  };
  let isOffline = false;
  context.setOffline = async (wanted) => {
    if (wanted === isOffline) return;
    isOffline = wanted;
    await whileTheyRun(() => setOffline(wanted));
  };
  context.setExtraHTTPHeaders = (headers) => whileTheyRun(() => setExtraHTTPHeaders(headers));
}

async function startWorkers({ session, origins }: Known): Promise<void> {
  await session?.send('ServiceWorker.enable');
  for (const origin of origins) await session?.send('ServiceWorker.startWorker', { scopeURL: `${origin}/` });
  await session?.send('ServiceWorker.disable');
}

/** A test's own developer-tools session may emulate anything, such as a slow network. */
function markOnSession(context: BrowserContext, one: Known): void {
  const newCDPSession = context.newCDPSession.bind(context);
  context.newCDPSession = (...args) => {
    if (one.tab) one.tab.isMarked = true;
    return newCDPSession(...args);
  };
}

/** Empties a tab for the next test. */
async function leavePage(tab: Tab): Promise<void> {
  const { page, session, reducedMotion = null } = tab;
  for (const name of pageEvents) page.removeAllListeners(name);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await goToEmptyPage(page);
  await session.send('Page.resetNavigationHistory');
  // Otherwise the element below the pointer looks hovered on the next page.
  await page.mouse.move(-1, -1);
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion, forcedColors: null, contrast: null });
  tab.isUsed = true;
}

/**
 * A response of the same site, without scripts. For about:blank, which has no opener policy, Chromium starts a new
 * process.
 */
async function goToEmptyPage(page: Page): Promise<void> {
  if (!page.url().startsWith('http')) return;
  await page.goto(new URL('/healthz', page.url()).href);
}

function addOrigin(origins: Set<string>, url: string): void {
  if (url.startsWith('http')) origins.add(new URL(url).origin);
}
