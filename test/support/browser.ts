import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';

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

/**
 * Of Chromium itself. The address bar of each window is made of pages of its own here, which took a third of the time of
 * every test; the others are what Playwright switches off, whose list this one takes the place of.
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

/** A Chromium for this file. @returns opens a page; what that page's console says in red fails the test that ends with `quiet()` */
export function useBrowser() {
  let browser: Browser | undefined;
  const contexts = new Set<BrowserContext>();

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: inject('browserPath'),
      args: [
        '--mute-audio',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${features.join()}`,
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
  });
  afterEach(async () => {
    await Promise.all([...contexts].map((context) => context.close()));
    contexts.clear();
  });
  afterAll(() => browser?.close());

  return {
    async open(
      path: string,
      options: BrowserContextOptions = desktop,
    ): Promise<{ page: Page; quiet: (expected?: readonly unknown[]) => Promise<void> }> {
      if (browser === undefined) throw new Error('The browser is not open yet');
      const context = await browser.newContext({
        baseURL: inject('siteUrl'),
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        ...options,
      });
      contexts.add(context);
      const page = await context.newPage();
      await reduceTransparency(page, options);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(path);
      if (options.javaScriptEnabled !== false) await hydrated(page);
      return {
        page,
        async quiet(expected: readonly unknown[] = []) {
          await context.close();
          contexts.delete(context);
          expect(complaints).toEqual(expected);
        },
      };
    },
  };
}

/**
 * What is blurred behind a modal is drawn anew with each letter that is typed into it: half of all that a processor
 * without a graphics card has to do. Playwright cannot ask for that; its own wishes are said again beside it.
 */
async function reduceTransparency(page: Page, { colorScheme, reducedMotion }: BrowserContextOptions): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const features = Object.entries({
    'prefers-reduced-transparency': 'reduce',
    'prefers-reduced-motion': reducedMotion ?? 'reduce',
    'prefers-color-scheme': colorScheme ?? 'light',
  });
  await session.send('Emulation.setEmulatedMedia', { features: features.map(([name, value]) => ({ name, value })) });
}

/** React has taken over once it has put its own keys on the elements. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      Object.keys(document.body.firstElementChild ?? document.body).some((key) => key.startsWith('__react')) ||
      Object.keys(document.body).some((key) => key.startsWith('__react')),
  );
}

/** The state of the one media element, as the browser has it. */
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
