import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
  chromium,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { lastSiteUrl } from '../servers/free-port.ts';
import { keepContexts } from './kept-contexts.ts';
import { browserTimeZone } from '../time-zones.ts';

export const desktop = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions;
export const mobile = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
} satisfies BrowserContextOptions;

export const layouts = [
  ['desktop', desktop],
  ['mobile', mobile],
] as const;

/** Scripts and transitions that follow the size or the theme start with the next frame. */
export function nextFrame(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** @returns CSS pixels by which the page is wider than the window */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Checks a loaded page in the sizes of both layouts, its own one last. */
export async function inBothSizes(page: Page, check: () => Promise<void>): Promise<void> {
  const own = page.viewportSize() ?? desktop.viewport;
  for (const size of [own.width === mobile.viewport.width ? desktop.viewport : mobile.viewport, own]) {
    await page.setViewportSize(size);
    await nextFrame(page);
    await check();
  }
}

/**
 * Disabled features of Chromium. Its address bar consists of pages, which take a third of each test's time; the others
 * are Playwright's own list, which this one replaces.
 */
const features = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Shared by all files of this worker, because each start takes a second; one with images, one without. */
const browsers = new Map<boolean, Browser>();
const contexts = new Map<boolean, ReturnType<typeof keepContexts>>();

// This signal ends the worker, which would leave a folder for each browser.
process.once('SIGTERM', () => {
  void Promise.all([...browsers.values()].map((browser) => browser.close())).finally(() => process.exit());
});

async function openBrowser(images: boolean): Promise<Browser> {
  const open = browsers.get(images);
  if (open?.isConnected()) return open;
  const browser = await chromium.launch({
    executablePath: inject('browserPath'),
    handleSIGTERM: false,
    args: [
      '--mute-audio',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page lives for seconds, so optimizing its scripts costs more than it saves: a quarter of axe's time.
      '--js-flags=--no-opt --no-maglev',
      `--disable-features=${features.join()}`,
      ...(images
        ? []
        : [
            '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,imagesEnabled=false',
          ]),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  browsers.set(images, browser);
  contexts.set(images, keepContexts());
  return browser;
}

/** `isFirstVisit`: no service worker and none of its files are installed yet. For tests of these, and of downloads. */
export type PageOptions = BrowserContextOptions & { isFirstVisit?: boolean };

/** Errors of the page's console, with the path of what failed to load. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    complaints.push(message.text() + (message.text().startsWith('Failed to load') ? ` ${new URL(url).pathname}` : ''));
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

/**
 * Chromium for this file. `images: false` saves a quarter of a page's work in tests that need no images.
 * @returns opens a page; errors in that page's console fail the test that ends with `quiet()`
 */
export function useBrowser({ images = true }: { images?: boolean } = {}) {
  let browser: Browser | undefined;
  const opened = new Set<BrowserContext>();
  let kept: ReturnType<typeof keepContexts>;

  beforeAll(async () => {
    browser = await openBrowser(images);
    kept = contexts.get(images) ?? keepContexts();
  });
  afterEach(async () => {
    const all = [...opened];
    opened.clear();
    await Promise.all(all.map((context) => kept.giveBack(context)));
  });
  afterAll(() => kept.endFile(inject('siteUrl'), lastSiteUrl()));

  async function newPage({ storageState, extraHTTPHeaders, isFirstVisit = false, ...options }: PageOptions) {
    if (browser === undefined) throw new Error('The browser is not open yet');
    if (typeof storageState === 'string') throw new Error('A storage state is given as a value, not as a file');
    const stored = storageState?.origins ?? [];
    const { colorScheme = 'light', viewport, ...others } = options;
    // Size and theme are set for each page, so that all of them share a context.
    const settings = {
      baseURL: inject('siteUrl'),
      reducedMotion: 'reduce' as const,
      timezoneId: browserTimeZone,
      // The headless shell refuses what other browsers allow after a press.
      permissions: ['clipboard-write'],
      viewport: (options.isMobile ? mobile : desktop).viewport,
      ...others,
    };
    const context = await kept.take(browser, settings, isFirstVisit);
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': newAddress(), ...extraHTTPHeaders });
    // The theme follows the emulated system (`colorScheme`).
    const theme = { name: 'sotto_theme', value: 'system', url: settings.baseURL };
    await context.addCookies([theme, ...(storageState?.cookies ?? [])]);
    const { page, session, isUsed } = await kept.openTab(context);
    await kept.emptyStorage(context, session);
    const size = viewport ?? settings.viewport;
    if (page.viewportSize()?.width !== size.width || page.viewportSize()?.height !== size.height)
      await page.setViewportSize(size);
    if (colorScheme !== 'light') await page.emulateMedia({ colorScheme });
    await reduceTransparency(session, options);
    const complaints = collectComplaints(page);
    async function arrive(path: string): Promise<void> {
      const script = stored.length > 0 || isUsed ? await fillStorage(session, stored) : undefined;
      await page.goto(path);
      if (script !== undefined) await session.send('Page.removeScriptToEvaluateOnNewDocument', script);
    }
    return { context, page, complaints, arrive };
  }

  return {
    async open(
      path: string,
      options: PageOptions = desktop,
    ): Promise<{ page: Page; quiet: (expected?: unknown) => Promise<void> }> {
      const { context, page, complaints, arrive } = await newPage(options);
      opened.add(context);
      await arrive(path);
      if (options.javaScriptEnabled !== false) await hydrated(page);
      return {
        page,
        async quiet(expected: unknown = []) {
          // The page may show what failed before the browser complains.
          if (Array.isArray(expected))
            await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(expected.length);
          opened.delete(context);
          await kept.giveBack(context);
          expect(complaints).toEqual(expected);
        },
      };
    },
    /**
     * Opens pages one after the other in the same tab, for tests that change nothing: scripts and images are loaded
     * once.
     */
    tour(options: BrowserContextOptions) {
      let opened: ReturnType<typeof newPage> | undefined;
      return async (path: string): Promise<{ page: Page; quiet: () => void }> => {
        const { page, complaints } = await (opened ??= newPage(options));
        complaints.length = 0;
        await page.setViewportSize(options.viewport ?? desktop.viewport);
        await page.goto(path);
        await hydrated(page);
        return { page, quiet: () => expect(complaints).toEqual([]) };
      };
    },
  };
}

/** A client address for each page, because attempts and events are limited per address. */
export function newAddress(): string {
  const part = () => Math.floor(Math.random() * 255);
  return `10.${part()}.${part()}.${part()}`;
}

/**
 * The blur behind a modal is redrawn for each typed letter: half of the load on a machine without a graphics card.
 * Playwright cannot emulate this preference; the call replaces its other ones, so they are repeated.
 */
async function reduceTransparency(
  session: CDPSession,
  { colorScheme, reducedMotion }: BrowserContextOptions,
): Promise<void> {
  const features = Object.entries({
    'prefers-reduced-transparency': 'reduce',
    'prefers-reduced-motion': reducedMotion ?? 'reduce',
    'prefers-color-scheme': colorScheme ?? 'light',
  });
  await session.send('Emulation.setEmulatedMedia', { features: features.map(([name, value]) => ({ name, value })) });
}

type StoredOrigin = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>['origins'][number];

/**
 * Writes localStorage in the next document, and clears the tab's session storage. Playwright's own way opens an extra
 * page.
 * @returns id of the script, to remove it once that document has loaded
 */
function fillStorage(session: CDPSession, stored: readonly StoredOrigin[]): Promise<{ identifier: string }> {
  return session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `if (self === top) {
      name = '';
      sessionStorage.clear();
      for (const { origin, localStorage: items } of ${JSON.stringify(stored)})
        if (origin === location.origin) for (const { name, value } of items) localStorage.setItem(name, value);
    }`,
  });
}

/**
 * Hydration is complete: React has taken over the document (its own fields say so), and its effects have run, the last of
 * which removes `earlyPress`. A page that failed as a whole has no such effect, and no header.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    type Container = { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } };
    const key = Object.keys(document).find((name) => name.startsWith('__reactContainer'));
    const container = (document as unknown as Record<string, Container | undefined>)[key ?? ''];
    if (container === undefined && !('__reactRouterContext' in window)) return true;
    if (container === undefined || container.stateNode.current.memoizedState.isDehydrated) return false;
    return !('earlyPress' in window) || document.querySelector('[data-site-header]') === null;
  });
}

/** From here on the service worker sees every request of the page. */
export async function workerInCharge(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    const taken = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    await serviceWorker.ready;
    if (serviceWorker.controller === null) await taken;
  });
}

/** The state of the media element in the browser. */
export function sound(
  page: Page,
): Promise<{ time: number; paused: boolean; src: string; duration: number; count: number }> {
  return page.evaluate(() => {
    const all = document.querySelectorAll('audio');
    const audio = all[0];
    return {
      time: audio?.currentTime ?? -1,
      paused: audio?.paused ?? true,
      src: audio?.currentSrc ?? '',
      duration: audio?.duration ?? 0,
      count: all.length,
    };
  });
}
